"""Hundreds of spellings of right answers, and of answers that nobody may take for right, as people might type them.

One a line; what a line ends with does not matter, so a final blank is not kept.
"""

from fractions import Fraction

from grader.quiz.asked import Asked

HEADS = Asked("shape", (2, 8, 5, 7), ((2, 5, 8, 7), "raises"), sizes={"B": 2, "h": 8, "L": 5, "k": 7, "v": 7, "d": 56})
ONE_AXIS = Asked("shape", (96,), ((288,),), sizes={"d": 96})
BILL = Asked("number", Fraction(2359296), (Fraction(21233664), Fraction(1769472)))
EIGHT = Asked("number", Fraction(8), (Fraction(64), Fraction(512)))
NONE = Asked("number", Fraction(0), (Fraction(64),))
TEN = Asked("number", Fraction(10), (Fraction(15),))
QUARTER = Asked("number", Fraction("0.2483"), (Fraction("0.3333"),), tolerance=Fraction("0.01"))
ROOT_OF_64 = Asked("number", Fraction(8), (Fraction(64), Fraction("22.627")), tolerance=Fraction("0.005"))
THIRD = Asked("number", Fraction("0.333333"), (Fraction("0.25"),), tolerance=Fraction("0.004"))
SQUARES = Asked("formula", "4*d_model^2", ("3*d_model^2", "4*h*d_model^2", "4*d_k^2"))
WITH_BIASES = Asked("formula", "4*d_model^2+4*d_model", ("4*d_model^2",))
NAIVE = Asked("formula", "3*h*d_model^2", ("3*d_model^2",))
ROOT = Asked("formula", "sqrt(d_k)", ("d_k", "sqrt(d_model)"))
WIDTH = Asked("formula", "d_model/h", ("h",))
WEIGHTS = Asked(
    "vector",
    (Fraction("0.2483"), Fraction("0.2483"), Fraction("0.5035")),
    ((Fraction(1), Fraction(0), Fraction(0)),),
    tolerance=Fraction("0.01"),
)
OUTPUT = Asked(
    "vector", (Fraction("1.2552"), Fraction("0.2483")), ((Fraction(1), Fraction(0)),), tolerance=Fraction("0.01")
)
FIRST = Asked(
    "vector",
    (Fraction(1), Fraction(0), Fraction(0)),
    ((Fraction("0.2483"), Fraction("0.2483"), Fraction("0.5035")),),
    tolerance=Fraction("0.01"),
)
KEYWORD = Asked("cloze", ("average_attn_weights",), (("need_weights",), ("batch_first",)))
COLUMNS = Asked("number", Fraction(64), (Fraction(512), Fraction(8)))
LAYER = Asked("number", Fraction(37248), (Fraction(36864),))
LARGE = Asked("number", Fraction(21233664), (Fraction(2359296),))
BATCH = Asked("shape", (4, 6, 10, 16), ((4, 10, 6, 16),), sizes={"B": 4, "h": 6, "L": 10, "k": 16, "v": 16, "d": 96})
IN_PROJ = Asked("shape", (288, 96), ((96, 288),), sizes={"d": 96, "h": 4, "k": 24, "v": 24})
ROOT_OF_8 = Asked(
    "number", Fraction("2828427/1000000"), (Fraction(8), Fraction("6928203/1000000")), tolerance=Fraction("0.005")
)
ROOT_OF_16 = Asked("number", Fraction(4), (Fraction(16), Fraction("9797959/1000000")), tolerance=Fraction("0.005"))
SEVENTHS = Asked("number", Fraction("0.428571"), (Fraction(3), Fraction(1)), tolerance=Fraction("0.004"))
SIXTH = Asked("number", Fraction("0.166667"), (Fraction("0.2"),), tolerance=Fraction("0.004"))
MINUS = Asked("number", Fraction(-2), (Fraction(2),), tolerance=Fraction("0.01"))
SCORE = Asked("number", Fraction("13.5"), (Fraction(27), Fraction("6.75")), tolerance=Fraction("0.005"))
TIMES = Asked("number", Fraction(9), (Fraction(12),))
MASKED = Asked(
    "vector",
    (Fraction("0.1956"), Fraction("0.8044"), Fraction(0)),
    ((Fraction("0.1084"), Fraction("0.4458"), Fraction("0.4458")),),
    tolerance=Fraction("0.01"),
)
EQUAL = Asked(
    "vector",
    (Fraction("0.333333"), Fraction("0.333333"), Fraction("0.333333")),
    ((Fraction(0), Fraction(0), Fraction(0)),),
    tolerance=Fraction("0.01"),
)
JOINED = Asked("shape", (5, 96), ((4, 5, 24),), sizes={"L": 5, "d": 96, "h": 4, "k": 24, "v": 24})
RAISING = Asked("shape", "raises", ((3, 5, 5),))
BLANKS = Asked(
    "cloze", ("Concat|Concatenate|cat|拼接", "W^O|W_O|WO|output projection"), (("Sum|add", "W^O"), ("Mean", "W^O"))
)
EXCEPTION = Asked("cloze", ("AssertionError|assertion|assert",), (("RuntimeError",), ("ValueError",)))
AXES = Asked("cloze", ("1, 2|2, 1|1 2|2 1|transpose(1, 2)",), (("2, 3",),))

ALWAYS = (
    (
        HEADS,
        """
(2,8,5,7)
2, 8, 5, 7
( 2 , 8 , 5 , 7 )
[2, 8, 5, 7]
{2, 8, 5, 7}
<2,8,5,7>
⟨2,8,5,7⟩
(2 8 5 7)
2 8 5 7
2  8   5\t7
2x8x5x7
2X8X5X7
2 x 8 x 5 x 7
2×8×5×7
2 × 8 × 5 × 7
2✕8✕5✕7
2*8*5*7
2·8·5·7
2⋅8⋅5⋅7
2-8-5-7
2/8/5/7
2_8_5_7
2:8:5:7
2; 8; 5; 7
2|8|5|7
2,8,5,7.
2,8,5,7。
2，8，5，7
（2，8，5，7）
（2、8、5、7）
(2， 8， 5， 7)
［2，8，5，7］
【2,8,5,7】
「2,8,5,7」
２，８，５，７
２ ８ ５ ７
（２，８，５，７）。
二，八，五，七
(二, 八, 五, 七)
two, eight, five, seven
torch.Size([2, 8, 5, 7])
torch.size([2,8,5,7])
torch.Size([2,8,5,7]).
Size([2, 8, 5, 7])
torch.Size(2,8,5,7)
torch.Size((2, 8, 5, 7))
torch.Size[2, 8, 5, 7]
tensor.shape = torch.Size([2, 8, 5, 7])
tensor of size (2,8,5,7)
np.shape (2, 8, 5, 7)
np.array(2,8,5,7)
np.array([2, 8, 5, 7])
array([2,8,5,7])
tuple (2, 8, 5, 7)
shape=(2, 8, 5, 7)
shape = 2,8,5,7
shape is (2, 8, 5, 7)
Shape: 2x8x5x7
the shape is 2 x 8 x 5 x 7
The shape is (2, 8, 5, 7).
it has shape (2, 8, 5, 7)
It will be (2, 8, 5, 7)
It would be (2,8,5,7)
it should be (2,8,5,7)
I guess (2,8,5,7)
maybe (2,8,5,7)
probably 2,8,5,7
(2,8,5,7)?
(2,8,5,7)!
answer: (2,8,5,7)
Answer = (2,8,5,7)
ans: 2 8 5 7
out.shape == (2,8,5,7)
x.shape → (2,8,5,7)
=> (2,8,5,7)
-> (2,8,5,7)
→ (2, 8, 5, 7)
= (2, 8, 5, 7)
形状：(2, 8, 5, 7)
形状为（2，8，5，7）
形状是 2×8×5×7
形状应该是(2,8,5,7)
结果是(2,8,5,7)
答案：（2,8,5,7）
答：(2,8,5,7)
应该是 (2,8,5,7)
我觉得是(2,8,5,7)
得到(2,8,5,7)
输出形状是 (2,8,5,7)
输出形状为[2,8,5,7]
变成 (2,8,5,7)
是(2,8,5,7)的张量
(2,8,5,7)的张量
2乘8乘5乘7
2 by 8 by 5 by 7
2 times 8 times 5 times 7
(B, h, L, d_k)
B, h, L, d_k
(B,H,L,D_K)
B x h x L x d_k
(b,h,l,dk)
[B, h, L, d_k]
(batch, heads, seq, d_k)
(batch, heads, length, head_dim)
(batch_size, num_heads, seq_len, head_dim)
(batch_size, n_heads, seq_len, d_k)
(B, n_heads, T, d_k)
(B, H, T, d_head)
(N, h, L, d_k)
(B=2, h=8, L=5, d_k=7)
(B:2, h:8, L:5, d_k:7)
batch 2, heads 8, length 5, dim 7
2 batches, 8 heads, 5 positions, 7 features
2 (batch), 8 (heads), 5 (length), 7 (d_k)
(2, 8, 5, 56//8)
(2, 8, 5, 56/8)
(2, h, 5, 7)
(B, h, L, d_model/h)
(B, h, L, d // h)
(B, h, L, d_model / num_heads)
(2, 8, 5, d_k)
(B, h, L, d_{k})
(B, h, L, d_v)
$(2, 8, 5, 7)$
$2\\times8\\times5\\times7$
$$(2,8,5,7)$$
\\((2,8,5,7)\\)
\\[ (2, 8, 5, 7) \\]
\\left(2, 8, 5, 7\\right)
$\\mathbb{R}^{2\\times 8\\times 5\\times 7}$
R^{2x8x5x7}
R^(2×8×5×7)
ℝ^{2×8×5×7}
$\\text{shape} = (2, 8, 5, 7)$
\\langle 2, 8, 5, 7 \\rangle
`(2, 8, 5, 7)`
"(2, 8, 5, 7)"
'(2, 8, 5, 7)'
“(2, 8, 5, 7)”
**(2, 8, 5, 7)**
((2, 8, 5, 7))
[[2, 8, 5, 7]]
(2, 8, 5, 7,)
2,8,5,7,
2, 8, 5 and 7
2, 8, 5 & 7
2，8，5 和 7
(02, 8, 5, 7)
(2, 8, 5, 7) shape
a 4-D tensor (2,8,5,7)
4D: (2,8,5,7)
四维 (2,8,5,7)
(2, 8, 5, 7) tensor
dim (2,8,5,7)
dims: 2,8,5,7
size 2x8x5x7
sizes 2, 8, 5, 7
(2, 8, 5, 7) because heads go first
B×h×L×d_k = 2×8×5×7
(B, h, L, d_k) = (2, 8, 5, 7)
(B,h,L,d_k)=(2,8,5,7)
B,h,L,d_k = 2,8,5,7
Q.shape=(2,8,5,7)
print(q.shape) gives torch.Size([2, 8, 5, 7])
\ufeff(2, 8, 5, 7)
(2,\u00a08,\u00a05,\u00a07)
(2,\u30008,\u30005,\u30007)
2\u200b,8,5,7
\u202a(2, 8, 5, 7)\u202c
""",
    ),
    (
        ONE_AXIS,
        """
(96,)
96
(96)
[96]
torch.Size([96])
(d,)
d_model
(96, )
（96，）
{96}
$(96,)$
""",
    ),
    (
        BILL,
        """
2359296
2,359,296
2 359 296
2.359.296
2_359_296
2'359'296
2’359’296
235,9296
235 9296
2，359，296
２３５９２９６
２，３５９，２９６
2359296.
2359296.0
2,359,296.00
2359296。
=2359296
= 2,359,296
≈2359296
~2359296
exactly 2,359,296
about 2,359,296
2,359,296 parameters
2,359,296 params
2359296 weights
2359296 parameters in total
a total of 2359296
in total 2,359,296
total: 2359296
there are 2,359,296
there are 2,359,296 parameters
it has 2,359,296 parameters
The answer is 2,359,296.
I get 2,359,296
it is 2359296
共2359296个
一共 2359296 个参数
总共2,359,296个参数
2359296个
2359296 个
参数量是2359296
参数量为 2,359,296
答案是2359296
等于 2359296
235.9296万
235.9296 万
235.9296万个
235万9296
235 万 9296
235万9千2百96
二百三十五万九千二百九十六
两百三十五万九千二百九十六
贰佰叁拾伍万玖仟贰佰玖拾陆
二三五九二九六
2.359296M
2.359296 M
2.359296 million
2.359296 Million
2.359296百万
2359.296K
2359.296 thousand
2359.296千
2.359296e6
2.359296E6
2.359296e+6
2.359296e06
2.359296×10^6
2.359296 x 10^6
2.359296*10^6
2.359296*10**6
2.359296·10⁶
2.359296×10⁶
2.359296 \\times 10^{6}
$2.359296\\times10^6$
4*768^2
4·768²
4×768²
4 × 768^2
4x768²
4 x 768^2
4*768*768
4×768×768
4 · 768 · 768
4(768)^2
4(768^2)
(4)(768)(768)
4*(768**2)
768^2*4
768²×4
768*768*4
4*768 squared
4 times 768 squared
4 times 768 times 768
4乘768的平方
4乘以768的平方
4 * pow(768, 2)
3*768^2 + 768^2
3*768*768+768*768
12*3*768*64+768*768
12 × 3 × 768 × 64 + 768 × 768
1769472+589824
1,769,472 + 589,824
1769472 + 589824 = 2359296
4*768^2 = 2359296
4×768²=2,359,296
4 * 768 * 768 = 2,359,296 parameters
2359296 = 4*768^2
2359296 (= 4*768^2)
2,359,296 (4 × 768²)
4d² = 2359296
4d^2 = 4*768^2 = 2359296
4 d_model^2 = 2,359,296
$4 \\cdot 768^2$
$4\\cdot768^{2} = 2359296$
\\(2359296\\)
2{,}359{,}296
2\\,359\\,296
$2,359,296$
`2359296`
"2359296"
**2,359,296**
(2359296)
[2359296]
{2359296}
params: 2359296
N = 2359296
n=2,359,296
count = 2359296
result: 2359296
+2359296
2359296?
int(2359296)
np.int64(2359296)
tensor(2359296)
2\u202f359\u202f296
2\u2009359\u2009296
2\u00a0359\u00a0296
2359296\u200b
9437184/4
2^18*9
9*2**18
1536^2
1536²
1536*1536
sqrt(5566277615616)
""",
    ),
    (
        EIGHT,
        """
8
eight
Eight
EIGHT
八
捌
8.
8.0
8.00
08
８
⑧
8 heads
8 dims
8 columns
8列
8个
8 个
八个
8维
8 dimensional
8-dimensional
d_k = 8
d_k=8
dk: 8
d_k 是 8
d_k为8
d_k等于8
d_k is 8
h = 8
h=8.
h: 8
h is 8
head_dim = 8
d_head=8
64/8
64 / 8
64÷8
64÷8=8
64/8 = 8
64 // 8
64//8=8
d/h = 8
d_model/h = 64/8 = 8
d_model / num_heads = 8
\\frac{64}{8}
$\\frac{64}{8} = 8$
\\dfrac{64}{8}
2^3
2**3
2³
2*4
2+6
10-2
√64
sqrt(64)
\\sqrt{64}
64^0.5
64**0.5
64^(1/2)
math.sqrt(64)
np.sqrt(64)
根号64
square root of 64
the square root of 64
8 (64/8)
8 = 64/8
16/2
each head gets 8
每个头 8 列
每头8维
it's 8
I think it's 8
8 I think
probably 8
maybe 8
大概是8
应该是8
8吧
就是8
8x
×8
8 times
8倍
8 times as many
8 per head
8 features
8 features each
8 each
8e0
8.0e0
0.8e1
24/3
(8)
[8]
`8`
"8"
8,
8;
""",
    ),
    (
        NONE,
        """
0
zero
Zero
零
〇
0.0
none
None
no parameters
0 parameters
nothing
没有
没有参数
无
零个
0个
它没有参数
there are none
it has none
-0
0%
no trainable parameters
zero parameters
不需要参数
没有可训练参数
""",
    ),
    (
        TEN,
        """
10
ten
十
10.0
拾
1e1
10个
十个
5*4/2
5·4/2
5*(5-1)/2
5(5-1)/2
5×4÷2
\\frac{5\\cdot4}{2}
\\frac{5(5-1)}{2}
4+3+2+1
1+2+3+4
1+2+3+4=10
25-15
10 cells
10 cells are blocked
10格
(25-5)/2
""",
    ),
    (
        QUARTER,
        """
0.25
.25
0.250
0.2483
0.248
0.24
0.25.
1/4
¼
25%
25 %
25％
24.83%
25 percent
25 per cent
百分之25
百分之二十五
四分之一
0.25左右
约 0.25
大约0.25
~0.25
≈0.25
about 0.25
around .25
approx 0.25
approximately 0.25
roughly 0.25
0．25
０．２５
2.5e-1
2.5*10^-1
2.5×10^{-1}
2.5×10⁻¹
25e-2
\\frac{1}{4}
\\frac14
\\tfrac{1}{4}
$0.25$
1/4=0.25
1/4 = 0.25
1/4 ≈ 0.25
0.2483 ≈ 0.25
w=0.25
w = 0.25
weight: 0.25
weight = 0.25
the weight is 0.25
a weight of 0.25
权重是0.25
权重 0.25
权重约为0.25
零点二五
1÷4
one quarter
a quarter
one fourth
(0.25)
+0.25
0.25000
tensor(0.2483)
tensor(0.25)
np.float64(0.25)
1/(1+1+2)
2.03/8.17
""",
    ),
    (
        ROOT_OF_64,
        """
8
8.0
8.00
√64
sqrt(64)
64^0.5
64**0.5
64^(1/2)
8.001
8.004
7.999
\\sqrt{64}
math.sqrt(64)
torch.sqrt(64)
sqrt 64
sqrt64
√(64)
8 (√64)
√64 = 8
√d_k = 8
\\sqrt{d_k} = \\sqrt{64} = 8
sqrt(d_k) = sqrt(64) = 8
d_k^0.5 = 8
divided by 8
divide by 8
/8
÷8
除以8
除以 √64
by 8
""",
    ),
    (
        THIRD,
        """
1/3
0.333
0.33
.333
33.3%
33%
33.33 %
0.3333
1/3 ≈ 0.33
三分之一
⅓
one third
a third
\\frac{1}{3}
\\frac13
1÷3
0.333...
0.333…
0.(3)
1 / 3
2/6
""",
    ),
    (
        SQUARES,
        """
4d²
4d^2
4d**2
4*d^2
4*d**2
4*d*d
4·d²
4⋅d²
4×d²
4 x d²
4 d²
4 d^2
4 d * d
4dd
d²·4
d^2*4
d*d*4
(2d)²
(2d)^2
(2*d)**2
2d*2d
2d × 2d
4D²
4D^2
4 D^2
4d_model²
4d_model^2
4*d_model**2
4 * d_model ** 2
4 d_model^2
4·d_model²
4×d_model×d_model
4 × d_model × d_model
4*d_model*d_model
4dmodel²
4 dmodel^2
4d_m^2
4 * embed_dim ** 2
4*embed_dim^2
4E²
4E^2
4 E^2
4*E*E
4 × d_{model}²
4d_{model}^2
4 d_{\\text{model}}^2
4d_{\\mathrm{model}}^2
4 d_{\\rm model}^2
4d_\\text{model}^2
$4d^2$
$4 d_{model}^{2}$
$$4d_{model}^2$$
\\(4d^2\\)
4\\cdot d^2
4 \\times d^2
4\\,d^2
4 \\cdot d_{model} \\cdot d_{model}
4(d)^2
4(d^2)
4(d_model)^2
4{d}^2
4[d]^2
4 d squared
4 times d squared
four d squared
4 d_model squared
four times d_model squared
4d的平方
4倍d的平方
4乘d的平方
4乘以d²
4乘以d_model的平方
四倍的d平方
４ｄ²
４ｄ＾２
4d²。
4d².
=4d²
= 4d^2
params = 4d²
params=4*d_model**2
#params = 4d^2
P = 4d²
N=4d^2
参数量 = 4d²
参数量为4d²
参数：4d²
总参数量是4d²
一共4d²
共 4d² 个参数
4d² 个
4d² parameters
4d^2 params
4d² in total
the answer is 4d²
it's 4d²
I think 4d^2
3d²+d²
3d^2 + d^2
3d² + 1d²
d²+d²+d²+d²
d² + 3d²
3*d*d + d*d
3·d·h·d_k + d²
3hd·d_k + d²
h*3*d*d_k + d*d
h·3·d·d_k + h·d_k·d
h(3 d d_k) + d^2
3*h*d*(d/h) + d**2
3h·d·(d/h)+d²
4h²d_k²
4(h·d_k)²
4(h d_k)^2
4*(h*d_k)**2
4 h d d_k
4·d·h·d_k
16d²/4
8d²/2
\\frac{8d^2}{2}
\\frac{16 d^2}{4}
4d²+0
d²×4
3d²+d² = 4d²
3d^2+d^2=4d^2
4d² = 4d_model²
4*pow(d, 2)
4*math.pow(d,2)
4*np.square(d)
(4d)·d
4d·d
4d*d
4d d
4 d^2
4\u00a0d²
4d²
4d^{2}
4d^(2)
4d^ 2
4 d ^ 2
4 d ** 2
"4d²"
`4d²`
`4*d**2`
**4d²**
((4d²))
--4d²
d^2 + d^2 + d^2 + d^2
4d_model² (without biases)
4d² (不含偏置)
4d²，与 h 无关
""",
    ),
    (
        WITH_BIASES,
        """
4d²+4d
4d^2+4d
4d**2 + 4*d
4*d*(d+1)
4d(d+1)
4d (d + 1)
4 d (d+1)
4(d²+d)
4(d^2+d)
4*(d**2 + d)
4·d²+4·d
4d² + 4d
4d_model²+4d_model
4d_model^2 + 4 d_model
4*d_model**2 + 4*d_model
3d²+3d+d²+d
3(d²+d)+(d²+d)
3d(d+1)+d(d+1)
4(d+1)d
(d+1)·4d
(d+1)*4*d
4d²＋4d
4d²加4d
4d的平方加4d
4 d squared plus 4 d
4d² plus 4d
$4d^2+4d$
4d_{model}^2+4d_{model}
4d_{\\text{model}}(d_{\\text{model}}+1)
4d+4d²
(2d+1)²-1
(2d+1)^2 - 1
4d² + 4d parameters
4 d^2 + 4 d = 4d(d+1)
""",
    ),
    (
        NAIVE,
        """
3hd²
3*h*d^2
3h d²
3·h·d²
3×h×d²
3 h d_model^2
3*h*d_model**2
h*3*d*d
h·3d²
h × 3 × d²
3d²h
3d^2 h
3d²·h
3hd_model²
3h·d_model²
3 * num_heads * d_model ** 2
3*n_heads*d_model^2
num_heads*3*d_model*d_model
h(3d²)
h(d²+d²+d²)
hd²+hd²+hd²
3hdd
$3hd^2$
$3 h d_{model}^2$
3 h d_{\\text{model}}^2
h倍的3d²
3 times h times d squared
h times 3d²
3h²·d·d_k
3·h³·d_k²
h * 3 * (d ** 2)
""",
    ),
    (
        ROOT,
        """
sqrt(d_k)
√d_k
√(d_k)
√dk
√ d_k
sqrt d_k
sqrt(dk)
SQRT(d_k)
Sqrt(d_k)
sqrt{d_k}
sqrt[d_k]
d_k^0.5
d_k^.5
d_k**0.5
d_k**.5
d_k ** 0.5
d_k^(1/2)
d_k**(1/2)
d_k^{1/2}
d_k^{\\frac{1}{2}}
d_k^½
dk^0.5
(d_k)^0.5
(d_k)^(1/2)
math.sqrt(d_k)
np.sqrt(d_k)
numpy.sqrt(d_k)
torch.sqrt(d_k)
root of d_k
root(d_k)
square root of d_k
the square root of d_k
sqrt of d_k
根号d_k
根号 d_k
根号下d_k
d_k开根号
d_k 开方
d_k的平方根
d_k 的平方根
d_k的开方
√(d/h)
√(d_model/h)
sqrt(d/h)
sqrt(d_model/h)
sqrt(d_model / num_heads)
(d/h)^0.5
(d_model/h)**0.5
\\sqrt{d_k}
\\sqrt{d_{k}}
$\\sqrt{d_k}$
\\sqrt d_k
\\sqrt{\\frac{d_{model}}{h}}
\\sqrt{d_{model}/h}
√d_head
sqrt(head_dim)
math.sqrt(head_dim)
head_dim ** 0.5
√head_dim
√(head_dim)
√d_{k}
√(d_model)/√h
sqrt(d)/sqrt(h)
sqrt(d_k).
by sqrt(d_k)
divide by sqrt(d_k)
divided by √d_k
除以√d_k
除以根号d_k
/√d_k
scale = sqrt(d_k)
√d_v
pow(d_k, 0.5)
pow(d_k, 1/2)
math.pow(d_k, 0.5)
d_k^(0.5)
the root of d_k
""",
    ),
    (
        WIDTH,
        """
d/h
d_model/h
d_model / h
d_model // h
d//h
d÷h
d ÷ h
d_model÷h
d_model除以h
d除以h
d over h
d divided by h
d_model divided by h
\\frac{d}{h}
\\frac{d_{model}}{h}
$d_{model}/h$
d_k = d/h
d_k=d_model/h
d_k = d_model // h
head_dim = d_model / num_heads
d_model / num_heads
embed_dim // num_heads
embed_dim/num_heads
d·h^-1
d*h^(-1)
d * 1/h
d × (1/h)
1/h * d
(d/h)
dim/heads
dim // heads
E/h
E//h
d_{\\text{model}}/h
d / h.
h分之d
""",
    ),
    (
        WEIGHTS,
        """
0.25,0.25,0.5
0.25, 0.25, 0.50
[0.25, 0.25, 0.50]
(0.25, 0.25, 0.50)
{0.25, 0.25, 0.5}
0.25 0.25 0.5
0.25  0.25\t0.5
.25 .25 .5
.25, .25, .50
0.2483, 0.2483, 0.5035
0.248 0.248 0.503
0.25;0.25;0.5
0.25; 0.25; 0.5
0.25 | 0.25 | 0.5
0.25/0.25/0.5
0.25、0.25、0.5
0.25，0.25，0.5
（0.25，0.25，0.5）
［0.25，0.25，0.5］
０．２５，０．２５，０．５
[0.25 0.25 0.5]
[[0.25, 0.25, 0.5]]
[.25,.25,.5]
1/4, 1/4, 1/2
1/4 1/4 1/2
¼, ¼, ½
¼ ¼ ½
25%, 25%, 50%
25% 25% 50%
25％，25％，50％
25, 25, 50 %
array([0.25, 0.25, 0.5])
np.array([0.25, 0.25, 0.5])
numpy.array([0.25,0.25,0.5])
np.array((0.25, 0.25, 0.5))
tensor([0.25, 0.25, 0.50])
torch.tensor([0.25, 0.25, 0.5])
tensor([[0.2483, 0.2483, 0.5035]])
array([0.25, 0.25, 0.5], dtype=float32)
tensor([0.2483, 0.2483, 0.5035], grad_fn=<SoftmaxBackward0>)
weights: 0.25, 0.25, 0.5
w = [0.25, 0.25, 0.5]
w=(0.25,0.25,0.5)
weights = 0.25, 0.25, 0.5
权重：0.25, 0.25, 0.5
权重是 0.25、0.25、0.5
约 0.25, 0.25, 0.5
≈ [0.25, 0.25, 0.5]
about 0.25, 0.25, 0.5
~0.25, ~0.25, ~0.5
≈0.25, ≈0.25, ≈0.5
0.25, 0.25 and 0.5
0.25, 0.25 & 0.5
0.25和0.25和0.5
0.25 and 0.25 and 0.5
$[0.25, 0.25, 0.5]$
\\frac{1}{4}, \\frac{1}{4}, \\frac{1}{2}
(\\frac14,\\frac14,\\frac12)
\\begin{pmatrix}0.25 & 0.25 & 0.5\\end{pmatrix}
2.5e-1, 2.5e-1, 5e-1
`[0.25, 0.25, 0.5]`
[0.25,0.25,0.5].
[0.25,0.25,0.5]。
[0.25,0.25,0.5,]
[0.25, 0.25, 0.5]ᵀ
[0.25, 0.25, 0.5]^T
[0.25,0.25,0.5].T
猫 0.25, 吃 0.25, 鱼 0.5
四分之一，四分之一，二分之一
0.25 , 0.25 , 0.5
<0.25, 0.25, 0.5>
+0.25, +0.25, +0.5
0.25 : 0.25 : 0.5
each 0.25, 0.25, 0.5
The weights are 0.25, 0.25 and 0.5.
""",
    ),
    (
        OUTPUT,
        """
1.26, 0.25
[1.26, 0.25]
1.26 0.25
1.25, 0.25
(1.26,0.25)
1.26/0.25
1.2552, 0.2483
[1.26 .25]
1.26；0.25
""",
    ),
    (
        FIRST,
        """
1, 0, 0
[1, 0, 0]
(1,0,0)
1 0 0
1.0, 0.0, 0.0
1.00 0.00 0.00
[1. 0. 0.]
[1., 0., 0.]
tensor([1., 0., 0.])
array([1., 0., 0.])
100%, 0%, 0%
1;0;0
1、0、0
１，０，０
一，零，零
one, zero, zero
""",
    ),
    (
        KEYWORD,
        """
average_attn_weights
average_attn_weights=False
average_attn_weights = False
average_attn_weights=
Average_Attn_Weights
`average_attn_weights`
"average_attn_weights"
'average_attn_weights'
average_attn_weights.
average_attn_weights。
ａｖｅｒａｇｅ_ａｔｔｎ_ｗｅｉｇｈｔｓ
average\\_attn\\_weights
average attn weights
average-attn-weights
the keyword average_attn_weights
average_attn_weights: False
average_attn_weights＝False
*average_attn_weights*
**average_attn_weights**
average_attn_weights
参数 average_attn_weights
averageattnweights
""",
    ),
    (
        COLUMNS,
        """
64
d_k = 512/8 = 64
dk＝64
d_k＝512÷8＝64
512/8=64
512 ÷ 8 = 64
512÷8
$d_k = \\frac{512}{8} = 64$
$$d_k=\\frac{d_{model}}{h}=\\frac{512}{8}=64$$
d_model/h=512/8=64
d_model // num_heads = 64
64 columns per head
64 columns each
64 per head
每头64
每个头64维
六十四
六十四维
陆拾肆
sixty-four
sixty four
Sixty-Four
64（维）
64 (columns)
64.
64 .
64。
64
64~
8²
8^2
8*8
8×8=64
8 x 8
2^6
2⁶
4^3
4³
2**6
128/2
128÷2
½*128
64/1
0.064k
0.64e2
6.4e1
6.4×10
6.4*10^1
6.4x10^1
6.4 × 10¹
It is 64 because 512/8 = 64
64 since 512 / 8 = 64
64, because 512/8=64
因为512/8，所以是64
512除以8等于64
512除以8
512 divided by 8
512 divided by 8 is 64
512 over 8
512 / 8 equals 64
that gives 64
so 64
So it's 64.
Each head has 64 columns.
each has 64
They get 64 each
head width 64
head size = 64
head_size: 64
width = 64
width: 64
宽度64
宽度是64
宽度为 64
每个头的宽度是64
每头的维度是 64
维度: 64
维度=64
size 64
d_head=64
d=64
k = 64
result = 64
x=64
y: 64
ans=64
Ans: 64
A: 64
answer 64
my answer is 64
The correct answer is 64
正确答案是64
正确答案：64
等于64
=64
==64
: 64
- 64 -
64;
64,
"64"
'64'
“64”
「64」
【64】
#64
64 dim
64-dim
64-d
64 维度
64列
64 列
64个特征
64 feature columns
64 numbers
64 entries per row
roughly 64
exactly 64
precisely 64
just 64
only 64
hmm 64
ok 64
um, 64
I think it is 64
I believe 64
I'd guess 64
my guess: 64
64 i guess
64?
64??
64 ?
is it 64?
会是64吗
64吗
64吧？
大概64
约64
64左右
""",
    ),
    (
        LAYER,
        """
37248
37,248
37 248
3.7248万
3万7248
三万七千二百四十八
37.248k
37.248K
4*96^2+4*96
4·96²+4·96
4×96×96+4×96
4*96*97
4*96*(96+1)
4(96²+96)
4*(96**2+96)
36864+384
36,864 + 384 = 37,248
36864 + 384
4d²+4d = 37248
4d^2+4d=36864+384=37248
4*96^2 + 4*96 = 37248 parameters
$4\\cdot 96^2+4\\cdot 96=37248$
3*(96*96+96)+96*96+96
(96*96+96)*4
(96² + 96)×4
96*96*4+96*4
37248个参数
37248 个
37.248 thousand
3.7248e4
3.7248×10^4
3.7248x10⁴
37248 trainable parameters
37248 learnable parameters
37,248 weights and biases
37248 in all
in all 37248
makes 37248
sum: 37248
总计37248
总计：37,248
合计 37248
共计37248个参数
一共有37248个参数
总数是37248
总数：37248
参数总数为37248
参数个数是37248
参数数量：37248
参数=37248
params ≈ 37248
num_params=37248
n_params: 37248
parameters: 37,248
number of parameters: 37248
number of parameters = 37,248
The number of parameters is 37,248.
the total number of parameters is 37248
the layer has 37248 parameters
the module has 37,248 parameters
模块有37248个参数
这一层有37248个参数
该层共有 37248 个参数
""",
    ),
    (
        LARGE,
        """
21233664
21,233,664
2123.3664万
2123万3664
二千一百二十三万三千六百六十四
两千一百二十三万三千六百六十四
21.233664M
21.233664 million
21.233664百万
2.1233664e7
2.1233664×10^7
2.1233664 * 10**7
12*3*768^2
12×3×768²
36*768^2
36×589824
36 * 589,824
3*12*768*768
2.1233664千万
0.21233664亿
2123 3664
2123,3664
12 · 3 · 768²
12*3*(768**2)
h·3·d² = 12·3·768² = 21233664
3hd^2 = 21,233,664
2123.3664w
2123.3664W
2123.3664万个
""",
    ),
    (
        BATCH,
        """
(4,6,10,16)
4,6,10,16
4x6x10x16
4×6×10×16
4*6*10*16
4 6 10 16
torch.Size([4, 6, 10, 16])
(4, 6, 10, 96/6)
(4, 6, 10, 96//6)
(B, h, L, d_k)
(B, h, L, d/h)
(4, h, L, d_k)
[4,6,10,16]
[B, h, L, d_k]
B×h×L×d_k
(4，6，10，16)
（4，6，10，16）
四,六,十,十六
(4, 6, 10, 2^4)
(4, 6, 10, 4²)
(batch, heads, seq_len, d_k)
(batch, n_heads, seq, head_dim)
(bsz, num_heads, seq_len, head_dim)
(B, H, L, D_k)
(B, H, L, Dk)
(B, nh, T, hs)
it becomes (4, 6, 10, 16)
The tensor has shape (4, 6, 10, 16)
the new shape is (4,6,10,16)
new shape: (4,6,10,16)
output: (4,6,10,16)
outputs (4,6,10,16)
the result has shape (4,6,10,16)
结果形状：(4,6,10,16)
新的形状是(4,6,10,16)
形状变成(4,6,10,16)
形状就是 (4,6,10,16)
最后是 (4,6,10,16)
最终形状为(4,6,10,16)
张量形状为(4,6,10,16)
它的形状是(4,6,10,16)
(4, 6, 10, 16) (heads first)
(4, 6, 10, 16) - heads first
(4,6,10,16), heads before positions
4 sentences, 6 heads, 10 words, 16 columns
4, 6, 10, and 16
size = [4, 6, 10, 16]
.shape = (4,6,10,16)
x.size() = (4,6,10,16)
x.size(): torch.Size([4, 6, 10, 16])
Tensor(4,6,10,16)
FloatTensor of size 4x6x10x16
<4,6,10,16>
(4;6;10;16)
4 / 6 / 10 / 16
4-6-10-16
(4 x 6 x 10 x 16)
[4 x 6 x 10 x 16]
[4][6][10][16]
(4)(6)(10)(16)
4 axes: (4, 6, 10, 16)
shape（4,6,10,16）
Shape：（4，6，10，16）
(4,6,10,16)形状
(4,6,10,16) 的形状
I'd say (4,6,10,16)
(4,6,10,16), I think
should be [4,6,10,16]
would be 4x6x10x16
must be (4,6,10,16)
""",
    ),
    (
        IN_PROJ,
        """
(288,96)
(3d, d)
(3*96, 96)
(3·96, 96)
(3×96, 96)
288x96
288 × 96
(3*d, d)
(3 d_model, d_model)
(3·d_model, d_model)
3d x d
3d × d
(3*embed_dim, embed_dim)
(3E, E)
[3d, d]
3*96 x 96
(288, d)
(d+d+d, d)
(96*3, 96)
torch.Size([288, 96])
288 rows, 96 columns
288 rows and 96 columns
288 by 96
288行96列
288行 × 96列
288 行，96 列
(out, in) = (288, 96)
(3*96,96) = (288,96)
""",
    ),
    (
        ROOT_OF_8,
        """
2.83
2.828
2.8284
√8
sqrt(8)
2√2
2*sqrt(2)
2·√2
2 √2
2\\sqrt{2}
$2\\sqrt{2}$
2√2 ≈ 2.83
≈2.83
about 2.83
√8 = 2.83
√8≈2.828
8^0.5
8**0.5
8^(1/2)
sqrt(24/3)
√(24/3)
(24/3)^0.5
根号8
8的平方根
root 8
root of 8
square root of 8
2.83 (√8)
√8 (2.83)
d_k = 8, so √8 = 2.83
√d_k = √8 = 2.83
sqrt(d_k)=2.83
math.sqrt(8)
np.sqrt(8)
8**.5
math.sqrt(8) = 2.828
2.828427
2.8284271247461903
by 2.83
divided by 2.83
除以2.83
除以√8
2.83左右
约2.83
根号8≈2.83
2倍根号2
2根号2
""",
    ),
    (
        ROOT_OF_16,
        """
4
4.0
4.00
√16
sqrt(16)
sqrt(16)=4
√(96/6)=4
√(96/6)
16^0.5
16**.5
16^.5
the root of 16
4 (the square root of 16)
square root of 16
square root of d_k = 4
根号16 = 4
根号16
√16=4
d_k=16 → 4
d_k = 16, √16 = 4
four
四
2²
8/2
4 because d_k = 16
4 = √16
sqrt(16.0)
√d_k=4
by 4
divide by 4
除以4
it's divided by 4
they are divided by 4
The scores are divided by 4.
""",
    ),
    (
        SEVENTHS,
        """
3/7
0.43
0.429
.43
0.4286
42.9%
43%
42.86 %
3/7 ≈ 0.43
3/(3+4)
3 / (3 + 4)
\\frac{3}{7}
\\frac{3}{3+4}
3÷7
七分之三
3/7=0.43
0.428571
3:7
3 out of 7
3 over 7
three sevenths
3/7 (0.43)
0.43 = 3/7
约0.43
w = 3/7
6/14
1-4/7
1 - 4/7
""",
    ),
    (
        SIXTH,
        """
1/6
0.17
0.167
.167
16.7%
16.67%
17%
0.1667
0.16667
六分之一
1÷6
one sixth
a sixth
\\frac16
\\frac{1}{6}
1/6≈0.17
1/6 (≈0.17)
1 / 6
每个1/6
1/6 each
""",
    ),
    (
        MINUS,
        """
-2
−2
–2
-2.0
minus 2
minus two
负2
负二
- 2
(-2)
−2.00
-4/2
0-2
2-4
－２
= -2
x=-2
""",
    ),
    (
        SCORE,
        """
13.5
13.50
27/2
27/2=13.5
13 1/2
13½
13.5.
１３．５
27 ÷ 2
(3*2+0*5+5*1+1*3+13)/2
(27)/2
27/√4
27/sqrt(4)
\\frac{27}{2}
十三点五
54/4
13.5 = 27/2
27/2 = 13.5
""",
    ),
    (
        TIMES,
        """
9
nine
9 times
9x
9×
9倍
九倍
九
nine times
9 times as many
9 times more
9-fold
ninefold
9:1
9/1
36/4
21233664/2359296
27/3
3*h/4 = 9
3h/4=3*12/4=9
×9
x9
9 fold
9.0
about 9
大约9倍
3²
nine-fold
a factor of 9
factor 9
by a factor of 9
9 times larger
""",
    ),
    (
        MASKED,
        """
0.2,0.8,0
0.20, 0.80, 0.00
[0.1956, 0.8044, 0]
0.2 0.8 0
.2 .8 0
(0.20,0.80,0)
20%,80%,0%
[0.2, 0.8, 0.]
0.2;0.8;0
1/5, 4/5, 0
0.196, 0.804, 0.0
[0.1956 0.8044 0.    ]
tensor([0.1956, 0.8044, 0.0000])
0.2、0.8、0
[[0.2, 0.8, 0]]
0.2, 0.8 and 0
0.2,0.8,zero
""",
    ),
    (
        EQUAL,
        """
1/3, 1/3, 1/3
0.33 0.33 0.33
0.33,0.33,0.33
[1/3,1/3,1/3]
1/3 each
0.33 each
each 1/3
1/3 for all
都是1/3
各1/3
三个都是1/3
all 1/3
1/3 1/3 1/3
33% 33% 33%
⅓ ⅓ ⅓
0.333 0.333 0.333
均为 1/3
""",
    ),
    (
        JOINED,
        """
(5, 96)
5,96
5x96
(L, d_model)
(L, d)
L×d
(5, 4*24)
(L, h*d_k)
(L, h·d_v)
(L, h d_v)
(L, hd_k)
5 × 96
(5,96)形状
5行96列
5 rows 96 columns
5 rows and 96 columns
5 by 96
torch.Size([5, 96])
(seq_len, d_model)
(5, d_model)
[5 96]
(5 , 96)
5*96
(L, E)
a 5x96 matrix
5x96 matrix
5×96 的矩阵
5×96矩阵
a matrix of 5 rows and 96 columns
""",
    ),
    (
        RAISING,
        """
raises
error
RuntimeError
报错
it raises
an error
it raises an error
raises RuntimeError
会报错
抛出异常
exception
Error
raises an exception
it fails
it throws
throws
throws an error
it crashes
crash
it doesn't work
no shape, it raises
a RuntimeError
RuntimeError: shape is invalid
运行时错误
出错
RuntimeError!
会出错
抛出RuntimeError
""",
    ),
    (
        BLANKS,
        """
Concat; W^O
concat, W_O
Concat ; WO
CONCAT;w^o
Concat W^O
Concat，W^O
Concat、W^O
Concat; W^{O}
\\text{Concat}; W^O
cat; W_O
Concat | W^O
(Concat, W^O)
Concat, Wᴼ
1) Concat; 2) W^O
Concat and W^O
Concat & W^O
拼接;W^O
concat / W^O
""",
    ),
    (
        EXCEPTION,
        """
AssertionError
assertionerror
Assertion Error
AssertionError.
`AssertionError`
an AssertionError
AssertionError!
assertion error
assertion
raises AssertionError
it raises an AssertionError
抛出AssertionError
AssertionError异常
""",
    ),
    (
        AXES,
        """
1, 2
1,2
(1, 2)
1 2
1，2
2,1
transpose(1,2)
1 and 2
1和2
1、2
1;2
dim 1 and 2
axes 1 and 2
""",
    ),
    (
        BATCH,
        """
(4, 6, 10, 16), the heads stand in front
(4, 6, 10, 16), no axis is lost
(4, 6, 10, 16)，没有别的轴
(4, 6, 10, 16) same as q
(4, 6, 10, 16) float32
(B, h, L, d_k=16)
back to (4, 6, 10, 16)
从 (4, 10, 6, 16) 变成 (4, 6, 10, 16)
(4,10,96) → (4,10,6,16) → (4,6,10,16)
""",
    ),
    (
        IN_PROJ,
        """
96 columns and 288 rows
96列288行
288-by-96
W^O ∈ R^{288×96}
W_O 的形状是 (288, 96)
np.array of shape (288, 96)
""",
    ),
    (
        ROOT_OF_64,
        """
8（√64）
8(√64)
8 = √d_k
8 (d_model / h)
分数除以 8
print(8)
$\\frac{64}{\\sqrt{64}}$
""",
    ),
    (
        NONE,
        """
No parameters at all
nil
一个也没有
不含参数
0，拼接没有参数
0, joining has no parameters
joining has no parameters
""",
    ),
    (
        SQUARES,
        """
4d^2, where d = d_model
4d²，其中 d 是 d_model
4d² (d = d_model)
4d², d = d_model
""",
    ),
    (
        ROOT,
        """
√d_model/√h
√d_k，即 √(d_model/h)
√d_k, where d_k = d_model/h
""",
    ),
    (
        WEIGHTS,
        """
w1 = 0.25, w2 = 0.25, w3 = 0.5
w_1=0.25, w_2=0.25, w_3=0.50
25% / 25% / 50%
[1, 1, 2]/4
1/4 × [1, 1, 2]
""",
    ),
    (
        KEYWORD,
        """
the keyword is average_attn_weights
关键字是 average_attn_weights
average_attn_weights（关键字）
""",
    ),
)

NEVER = (
    (
        HEADS,
        """
2,8,7,5
(2,5,8,7)
(2,8,5)
(2,8,5,7,1)
(2,8,5,56)
(B,h,L,d)
(B,L,h,d_k)
(8,2,5,7)
(1,8,5,7)
20,8,5,7
2,8,5,70
(B,h,d_k,L)
(2, 8, 35)
ValueError
it raises a RuntimeError
报错
(3,8,5,7)
2x8x57
(2,8,5,7)+1
2,8,5,-7
(2,8,5,7) or (2,5,8,7)
not (2,8,5,7)
(2,8,5,7),(2,5,8,7)
(2,8,5,7)(2,5,8,7)
2,8,5,7,7
2,8
2857
(28,5,7)
(2,85,7)
2.8.5.7
(2,8,5,7]
(2,8,5,?)
(2,8,5,x)
(2,8,5,n)
(2,8,5,...)
(2,8,5,-1)
(-1,8,5,7)
(2,8,5,7.5)
(2,8,5,√49)x
2^3,8,5,7
(2+1,8,5,7)
(2,8,5,k,7)
(B,h,L)
(B,h,L,d_k,1)
(B,h,L,dim)
(B,h,L,L)
(L,h,B,d_k)
(2,8,5,7)/2
2*(2,8,5,7)
[2,8,[5,7],1]
2,8,5,7 or RuntimeError
RuntimeError
raises (2,8,5,7)
at least (2,8,5,7)
""",
    ),
    (
        BILL,
        """
2359295
2359297
2,359,29
235929
23592960
23,592,960
21233664
1769472
3*768^2
4*768
768^2
4*768^3
2.359e6
2.36M
2359k
235.9万
236万
240万
-2359296
2359296%
2359296万
2359296k
2.359296
1/2359296
4*769^2
二百三十五万九千二百九十五
2359296 or 2359297
not 2359296
235929.6
2,359.296
2.359,296
23,59,296
2,3,5,9,2,9,6
2359 296 1
2359296 - 1
2359296+1
235 9296 0
2 359 296 000
2359296 million
2359296e1
2359296/2
2*2359296
> 2359296
< 2359296
2359296..2359300
2359290+
between 2359295 and 2359297
2.359296e5
2.359296e7
2.359296 billion
二百三十五万
235.9295万
235.9297万
2.3592960000001e6
4*768^2+1
4*768^2-1
4·768·767
5*768^2
4*768²·1.0000001
0x2359296
2359296²
√2359296
2359296!
2359296h
""",
    ),
    (
        EIGHT,
        """
7
9
64
80
0.8
8%
8k
8万
18
88
-8
1/8
8/64
8.1
8.5
2^8
√8
eighty
eighteen
十八
八十
八百
none
3
8*8
8!
not 8
isn't 8
8 or 64
64 or 8
8 / 64
8 64
8, 64
7, 8
between 8 and 9
8-9
8..10
8–10
7~8
>8
<8
≥8
<= 8
8±1
8+
8-
+-8
8^
8e
8e1
8,5
8;64
8 and 64
8 & 64
8和64
8或64
不是8
8不对
no 8
8?64
8x8
0,8
8 million
8 dozen
8 hundred
eighty-eight
eight or nine
4×
64:8:2
1:8
8/1/2
8°
∞
8i
8j
0b1000
8h
8d
8dk
d_k
h*8
8*h
8 mod 3
8//3
8%3
log(8)
8**
^8
()8
8()
(8
8)
[8
8,8
8 8 8
8 8
'8
8"
""",
    ),
    (
        NONE,
        """
1
0.1
64
one
-1
all
h
""",
    ),
    (
        TEN,
        """
15
25
5*5/2
100
1
1.0
12
5!
十五
百
""",
    ),
    (
        QUARTER,
        """
0.26
0.2
0.23
1/3
25
2.5
0.025
-0.25
1/5
0.3
4
0.75
25‰
1/4%
.2
0.25 or 0.3
0.25, 0.5
0.24-0.26
not 0.25
1/4 or 1/3
1/40
25%%
2.5%
0.25%
-1/4
1-0.25
0.25*2
0.25^2
0.25²
√0.25
4/1
0..25
0.2.5
0 25
0/25
""",
    ),
    (
        THIRD,
        """
0.3
0.34
1/4
3
33
0.033
2/3
3.3%
""",
    ),
    (
        SQUARES,
        """
3d²
4d
4d³
d^4
16d²
(4d)²
2d²
4hd²
4d²h
4d²/h
4d_k²
4d²+4d
4d²+d
5d²
4d^2-1
12d²
3hd²
4d²+1
4+d²
d²
4(d+1)²
4d²·2
4h²
-4d²
4√d
4dh
4d² or 3d²
not 4d²
4d²/2
4d²·h
<4d²
>4d²
≤4d²
4d²%
4d^2^2
4d^22
4^d2
4d2
d4²
(4d)^2
4(d+d)²
4d²d
4d²+
+4d²+
4d²=3d²
3d²=4d²
4
4d·d·d
4d²e
4d^2h^0.5
4d_v²
4d_k²h
4h²d_k
4hd_k
4dh²
4·10²
4√d⁴·d
O(d²)
O(4d²)
4x
4xd
Θ(d²)
~d²
""",
    ),
    (
        WITH_BIASES,
        """
4d²
4d²+d
4d²+3d
4d²-4d
4d
4d²+4
4(d+1)²
4d²+4h
5d²
4d²·4d
""",
    ),
    (
        NAIVE,
        """
3d²
3hd
4hd²
hd²
3h²d²
3h+d²
3d²/h
3hd_k²
4d²
3*h*d*d_k
""",
    ),
    (
        ROOT,
        """
d_k
√d
1/√d_k
d_k²
√h
√(d_k/h)
√(dh)
2√d_k
√d_k+1
d_k^2
d_k/2
√L
d_model^0.5
√d_k·√h
d_k^-0.5
sqrt(d)
sqrt d_k h
√d_k h
√d_k²
√d_k/2
√(2d_k)
d_k^0.25
d_k^(1/4)
∛d_k
sqrt(sqrt(d_k))
log d_k
d_k^1/2
sqrt(d_k)^-1
d_k/√d_k²
sqrt(h)
sqrt(d_v*h)
not sqrt(d_k)
""",
    ),
    (
        WIDTH,
        """
h/d
d·h
d
h
d/h²
√(d/h)
d-h
d/L
d/(2h)
d_model/h+1
""",
    ),
    (
        WEIGHTS,
        """
0.2,0.2,0.6
0.25,0.5,0.25
0.5,0.25,0.25
0.33 0.33 0.33
1,0,0
0.25,0.25
0.25,0.25,0.5,0
0.24 0.24 0.52
25,25,50
-0.25,0.25,0.5
0.21,0.21,0.58
0.25,0.25,0.5 or 1,0,0
not 0.25,0.25,0.5
0.25 0.5 0.25
0,25 0,25 0,5
0.25,0.25,-0.5
0.25,0.25,50
2.5,2.5,5
0.25;0.25
[0.25,[0.25,0.5],1]
0.25,0.25,a
0.25,0.25,0.5%
1/4,1/4,1/4
0.25,0.25,1/3
0.23,0.25,0.5
0.25,0.25,0.52
""",
    ),
    (
        FIRST,
        """
0,0,1
0,1,0
1,0
1,1,1
1,0,0,0
0.5,0.5,0
0.25 0.25 0.5
100,0,0
""",
    ),
    (
        KEYWORD,
        """
need_weights
batch_first
is_causal
average_weights
weights
False
attn_mask
dropout
average_attn
average_attn_weights_
attn_weights
average_attn_weights and need_weights
not average_attn_weights
average_attn_weights=True
avg_attn_weights
average
""",
    ),
    (
        TEN,
        """
大于10
小于10
10以上
至少10
more than 10
at most 10
over 10
""",
    ),
    (
        ROOT_OF_64,
        """
×8
*8
multiplied by 8
乘以8
8（√8）
8 = √16
""",
    ),
    (
        IN_PROJ,
        """
288 columns and 96 rows
288列96行
(288, 96) transposed
(288, 96), without the heads
""",
    ),
    (
        BATCH,
        """
(B, L, h, d_k) = (4, 6, 10, 16)
B=4, L=6, h=10, d_k=16
(4, 6, 10, 16), if transposed
(4, 6, 10, 16) -> (4, 10, 6, 16)
""",
    ),
    (
        SQUARES,
        """
4d², d = d_k
4d^2, where d = 512
4d², where d = h
""",
    ),
    (
        WEIGHTS,
        """
w1=0.5, w2=0.25, w3=0.25
w3=0.25, w2=0.25, w1=0.5
[1, 1, 2]/3
[0.25]*3
""",
    ),
)

"""Right and wrong spellings of typed answers, as people write them."""

from fractions import Fraction

from grader.quiz.asked import Asked

SHAPE = Asked("shape", (2, 8, 5, 7), ((2, 5, 8, 7), "raises"), sizes={"B": 2, "h": 8, "L": 5, "k": 7, "v": 7, "d": 56})
COUNT = Asked("number", Fraction(2359296), (Fraction(21823488), Fraction(1769472)))
REAL = Asked("number", Fraction("0.2483"), (Fraction("0.3333"),), tolerance=Fraction("0.01"))
BILL = Asked("formula", "4*d_model^2", ("3*d_model^2", "4*h*d_model^2", "4*d_k^2"))
ROOT = Asked("formula", "sqrt(d_k)", ("d_k", "sqrt(d_model)"))
WEIGHTS = Asked(
    "vector",
    (Fraction("0.2483"), Fraction("0.2483"), Fraction("0.5035")),
    ((Fraction(1), Fraction(0), Fraction(0)),),
    Fraction("0.01"),
)
WORD = Asked("cloze", ("average_attn_weights",), (("need_weights",), ("batch_first",)))

RIGHT = {
    "shape": (
        SHAPE,
        [
            "(2, 8, 5, 7)",
            "2,8,5,7",
            "[2 8 5 7]",
            "2×8×5×7",
            "2x8x5x7",
            "2 X 8 X 5 X 7",
            "2*8*5*7",
            "2·8·5·7",
            "torch.Size([2, 8, 5, 7])",
            "Size([2,8,5,7])",
            "（2，8，5，7）",
            "２，８，５，７",
            "2、8、5、7",
            "【2，8，5，7】",
            "2;8;5;7",
            "2 | 8 | 5 | 7",
            "2 by 8 by 5 by 7",
            "2乘8乘5乘7",
            "(2,8,5,7,)",
            "((2,8,5,7))",
            "tuple([2,8,5,7])",
            "shape: (2,8,5,7)",
            "x.shape = (2, 8, 5, 7)",
            "形状是（2, 8, 5, 7）。",
            "the answer is 2,8,5,7",
            "it's (2, 8, 5, 7)",
            "B, h, L, d_k",
            "(B, h, L, d/h)",
            "B×h×L×d_k",
            "bxhxlxd_k",
            "(batch, num_heads, seq_len, head_dim)",
            "B=2, h=8, L=5, d_k=7",
            "$2 \\times 8 \\times 5 \\times 7$",
            "\\(2,8,5,7\\)",
            "\\mathbb{R}^{2 \\times 8 \\times 5 \\times 7}",
            "ℝ^(2×8×5×7)",
            "2\u200b, 8, 5, 7\u00a0",
            "(2, 8, 5, 56/8)",
            "2 \n8\t5 7",
            "q.shape -> (2, 8, 5, 7)",
            "q.shape == (2, 8, 5, 7)",
            "I think (2,8,5,7)",
            "a tensor of shape (2,8,5,7)",
            "(B, h, L, d_model//num_heads)",
            "2,8,5, and 7",
        ],
    ),
    "count": (
        COUNT,
        [
            "2359296",
            "2,359,296",
            "2 359 296",
            "2_359_296",
            "235,9296",
            "2\u2009359\u2009296",
            "2'359'296",
            "2.359.296",
            "235.9296万",
            "235万9296",
            "二百三十五万九千二百九十六",
            "2.359296e6",
            "2.359296M",
            "2.359296 million",
            "2359.296k",
            "2.359296×10^6",
            "4*768^2",
            "4*768**2",
            "4×768²",
            "4·768²",
            "4(768²)",
            "4 × 768 × 768",
            "3*768^2+768^2",
            "12*3*768*64 + 768*768",
            "4 * pow(768, 2)",
            "$4\\times768^2$",
            "2{,}359{,}296",
            "= 2359296",
            "params = 2,359,296",
            "4*768*768 = 2359296",
            "2,359,296 parameters",
            "2359296 个参数",
            "答案是 2359296",
            "２３５９２９６",
            "2，359，296。",
            "about 2359296",
            "2359296.0",
            "4 x 768 x 768",
            "2359296 (4*768^2)",
            "4*589,824",
            "exactly 2359296",
            "+2359296",
        ],
    ),
    "real": (
        REAL,
        [
            *[
                "0.25",
                "1/4",
                ".25",
                "25%",
                "25 %",
                "¼",
                "0.24",
                "\\frac{1}{4}",
                "√(1/16)",
                "0。25",
                "约0.25",
                "≈ 0.2483",
            ],
            *["0.2583", "0.2383", "w = 0.25", "2.5e-1", "(1/4)", "1/4 = 0.25", "四分之一"],
        ],
    ),
    "bill": (
        BILL,
        [
            *[
                "4d²",
                "4d^2",
                "4*d_model**2",
                "4 d_model²",
                "4·d²",
                "4×d×d",
                "4dd",
                "4 d d",
                "4d*d",
                "(2d)^2",
                "3d^2+d^2",
            ],
            *[
                "$4d_{model}^2$",
                "$4 d_{\\text{model}}^2$",
                "4d_{\\mathrm{model}}^{2}",
                "4\\cdot d^{2}",
                "\\frac{8d^2}{2}",
            ],
            *["d²*4", "h*3*d*d_k+d²", "3hd·d_k + d^2", "4(h d_k)²", "4(hd_k)^2", "４ｄ²", "4d²。", "4 d_model squared"],
            *["4倍d的平方", "4乘以d的平方", "4 times d squared", "4D²", "4*pow(d,2)", "4 dmodel^2", "4*embed_dim**2"],
            *["params = 4d^2", "参数量=4d²", "N = 4d²", "4h²d_k²", "2d·2d", "8d²/2", "[4d²]", "4\u00a0d²", "--4d²"],
        ],
    ),
    "root": (
        ROOT,
        [
            *[
                "sqrt(d_k)",
                "d_k^0.5",
                "√d_k",
                "√(d/h)",
                "d_k**0.5",
                "d_k^(1/2)",
                "d_k^{1/2}",
                "\\sqrt{d_k}",
                "math.sqrt(d_k)",
            ],
            *[
                "sqrt d_k",
                "√dk",
                "d_k^½",
                "根号d_k",
                "square root of d_k",
                "d_k的平方根",
                "sqrt(d_model/h)",
                "(d/h)^0.5",
            ],
            *["\\sqrt{\\frac{d_{model}}{h}}", "torch.sqrt(d_k)", "√(d_model/num_heads)", "dk**.5"],
        ],
    ),
    "weights": (
        WEIGHTS,
        [
            *["[0.25, 0.25, 0.50]", "0.25 0.25 0.5", "0.25,0.25,0.5", "(1/4,1/4,1/2)", "25%,25%,50%", ".25 .25 .5"],
            *[
                "array([0.25, 0.25, 0.5])",
                "tensor([0.25,0.25,0.50])",
                "0.25;0.25;0.5",
                "0.25、0.25、0.50",
                "[[0.25, 0.25, 0.5]]",
            ],
            *["np.array([0.25, 0.25, 0.5])", "array([0.25, 0.25, 0.5], dtype=float32)", "［0.25，0.25，0.50］"],
            *["weights = [0.25, 0.25, 0.5]", "tensor([0.2483, 0.2483, 0.5035], dtype=torch.float64)"],
        ],
    ),
    "word": (
        WORD,
        ["average_attn_weights", "average_attn_weights=False", " 'average_attn_weights' ", "AVERAGE_ATTN_WEIGHTS"],
    ),
}

# An answer, and the number of the wrong option that it equals, None where it equals none.
WRONG = {
    "shape": (SHAPE, [("2,5,8,7", 0), ("RuntimeError", 1), ("报错", 1), ("2 8 5", None), ("2,8,5,7,1", None)]),
    "count": (
        COUNT,
        [("2359295", None), ("21823488", 0), ("3*768²", 1), ("240万", None), ("2360000", None), ("2359", None)],
    ),
    "real": (REAL, [("0.2584", None), ("0.2382", None), ("1/3", 0), ("-0.25", None), ("25", None)]),
    "bill": (
        BILL,
        [
            *[("3d²", 0), ("4hd²", 1), ("4d_k²", 2), ("4d", None), ("16d²", None), ("4d²+4d", None), ("d^4", None)],
            *[("2d^2", None), ("(4d)²", None), ("4+d²", None), ("4d^3", None), ("-4d²", None), ("4²d", None)],
        ],
    ),
    "root": (ROOT, [("d_k", 0), ("√d", 1), ("1/√d_k", None), ("d_k²", None), ("√h", None)]),
    "weights": (WEIGHTS, [("1,0,0", 0), ("0.2 0.2 0.6", None), ("0.25,0.25", None), ("0.25 0.5 0.25", None)]),
    "word": (WORD, [("need_weights", 0), ("batch_first=True", 1), ("dropout", None)]),
}

# What nobody can mark without guessing: it is sent back.
SENT_BACK = {
    "shape": (
        SHAPE,
        ["", "abc", "(2,8,5,7]", "(2,8,5", "2.8.5.7", "2857", "-1,8,5,7", "2,,8", "(2,8)(5,7)", "2.0,8,5,7", "?"],
    ),
    "count": (
        COUNT,
        ["", "abc", "236万", "2.36M", "约236万", "2.359", "235,92", "2,35,9296", "d_k", "9**9**9", "1e400"],
    ),
    "real": (REAL, ["0,25", "1,000", "e^-1", "0.25 0.5", "nan", "inf", "0x1", "1/0"]),
    "bill": (BILL, ["4d2", "4x²", "4^d", "4d^d", "4d^(2", "__import__('os')", "4d^1000000", "4*", "4d²)", "Д²"]),
    "root": (ROOT, ["d_k^1/2", "√d/h", "√-d_k", "d_k^(1/3)"]),
    "weights": (WEIGHTS, ["0,25 0,25 0,5", "0.25", "0,25;0,25;0,50", "a,b,c", "[0.25, 0.25, 0.5"]),
    "word": (WORD, ["", "average_attn_weight", "  "]),
}

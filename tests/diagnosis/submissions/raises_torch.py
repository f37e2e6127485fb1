# ruff: noqa: ANN001, ANN202, ARG001, B018, E501, FBT003, N806, PLR2004, RUF059, S101 - written as students write, and meant to fail
"""Functions that raise as students' code with torch does; each docstring is the sentence that must explain it.

`q` has shape (3, 4, 5, 6), `k` (3, 4, 7, 6), `x` (3, 5, 24).
"""

import math

import torch
from torch import nn
from torch.nn import functional as F
from torch.nn.functional import scaled_dot_product_attention as sdpa


def _attention(width=24, heads=4, batch_first=True):
    return nn.MultiheadAttention(width, heads, batch_first=batch_first)


def numpy_of_a_gradient(q, k, x):
    """The tensor keeps track of its gradient, which numpy cannot do. .detach() gives the numbers without it [x (3, 5, 24)]."""
    return x.requires_grad_().numpy()


def bool_minus(q, k, x):
    """Minus does not work on True and False; ~ turns a mask round."""
    return 1 - (x > 0)


def bool_minus_bool(q, k, x):
    """Minus does not work between two boolean tensors. "One but not the other" is a & ~b, "exactly one" is a ^ b [x (3, 5, 24)]."""
    return (x > 0) - (x > 1)


def bool_negative(q, k, x):
    """Minus does not work on True and False; ~ turns a mask round."""
    return -(x > 0)


def stack(q, k, x):
    """torch.stack needs tensors of one and the same shape; number 0 has [3, 4, 5, 6] and number 1 has [3, 4, 7, 6] [q (3, 4, 5, 6), k (3, 4, 7, 6)]."""
    return torch.stack([q, k])


def cat(q, k, x):
    """Tensors joined along axis 3 may differ only there. On another axis the first has 5 and number 1, counted from 0, has 7 [q (3, 4, 5, 6), k (3, 4, 7, 6)]."""
    return torch.cat([q, k], dim=-1)


def cat_axes(q, k, x):
    """Tensors that are joined must have the same number of axes; here there are 4 and 3 [q (3, 4, 5, 6), x (3, 5, 24)]."""
    return torch.cat([q, x], dim=-1)


def cat_nothing(q, k, x):
    """The list of what is to be joined is empty."""
    return torch.cat([])


def stack_nothing(q, k, x):
    """The list of what is to be joined is empty."""
    return torch.stack([])


def cat_without_a_list(q, k, x):
    """torch.cat takes one list of tensors: torch.cat([a, b])."""
    return torch.cat(q, k)


def view(q, k, x):
    """view needs numbers that lie in memory in the order of the axes, and a transpose changes only the order of the axes. Make the tensor contiguous first, or use reshape [q (3, 4, 5, 6)]."""
    return q.transpose(1, 2).view(3, 5, 24)


def matmul(q, k, x):
    """A product sums over the last axis on the left, of size 24, and the last but one on the right, of size 6. They must be equal [x (3, 5, 24)]."""
    return x @ torch.ones(6, 24)


def matmul2(q, k, x):
    """A product sums over the last axis on the left, of size 6, and the last but one on the right, of size 7. They must be equal [q (3, 4, 5, 6), k (3, 4, 7, 6)]."""
    return q @ k


def bmm(q, k, x):
    """A product sums over the last axis on the left, of size 6, and the last but one on the right, of size 7. They must be equal [q (3, 4, 5, 6), k (3, 4, 7, 6)]."""
    return torch.bmm(q[0], k[0])


def bmm_of_four_axes(q, k, x):
    """torch.bmm takes two tensors of three axes; @ takes any number of them [q (3, 4, 5, 6), k (3, 4, 7, 6)]."""
    return torch.bmm(q, k.mT)


def matvec(q, k, x):
    """A product sums over the last axis on the left, of size 24, and the last but one on the right, of size 5. They must be equal [x (3, 5, 24)]."""
    return x[0] @ torch.ones(5)


def dot(q, k, x):
    """The product of two vectors needs equal lengths; here they are 24 and 5 [x (3, 5, 24)]."""
    return x[0, 0] @ torch.ones(5)


def mm_of_batches(q, k, x):
    """torch.mm takes two matrices; @ also takes tensors with more axes [x (3, 5, 24)]."""
    return torch.mm(x, x)


def sizes(q, k, x):
    """On axis 2 one tensor has 5 and the other 7. Sizes must be equal, or one of them 1 [q (3, 4, 5, 6), k (3, 4, 7, 6)]."""
    return q + k


def expand(q, k, x):
    """A tensor of shape [3, 5, 24] cannot be spread out to [3, 4, 24]: on axis 1 of [3, 4, 24] it has 5, which is neither 1 nor 4 [x (3, 5, 24)]."""
    return x.expand(3, 4, 24)


def expand_few(q, k, x):
    """expand must name a size for every axis; axes: 3, sizes given: 2 [x (3, 5, 24)]."""
    return x.expand(3, 4)


def dtypes_linear(q, k, x):
    """Tensors of two dtypes meet here, double and float; they must be the same."""
    return nn.Linear(24, 24)(x.double())


def dtypes_matmul(q, k, x):
    """Tensors of two dtypes meet here, double and float; they must be the same."""
    return x @ x.double().mT


def dtypes_function(q, k, x):
    """Tensors of two dtypes meet here, double and float; they must be the same."""
    return F.linear(x.double(), torch.ones(24, 24))


def dtypes_mha(q, k, x):
    """Tensors of two dtypes meet here, double and float; they must be the same."""
    return _attention()(x.double(), x.double(), x.double())


def dtypes_sdpa(q, k, x):
    """Tensors of two dtypes meet here, float and double; they must be the same."""
    return sdpa(q, k.double(), k)


def dtypes_long_softmax(q, k, x):
    """This needs floating-point numbers; the tensor holds Long."""
    return F.softmax(torch.arange(3), dim=0)


def long_mean(q, k, x):
    """This needs floating-point numbers; the tensor holds Long."""
    return torch.arange(3).mean()


def index(q, k, x):
    """The positions along axis 0 are numbered 0 to 2; 3 is none of them [x (3, 5, 24)]."""
    return x[3]


def index_many(q, k, x):
    """More indices are given than the tensor has axes, which is 3 [x (3, 5, 24)]."""
    return x[0, 0, 0, 0]


def index_bool(q, k, x):
    """A boolean index of shape [4] does not fit a tensor of shape [3, 5, 24] [x (3, 5, 24)]."""
    return x[torch.ones(4, dtype=torch.bool)]


def index_floats(q, k, x):
    """An index must be a whole number, a slice or a boolean array. Note that / gives a float, // a whole number [x (3, 5, 24)]."""
    return x[torch.ones(3)]


def embedding_float(q, k, x):
    """The rows of an embedding are chosen by whole numbers; the indices here are floating-point numbers."""
    return nn.Embedding(4, 3)(torch.tensor([1.0]))


def axis(q, k, x):
    """The axes here are numbered 0 to 2, or -3 to -1; 3 is none of them [x (3, 5, 24)]."""
    return x.sum(dim=3)


def softmax_axis(q, k, x):
    """The axes here are numbered 0 to 2, or -3 to -1; 4 is none of them [x (3, 5, 24)]."""
    return F.softmax(x, dim=4)


def permute(q, k, x):
    """permute lists every axis in its new order. Axes of the tensor: 4; listed: 3 [q (3, 4, 5, 6)]."""
    return q.permute(0, 2, 1)


def permute_twice(q, k, x):
    """permute names an axis twice; each axis must stand there once."""
    return x.permute(0, 1, 1)


def t_of_three_axes(q, k, x):
    """t() is for matrices, and this tensor has 3 axes: transpose names the two axes that change places [x (3, 5, 24)]."""
    return x.t()


def indivisible(q, k, x):
    """embed_dim must be a multiple of num_heads: every head gets the same number of columns."""
    return _attention(24, 5)


def mask_of_other_lengths(q, k, x):
    """The mask has shape [5, 7]; expected (5, 5): (L, S), or (B·h, L, S) for one of each head."""
    return _attention()(x, x, x, attn_mask=torch.zeros(5, 7))


def mask_of_each_sample(q, k, x):
    """The mask has shape [3, 5, 5]; expected (12, 5, 5): (L, S), or (B·h, L, S) for one of each head."""
    return _attention()(x, x, x, attn_mask=torch.zeros(3, 5, 5))


def mask_of_four_axes(q, k, x):
    """Axes of attn_mask: 4; it takes two, (L, S), or three, (B·h, L, S)."""
    return _attention()(x, x, x, attn_mask=torch.zeros(3, 4, 5, 5))


def padding_mask_transposed(q, k, x):
    """key_padding_mask has 5 along axis 0, expected 3: its shape is (B, S), whatever batch_first is."""
    return _attention()(x, x, x, key_padding_mask=torch.zeros(5, 3))


def padding_mask_of_one_axis(q, k, x):
    """Axes of key_padding_mask: 1; for a batch it has two, (B, S)."""
    return _attention()(x, x, x, key_padding_mask=torch.zeros(5))


def padding_mask_of_numbers(q, k, x):
    """key_padding_mask must be bool or float; whole numbers are refused."""
    return _attention()(x, x, x, key_padding_mask=torch.zeros(3, 5).long())


def tuple_shape(q, k, x):
    """A tuple has no .shape. Does a function return several values here?"""
    return _attention()(x, x, x).shape


def tuple_plus(q, k, x):
    """One side of + is a tuple: nn.MultiheadAttention returns the output and the weights together."""
    return x + _attention()(x, x, x)


def tuple_linear(q, k, x):
    """torch needs a tensor for input, and gets tuple."""
    return nn.Linear(24, 24)(_attention()(x, x, x))


def parameter_in_place(q, k, x):
    """A tensor that asks for gradients, such as a parameter, is changed in place here. x = x + 1 makes a new tensor; a parameter is overwritten under torch.no_grad() [w (3,)]."""
    w = torch.ones(3, requires_grad=True)
    w += 1


def part_of_a_parameter_in_place(q, k, x):
    """A tensor that asks for gradients, such as a parameter, is changed in place here. x = x + 1 makes a new tensor; a parameter is overwritten under torch.no_grad() [w (3,)]."""
    w = nn.Parameter(torch.ones(3))
    w[0] = 1


def backward_twice(q, k, x):
    """backward goes through the same computation a second time; after the first, what it needs is gone. Compute the result anew first."""
    w = torch.ones(3, requires_grad=True)
    y = (w * w).sum()
    y.backward()
    y.backward()


def backward_vector(q, k, x):
    """Gradients start from one number, and this tensor has several: reduce it to one first, by sum for example [w (3,)]."""
    w = torch.ones(3, requires_grad=True)
    (w * w).backward()


def no_grad_backward(q, k, x):
    """Nothing in this computation asks for a gradient. Was a tensor detached, or requires_grad left out?"""
    x.sum().backward()


def item(q, k, x):
    """A tensor with several numbers is given where one is needed. math.exp and math.sqrt take one number, torch.exp and torch.sqrt whole tensors [x (3, 5, 24)]."""
    return x.item()


def truth(q, k, x):
    """if, and, or, not and max ask for one True or False, but a tensor has many. For each element there are &, |, ~ and torch.where [x (3, 5, 24)]."""
    return 1 if x > 0 else 0


def float_of(q, k, x):
    """A tensor with several numbers is given where one is needed. math.exp and math.sqrt take one number, torch.exp and torch.sqrt whole tensors [x (3, 5, 24)]."""
    return math.sqrt(x)


def sqrt(q, k, x):
    """torch needs a tensor for input, and gets int."""
    return torch.sqrt(24)


def masked_fill_float(q, k, x):
    """masked_fill takes a mask of True and False."""
    return x.masked_fill(torch.ones(5, 24), 0.0)


def where_int(q, k, x):
    """The condition of torch.where must be True and False, not numbers [x (3, 5, 24)]."""
    return torch.where(torch.ones(5, 24), x, 0.0)


def in_place_long(q, k, x):
    """The result is Float, and the tensor that is changed in place holds Long: it cannot take it. A new tensor can [n (3,)]."""
    n = torch.arange(3)
    n += 0.5


def chunk_unpack(q, k, x):
    """Names on the left: 2; there are more values."""
    a, b = x.chunk(3, dim=-1)


def split_sizes(q, k, x):
    """The sizes [5, 5] do not add up to 24, the size of the axis that is split [x (3, 5, 24)]."""
    return x.split([5, 5], dim=-1)


def numpy_into_torch(q, k, x):
    """torch needs a tensor for input, and gets numpy.ndarray."""
    return torch.softmax(x.numpy(), dim=-1)


def reshape_bad(q, k, x):
    """360 numbers do not fit into 3 × 5 × 7 × 4 = 420 [x (3, 5, 24)]."""
    return x.reshape(3, 5, 7, 4)


def reshape_open(q, k, x):
    """360 numbers cannot be shared out evenly over 3 × 5 × 7 = 105: the size left open would be no whole number [x (3, 5, 24)]."""
    return x.reshape(3, 5, 7, -1)


def unflatten(q, k, x):
    """An axis of size 24 cannot be split into 5 × 4 = 20."""
    return x.unflatten(-1, (5, 4))


def einsum_letters(q, k, x):
    """einsum names fewer letters for an array than it has axes [x (3, 5, 24)]."""
    return torch.einsum('bl,bmd->blm', x, x)


def einsum_sizes(q, k, x):
    """A letter of einsum stands for one size, but here for both 5 and 7 [q (3, 4, 5, 6), k (3, 4, 7, 6)]."""
    return torch.einsum('bhld,bhlm->bh', q, k)


def einsum_output(q, k, x):
    """einsum: the letter z after -> stands at none of the inputs."""
    return torch.einsum('bld->blz', x)


def einsum_operands(q, k, x):
    """einsum needs as many arrays as there are groups of letters before ->."""
    return torch.einsum('bld,bmd->blm', x)


def sdpa_sizes(q, k, x):
    """The width of q is 6, that of k is 5: the last axes of q and k must be equal, since q·k sums over them [q (3, 4, 5, 6), k (3, 4, 7, 6)]."""
    return sdpa(q, k[..., :5], k)


def sdpa_mask_int(q, k, x):
    """The mask must be bool (True = may attend) or have the dtype of the query, to be added to the scores."""
    return sdpa(q, k, k, attn_mask=torch.ones(5, 7).long())


def linear_swapped(q, k, x):
    """A product sums over the last axis on the left, of size 24, and the last but one on the right, of size 5. They must be equal [x (3, 5, 24)]."""
    return nn.Linear(5, 24)(x)


def state_dict(q, k, x):
    """The names in the state do not match the parameters of Linear."""
    return nn.Linear(3, 4).load_state_dict({'w': torch.ones(3)})


def state_shape(q, k, x):
    """weight of the module has shape [4, 3], and what is loaded into it has shape [3, 4]."""
    return nn.Linear(3, 4).load_state_dict({'weight': torch.ones(3, 4), 'bias': torch.ones(4)})


def assign_param(q, k, x):
    """weight is a parameter of the module: only an nn.Parameter can take its place."""
    m = nn.Linear(3, 4)
    m.weight = torch.ones(4, 3)


def no_super(q, k, x):
    """__init__ sets a layer or parameter before it calls super().__init__()."""

    class M(nn.Module):

        def __init__(self):
            self.a = nn.Linear(3, 4)
    return M()


def no_super_parameter(q, k, x):
    """__init__ sets a layer or parameter before it calls super().__init__()."""

    class M(nn.Module):

        def __init__(self):
            self.a = nn.Parameter(torch.ones(3))
    return M()


def no_forward(q, k, x):
    """M has no method forward; calling a module runs it. Is the name spelled like that, and indented inside the class?"""

    class M(nn.Module):
        pass
    return M()(x)


def assigned_rows(q, k, x):
    """A tensor of shape [4, 24] cannot be spread out to [5, 24]: on axis 0 of [5, 24] it has 4, which is neither 1 nor 5 [x (3, 5, 24)]."""
    x[0] = torch.ones(4, 24)


def fill_of_a_half(q, k, x):
    """The number is too large for the dtype of the tensor (c10::Half)."""
    return x.half().masked_fill(x > 0, -1000000000.0)


def padding_of_another_dtype(q, k, x):
    """Tensors of two dtypes meet here, double and float; they must be the same."""
    return _attention()(x, x, x, key_padding_mask=torch.zeros(3, 5, dtype=torch.float64))


def width_of_another_module(q, k, x):
    """The module is made for inputs of width 20, and the query has width 24."""
    return _attention(20, 4)(x, x, x)


def key_and_value_of_different_lengths(q, k, x):
    """Key [3, 5, 24] and value [2, 5, 24] differ before their last axis; they come from the same positions."""
    return _attention(batch_first=False)(x, x, x[:2])


def attention_of_four_axes(q, k, x):
    """Axes of the query: 4; the module takes 3 (a batch) or 2 (one sequence)."""
    return _attention()(q, q, q)


def causal_hint_alone(q, k, x):
    """is_causal is only a hint; the causal mask itself has to be passed as attn_mask."""
    return _attention()(x, x, x, is_causal=True)


def batch_second(q, k, x):
    """504 numbers do not fit into 3 × 20 × 6 = 360."""
    return _attention(batch_first=False)(x, torch.ones(3, 7, 24), torch.ones(3, 7, 24))


def attention_of_one_tensor(q, k, x):
    """The module takes three inputs: query, key and value."""
    return _attention()(x)


def a_gpu(q, k, x):
    """There is no GPU here; leave tensors where they are."""
    return x.cuda()


def misspelt_function(q, k, x):
    """torch.softmaxx does not exist. Is torch.softmax meant?"""
    return torch.softmaxx(q, dim=-1)


def misspelt_module(q, k, x):
    """torch.nn.funtional does not exist. Is torch.nn.functional meant?"""
    return nn.funtional.softmax(q, dim=-1)


def misspelt_layer(q, k, x):
    """torch.nn.MultiHeadAttention does not exist. Is torch.nn.MultiheadAttention meant?"""
    return nn.MultiHeadAttention(24, 4)


def misspelt_function_of_nn(q, k, x):
    """torch.nn.functional.scaled_dot_product_atention does not exist. Is torch.nn.functional.scaled_dot_product_attention meant?"""
    return F.scaled_dot_product_atention(q, q, q)


def misspelt_method(q, k, x):
    """A value of type Tensor has no .tranpose. Is .transpose meant?"""
    return q.tranpose(1, 2)


def misspelt_parameter(q, k, x):
    """A value of type MultiheadAttention has no .in_proj_weigth. Is .in_proj_weight meant?"""
    return _attention().in_proj_weigth


def misspelt_import(q, k, x):
    """torch.nn.functional.sofmax does not exist. Is torch.nn.functional.softmax meant?"""
    from torch.nn.functional import sofmax

    return sofmax(q, dim=-1)


def misspelt_import_of_a_module(q, k, x):
    """torch.nn.funtional does not exist. Is torch.nn.functional meant?"""
    import torch.nn.funtional

    return torch.nn.funtional.softmax(q, dim=-1)


def name_that_is_nowhere(q, k, x):
    """A value of type Tensor has no .attend_to."""
    return q.attend_to(k)


def function_of_numpy(q, k, x):
    """torch.expand_dims does not exist; torch's name is torch.unsqueeze."""
    return torch.expand_dims(q, 0)


def method_of_numpy(q, k, x):
    """Tensors have no .copy; torch's name is .clone."""
    return q.copy()

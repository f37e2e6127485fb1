# ruff: noqa: ANN001, ANN201, ANN202, ARG001, C416, D403, E501, F401, F821, F823, F841, N806, NPY001, PLC0415, PLE0643, PTH123, RUF005, RUF016, RUF059, T201 - written as students write, and meant to fail
"""Functions that raise as students' code does; each docstring is the sentence that must explain it.

`x` has shape (2, 3, 5), `y` (5, 7), `whole` is np.arange(6) of shape (2, 3).
"""

import math

import numpy as np

calls = 3


def sizes_of_reshape(x, y, whole):
    """30 numbers do not fit into 5 × 5 = 25 [x (2, 3, 5)]."""
    return x.reshape(5, 5)


def sizes_of_reshape_of_a_result(x, y, whole):
    """30 numbers do not fit into 7."""
    return (2 * y[:, :6]).reshape(7)


def reshape_to_no_axes(x, y, whole):
    """35 numbers do not fit into () = 1 [y (5, 7)]."""
    return y.reshape(())


def reshape_with_an_open_size(x, y, whole):
    """30 numbers cannot be shared out evenly over 4: the size left open would be no whole number [x (2, 3, 5)]."""
    return x.reshape(4, -1)


def reshape_with_two_open_sizes(x, y, whole):
    """Only one size of a reshape may be left open with -1."""
    return x.reshape(-1, -1)


def reshape_without_a_tuple(x, y, whole):
    """np.reshape takes the new shape as one tuple: np.reshape(x, (a, b))."""
    return np.reshape(x, 5, 6)


def negative_size(x, y, whole):
    """A size is negative here; an array cannot be made with it."""
    return np.zeros((-1, 3))


def batches_that_do_not_multiply(x, y, whole):
    """Shapes (2, 3, 5) and (3, 5, 2) do not multiply: before their last two axes there is 2 against 3, which must be equal or 1 [x (2, 3, 5), z (3, 5, 2)]."""
    z = x.transpose(1, 2, 0)
    return x @ z


def letter_with_two_sizes(x, y, whole):
    """A letter of einsum stands for one size, but here for both 5 and 3 [x (2, 3, 5)]."""
    return np.einsum("abc,acb->a", x, x)


def broadcast_to_a_shape(x, y, whole):
    """An array of shape (5, 7) cannot be spread out to shape (5, 6) [y (5, 7)]."""
    return np.broadcast_to(y, (5, 6))


def broadcast(x, y, whole):
    """Shapes (2, 3, 5) and (5, 7) do not fit together: counted from the right, axis -1 has 5 against 7. Sizes must be equal, or one of them 1 [x (2, 3, 5), y (5, 7)]."""
    return x + y


def broadcast_of_three(x, y, whole):
    """Shapes (4, 1) and (2, 3, 5) do not fit together: counted from the right, axis -2 has 4 against 3. Sizes must be equal, or one of them 1 [x (2, 3, 5)]."""
    return np.where(np.ones((4, 1), bool), x, 0.0)


def broadcast_several(x, y, whole):
    """Shapes (2, 3, 5) and (5, 7) do not fit together: counted from the right, axis -1 has 5 against 7. Sizes must be equal, or one of them 1 [x (2, 3, 5), y (5, 7)]."""
    return np.broadcast_arrays(x, y)


def assigned_to_a_slice(x, y, whole):
    """An array of shape (6, 3) does not fit into a place of shape (5, 3) [out (5, 6)]."""
    out = np.zeros((5, 6))
    out[:, :3] = np.zeros((6, 3))


def assigned_to_an_index(x, y, whole):
    """An array of shape (2,) does not fit into a place of shape (3,) [out (5,)]."""
    out = np.zeros(5)
    out[[0, 1, 2]] = np.zeros(2)


def added_in_place(x, y, whole):
    """The result has shape (4, 2, 3, 5) and cannot be written back into an array of shape (2, 3, 5) [x (2, 3, 5)]."""
    x += np.zeros((4, 2, 3, 5))


def product(x, y, whole):
    """A product sums over the last axis on the left, of size 5, and the last but one on the right, of size 3. They must be equal [x (2, 3, 5)]."""
    return x @ x


def dot(x, y, whole):
    """A product sums over the last axis on the left, of size 7, and the last but one on the right, of size 5. They must be equal [y (5, 7)]."""
    return np.dot(y, y)


def product_with_a_number(x, y, whole):
    """@ multiplies arrays, but one side here is a single number or None. Numbers are multiplied with *."""
    return x @ 3.0


def too_many_letters(x, y, whole):
    """einsum names more letters for array number 1, counted from 0, than it has axes [x (2, 3, 5), y (5, 7)]."""
    return np.einsum("hld,hsd->hls", x, y)


def too_few_letters(x, y, whole):
    """einsum names fewer letters for an array than it has axes [x (2, 3, 5)]."""
    return np.einsum("hl->lh", x)


def letter_from_nowhere(x, y, whole):
    """einsum: the letter z after -> stands at none of the inputs."""
    return np.einsum("hld->hlz", x)


def letter_twice(x, y, whole):
    """einsum: the letter h stands twice after ->."""
    return np.einsum("hld->hhl", x)


def too_few_groups_of_letters(x, y, whole):
    """einsum needs as many arrays as there are groups of letters before ->."""
    return np.einsum("hld,hld->hl", x)


def axis_of_a_sum(x, y, whole):
    """The axes here are numbered 0 to 2, or -3 to -1; 3 is none of them [x (2, 3, 5)]."""
    return x.sum(axis=3)


def axis_of_concatenate(x, y, whole):
    """The axes here are numbered 0 to 1, or -2 to -1; 2 is none of them [x (2, 3, 5)]."""
    return np.concatenate(x, axis=2)


def axis_of_swapaxes(x, y, whole):
    """The axes here are numbered 0 to 2, or -3 to -1; -4 is none of them [x (2, 3, 5)]."""
    return x.swapaxes(1, -4)


def transpose_as_in_torch(x, y, whole):
    """transpose in numpy lists every axis of the array in its new order; to exchange two axes there is swapaxes [x (2, 3, 5)]."""
    return x.transpose(-2, -1)


def transpose_with_an_axis_twice(x, y, whole):
    """transpose names an axis twice; each axis must stand there once."""
    return x.transpose(0, 1, 1)


def transpose_without_a_tuple(x, y, whole):
    """np.transpose takes the new order of the axes as one tuple."""
    return np.transpose(x, 1, 0, 2)


def transpose_by_name(x, y, whole):
    """The method transpose takes the axes without a name: x.transpose(a, b, c)."""
    return x.transpose(axes=(1, 0, 2))


def swapaxes_with_one(x, y, whole):
    """swapaxes needs the two axes that it exchanges."""
    return x.swapaxes(1)


def swapaxes_function_with_one(x, y, whole):
    """swapaxes needs the two axes that it exchanges."""
    return np.swapaxes(x, 1)


def concatenate_sizes(x, y, whole):
    """Along axis 1, part 0 has size 7 and part 1 has size 3. Arrays that are joined may differ only along the axis they are joined on [y (5, 7), whole (2, 3)]."""
    return np.concatenate([y, whole])


def concatenate_axes(x, y, whole):
    """The arrays that are joined must all have the same number of axes: part 0 has 3, part 1 has 2 [x (2, 3, 5), y (5, 7)]."""
    return np.concatenate([x, y])


def stack_of_shapes(x, y, whole):
    """np.stack needs arrays of one and the same shape [y (5, 7), whole (2, 3)]."""
    return np.stack([y, whole])


def concatenate_numbers(x, y, whole):
    """Single numbers are given where arrays are to be joined [x (2, 3, 5)]."""
    return np.concatenate(x[0, 0])


def concatenate_nothing(x, y, whole):
    """The list of what is to be joined is empty."""
    return np.concatenate([])


def stack_nothing(x, y, whole):
    """The list of what is to be joined is empty."""
    return np.stack([])


def split_of_an_axis(x, y, whole):
    """np.split makes pieces of equal size, and the axis it cuts here cannot be divided like that. Is it the axis you mean [x (2, 3, 5)]?"""
    return np.split(x, 2, axis=1)


def maximum_of_nothing(x, y, whole):
    """The maximum of an empty array is asked for; a size is 0 here."""
    return x[:, :0].max(axis=1)


def index_past_the_end(x, y, whole):
    """The positions along axis 1 are numbered 0 to 6; 7 is none of them [y (5, 7)]."""
    return y[:, 7]


def too_many_indices(x, y, whole):
    """Axes of the array: 2; indices given: 3 [y (5, 7)]."""
    return y[0, 0, 0]


def index_by_a_float(x, y, whole):
    """An index must be a whole number, a slice or a boolean array. Note that / gives a float, // a whole number [y (5, 7)]."""
    return y[4 / 2]


def index_by_floats(x, y, whole):
    """An index must be a whole number, a slice or a boolean array. Note that / gives a float, // a whole number [y (5, 7)]."""
    return y[np.array([0.0, 1.0])]


def boolean_index(x, y, whole):
    """A boolean index must have the sizes of the array: along axis 0 the array has 5, the index 4 [y (5, 7)]."""
    return y[np.ones((4, 7), bool)]


def index_of_a_number(x, y, whole):
    """A single number is indexed here: there is one pair of [ ] too many."""
    return y[0, 0][0]


def assigned_through_a_mask(x, y, whole):
    """Places that the mask picks: 3; numbers given for them: 2 [whole (2, 3)]."""
    whole[whole > 2] = np.zeros(2)


def ragged(x, y, whole):
    """The parts have different sizes, so they do not form one array."""
    return np.array([[1, 2], [3]])


def sequence_into_an_element(x, y, whole):
    """Several numbers are put into the place of a single one."""
    y[0, 0] = [1, 2]


def softmax_of_numpy(x, y, whole):
    """numpy has no softmax; it has to be written from np.exp and a sum."""
    return np.softmax(x)


def softmax_of_an_array(x, y, whole):
    """numpy has no softmax; it has to be written from np.exp and a sum."""
    return x.softmax(-1)


def type_of_numpy(x, y, whole):
    """numpy no longer has np.float; Python's own float is meant."""
    return np.float(3)


def function_of_torch(x, y, whole):
    """np.cat does not exist; numpy's name is np.concatenate."""
    return np.cat([x])


def method_of_torch(x, y, whole):
    """numpy arrays have no .permute; numpy's name is .transpose."""
    return x.permute(1, 0, 2)


def dim_of_torch(x, y, whole):
    """numpy arrays have no .dim; numpy's name is .ndim."""
    return x.dim()


def function_as_a_method(x, y, whole):
    """numpy arrays have no .exp; numpy has a function for it, np.exp."""
    return x.exp()


def function_of_torch_as_a_method(x, y, whole):
    """numpy arrays have no .unsqueeze; numpy has a function for it, np.expand_dims."""
    return x.unsqueeze(0)


def misspelt_function(x, y, whole):
    """np.concatanate does not exist. Is np.concatenate meant?"""
    return np.concatanate([x])


def misspelt_method(x, y, whole):
    """A value of type numpy.ndarray has no .tranpose. Is .transpose meant?"""
    return x.tranpose(0, 2, 1)


def misspelt_function_of_a_module(x, y, whole):
    """np.linalg.nrm does not exist. Is np.linalg.norm meant?"""
    return np.linalg.nrm(x)


def misspelt_function_of_math(x, y, whole):
    """math.sqtr does not exist. Is math.sqrt meant?"""
    return math.sqtr(2)


def function_that_is_nowhere(x, y, whole):
    """numpy has nothing of the name attention."""
    return np.attention(x)


def view_with_three_sizes(x, y, whole):
    """view takes sizes only in torch; in numpy it is reshape that does so."""
    return x.view(3, 2, 5)


def view_with_two_sizes(x, y, whole):
    """view takes sizes only in torch; in numpy it is reshape that does so."""
    return x.view(6, 5)


def view_with_one_size(x, y, whole):
    """view takes sizes only in torch; in numpy it is reshape that does so."""
    return x.view(-1)


def dim_for_axis(x, y, whole):
    """numpy calls this argument axis, not dim."""
    return np.concatenate([x], dim=0)


def keepdim_for_keepdims(x, y, whole):
    """numpy calls this argument keepdims, not keepdim."""
    return x.max(axis=-1, keepdim=True)


def perm_for_axes(x, y, whole):
    """numpy calls this argument axes, not perm."""
    return np.transpose(x, perm=(1, 0, 2))


def sizes_without_a_tuple(x, y, whole):
    """The sizes of a new array go into one tuple, as in np.zeros((2, 3)); here one of them is taken for a dtype."""
    return np.zeros(3, 5)


def many_sizes_without_a_tuple(x, y, whole):
    """The sizes of a new array go into one tuple, as in np.zeros((2, 3)); here one of them is taken for a dtype."""
    return np.empty(2, 3, 5, 7, 6)


def keepdims_without_a_name(x, y, whole):
    """keepdims has to be given by name: keepdims=True. Here True is taken for a dtype."""
    return x.sum(-1, True)


def two_arguments_for_a_list(x, y, whole):
    """Functions that join arrays take one list of arrays, as in np.stack([a, b]); and an index must be a whole number."""
    return np.concatenate(x[0], x[1])


def two_arguments_for_hstack(x, y, whole):
    """Functions that join arrays take one list of arrays, as in np.stack([a, b]); and an index must be a whole number."""
    return np.hstack(x[0], x[1])


def number_for_a_list(x, y, whole):
    """Functions that join arrays take one list of arrays, as in np.stack([a, b]); and an index must be a whole number."""
    return np.stack(3)


def root_of_an_array(x, y, whole):
    """An array is given where one number is needed. math.exp and math.sqrt take one number, np.exp and np.sqrt whole arrays [x (2, 3, 5)]."""
    return math.sqrt(x)


def truth_of_an_array(x, y, whole):
    """if, and, or, not and max ask for one True or False, but an array has many. For each element there are &, |, ~ and np.where [x (2, 3, 5)]."""
    return 1 if x > 0 else 0


def division_in_place(x, y, whole):
    """An operation in place keeps the dtype: float64 numbers cannot be written into an array of int64 [whole (2, 3)]."""
    whole /= 2


def writing_to_a_broadcast(x, y, whole):
    """This array cannot be written to: it shares its numbers with another one, as the result of np.broadcast_to does [spread (5, 7)]."""
    spread = np.broadcast_to(y[0], (5, 7))
    spread[0, 0] = 1


def minus_a_mask(x, y, whole):
    """Minus does not work on True and False; ~ turns a mask round."""
    return -(x > 0)


def difference_of_masks(x, y, whole):
    """Minus does not work on True and False; ~ turns a mask round."""
    return (x > 0) - (x < 0)


def not_of_numbers(x, y, whole):
    """~ works on True and False; this array holds other numbers [x (2, 3, 5)]."""
    return ~x


def exp_of_text(x, y, whole):
    """exp does not work on values of this kind."""
    return np.exp("a")


def array_plus_text(x, y, whole):
    """add does not work on values of this kind [x (2, 3, 5)]."""
    return x + "a"


def exp_of_none(x, y, whole):
    """A numpy function got NoneType instead of numbers."""
    return np.exp(None)


def used_before_set(x, y, whole):
    """total is used before it has a value: on this way through the function no line has set it yet."""
    for head in x[:0]:
        total = head
    return total


def counted_up_outside(x, y, whole):
    """calls is used before it has a value: on this way through the function no line has set it yet."""
    calls += 1


def inner_function_too_early(x, y, whole):
    """late is used before it has a value: on this way through the function no line has set it yet."""

    def inner():
        return late

    inner()
    late = 1


def module_without_import(x, y, whole):
    """torch is not known in this file: is the import missing?"""
    return torch.cat([x])


def misspelt_name(x, y, whole):
    """haeds has no value here. Is it spelt as where it is set, and set in this function?"""
    return haeds


def import_of_torch(x, y, whole):
    """torch cannot be imported here; the task says what may be used."""
    import torch.nn


def attribute_of_none(x, y, whole):
    """The value before .reshape is None. Does a function lack its return?"""
    return print().reshape(5, 6)


def attribute_of_a_list(x, y, whole):
    """A Python list has no .shape; arrays are made from lists with np.array."""
    return [head for head in x].shape


def attribute_of_a_tuple(x, y, whole):
    """A tuple has no .mean. Does a function return several values here?"""
    return np.unique(x, return_counts=True).mean()


def attribute_of_a_number(x, y, whole):
    """A value of type int has no .append."""
    return x.ndim.append(1)


def none_plus_array(x, y, whole):
    """One side of * is None. Does a function lack its return, or was an optional argument left out?"""
    return None * 2


def list_divided(x, y, whole):
    """/ does not calculate with a list; arrays can be calculated with."""
    return [1, 2] / 2


def dict_divided(x, y, whole):
    """/ does not work between dict and int."""
    return {} / 2


def list_times_float(x, y, whole):
    """A list or tuple is multiplied here; arrays can be calculated with, lists cannot."""
    return [1, 2] * 2.0


def tuple_plus_list(x, y, whole):
    """+ joins two values of type tuple; the other one here is list."""
    return x.shape + [1]


def none_unpacked(x, y, whole):
    """None is taken apart into several names. Does a function lack its return?"""
    a, b = x.sort()


def number_unpacked(x, y, whole):
    """A single value of type int is taken apart into several names."""
    h, L = len(x)


def none_subscripted(x, y, whole):
    """The value before [ ] is None. Does a function lack its return?"""
    return x.sort()[0]


def function_subscripted(x, y, whole):
    """A function is followed by [ ]; a call is written with ( )."""
    return sizes_of_reshape[x]


def numpy_function_subscripted(x, y, whole):
    """A function is followed by [ ]; a call is written with ( )."""
    return np.concatenate[x, x]


def ufunc_subscripted(x, y, whole):
    """A function is followed by [ ]; a call is written with ( )."""
    return np.exp[x]


def number_subscripted(x, y, whole):
    """A value of type int has no entries for [ ] to pick."""
    return len(x)[0]


def loop_over_none(x, y, whole):
    """A loop runs over None. Does a function lack its return?"""
    for _ in x.sort():
        pass


def loop_over_a_number(x, y, whole):
    """A loop or a list needs several values, but one whole number is given. To count up to a number there is range."""
    for _ in len(x):
        pass


def length_of_a_number(x, y, whole):
    """A value of type int has no length."""
    return len(3)


def shape_called(x, y, whole):
    """A value of type tuple is followed by ( ), but is no function. Entries are picked with [ ]."""
    return x.shape(0)


def array_called(x, y, whole):
    """A value of type numpy.ndarray is followed by ( ), but is no function. Entries are picked with [ ]."""
    return x(0)


def shape_into_two(x, y, whole):
    """Names on the left: 2; the shape has more axes [x (2, 3, 5)]."""
    L, d = x.shape


def shape_into_four(x, y, whole):
    """Names on the left: 4; axes of the shape: 3 [x (2, 3, 5)]."""
    B, h, L, d = x.shape


def heads_into_one(x, y, whole):
    """Names on the left: 1; there are more values."""
    (only,) = x


def heads_into_three(x, y, whole):
    """Names on the left: 3; values: 2."""
    a, b, c = x


def axis_of_a_shape(x, y, whole):
    """The shape has fewer axes than this index asks for; counting starts at 0 [x (2, 3, 5)]."""
    return x.shape[3]


def index_of_a_list(x, y, whole):
    """There are fewer entries than this index asks for; counting starts at 0."""
    return [1, 2][2]


def pair_for_a_list(x, y, whole):
    """A list of lists is not indexed with [i, j]; an array is."""
    return [[1, 2]][0, 1]


def half_of_a_slice(x, y, whole):
    """An index or the end of a slice must be a whole number. Note that / gives a float, // a whole number."""
    return x[: len(x) / 2]


def float_for_a_list(x, y, whole):
    """An index or the end of a slice must be a whole number. Note that / gives a float, // a whole number."""
    return [1, 2][2 / 2]


def float_as_a_size(x, y, whole):
    """A size or a count must be a whole number. Note that / gives a float, // a whole number."""
    return x.reshape(30 / 5, 5)


def numpy_float_as_a_count(x, y, whole):
    """A size or a count must be a whole number. Note that / gives a float, // a whole number."""
    return range(np.sqrt(4))


def float_as_the_size(x, y, whole):
    """A size or a count must be a whole number. Note that / gives a float, // a whole number."""
    return np.zeros(5 / 2)


def tuple_as_a_size(x, y, whole):
    """A value of type tuple is given where one whole number is needed."""
    return x.reshape((5, 6), (1,))


def argument_of_no_function(x, y, whole):
    """sizes_of_reshape has no argument of the name heads."""
    return sizes_of_reshape(heads=x)


def argument_missing(x, y, whole):
    """sizes_of_reshape is called without 'whole'."""
    return sizes_of_reshape(x, y)


def arguments_missing(x, y, whole):
    """sizes_of_reshape is called without 'y' and 'whole'."""
    return sizes_of_reshape(x)


def too_many_arguments(x, y, whole):
    """sizes_of_reshape does not take that many arguments: 4."""
    return sizes_of_reshape(x, y, whole, 1)


def calls_itself(x, y, whole):
    """A function calls itself again and again without reaching an end."""
    return calls_itself(x, y, whole)


def division_by_zero(x, y, whole):
    """A number is divided by 0 here."""
    return 1 // (len(x) - 2)


def end_of_file(x, y, whole):
    """There is no keyboard here; everything that is needed comes as an argument."""
    raise EOFError("EOF when reading a line")


def opens_a_file(x, y, whole):
    """Files, programs and the network are out of reach here; everything that is needed comes as an argument."""
    return open("/etc/passwd")

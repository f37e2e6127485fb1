"""A bank with one small question of each of the newer types, for tests to build, break and answer."""

HEAD = """
format = 1
topic = "tiny"
title.en = "Tiny"
title.zh = "小题"
"""

_FRAME = """
[[question]]
id = "tiny.{kind}"
type = "{kind}"
exercise = "04_concat"
prompt.en = "{prompt}"
prompt.zh = "题目：{prompt}"
hint.en = "Think."
hint.zh = "想一想。"
explain.en = "{explain}"
explain.zh = "说明：{explain}"
"""

_WHY = 'why.en = "Not so."\nwhy.zh = "不是。"\n'

_PARTS = {
    "cloze": (
        "heads.transpose(____).reshape(L, ____)",
        """
[question.answer]
words = ["1, 0, 2|(1,0,2)", "-1|h * d_v"]
holds = "np.zeros((2, 3, 5)).transpose(*map(int, words[0].strip('()').split(','))).shape == (3, 2, 5)"
[[question.wrong]]
mistake = "merge-after-reversing-all-axes"
words = ["2, 1, 0", "-1"]
WHY[[question.wrong]]
mistake = "merge-after-moving-features-first"
words = ["2, 0, 1", "-1"]
WHY""",
    ),
    "order": (
        "Join the heads.",
        """
[question.answer]
given = "y = np.arange(24.0).reshape(2, 3, 4); w = np.arange(80.0).reshape(8, 10); want = np.hstack(list(y)) @ w"
holds = "np.array_equal(y, want)"
[[question.right]]
text.en = "transpose"
text.zh = "交换轴"
run = "y = y.transpose(1, 0, 2)"
[[question.right]]
text.en = "reshape"
text.zh = "合并"
run = "y = y.reshape(3, 8)"
[[question.right]]
text.en = "multiply by W^O"
text.zh = "乘 W^O"
run = "y = y @ w"
[[question.wrong]]
mistake = "merge-without-transpose"
order = "2 1 3"
WHY[[question.wrong]]
mistake = "axes-moved-but-not-merged"
order = "1 3 2"
WHY""",
    ),
    "match": (
        "What has which shape?",
        """
[[question.right]]
word = "heads"
end_word = "(h, L, d_v)"
holds = "np.zeros((2, 3, 4)).ndim == 3"
[[question.right]]
text.en = "joined"
text.zh = "拼接之后"
end_word = "(L, h*d_v)"
holds = "np.hstack(list(np.zeros((2, 3, 4)))).shape == (3, 8)"
[[question.right]]
word = "heads[0]"
end_word = "(L, d_v)"
holds = "np.zeros((2, 3, 4))[0].shape == (3, 4)"
[[question.wrong]]
mistake = "heads-not-merged"
pair = "b1"
WHY[[question.wrong]]
mistake = "heads-summed"
pair = "b3"
WHY""",
    ),
    "code": (
        "Join heads.",
        """
accepted = ["np.hstack(heads)"]
refused = ["heads"]
cases = ["heads = np.arange(24.0).reshape(2, 3, 4)", "heads = np.arange(30.0).reshape(3, 5, 2)"]
[question.answer]
line = "np.concatenate(heads, axis=-1)"
run = "code.concat_heads(heads)"
[[question.wrong]]
mistake = "merge-without-transpose"
line = "heads.reshape(heads.shape[1], -1)"
WHY[[question.wrong]]
mistake = "heads-summed"
line = "heads.sum(0)"
WHY[[question.wrong]]
mistake = "concat-on-an-axis-that-is-gone"
line = "np.concatenate(list(heads), axis=2)"
WHY""",
    ),
    "predict": (
        "heads.reshape(L, -1)?",
        """
[question.answer]
run = "code.concat_heads(np.arange(24.0).reshape(2, 3, 4))"
want = "code.concat_heads(np.arange(24.0).reshape(2, 3, 4))"
outcome = "wrong"
mistake = "merge-without-transpose"
[[question.right]]
text.en = "read in memory order"
text.zh = "按内存顺序"
holds = "True"
[[question.wrong]]
mistake = "heads-taken-for-positions"
outcome = "raises"
text.en = "sizes differ"
text.zh = "大小不同"
holds = "False"
WHY[[question.wrong]]
mistake = "axes-moved-but-not-merged"
outcome = "right"
text.en = "axes move along"
text.zh = "轴会跟着动"
holds = "False"
WHY""",
    ),
    "recall": (
        "How are heads joined?",
        """
source = "the tests"
accepted = ["transpose and reshape to LxD"]
refused = ["reshape"]
[[question.right]]
text.en = "Axes change places."
text.zh = "交换轴。"
found = ["transpose", "交换 + 轴"]
[[question.right]]
text.en = "Then reshape: (L, d_model)."
text.zh = "再合并：(L, d_model)。"
found = ["reshape + (L, d_model)"]
[[question.wrong]]
mistake = "merge-without-transpose"
WHY[[question.wrong]]
mistake = "axes-moved-but-not-merged"
WHY""",
    ),
    "error": (
        "It says {{message}}. Why?",
        """
[[question.right]]
text.en = "too few numbers"
text.zh = "数不够"
run = "np.zeros(5).reshape(2, 3)"
[[question.wrong]]
mistake = "merge-without-transpose"
text.en = "no transpose"
text.zh = "没有转置"
run = "np.zeros(6).reshape(2, 3)"
WHY[[question.wrong]]
mistake = "heads-taken-for-positions"
text.en = "other numbers"
text.zh = "别的数"
run = "np.zeros(7).reshape(2, 3)"
WHY""",
    ),
}

KINDS = {
    kind: HEAD
    + _FRAME.format(kind=kind, prompt=prompt, explain="transpose, then reshape: (L, d_model).")
    + rest.replace("WHY", _WHY)
    for kind, (prompt, rest) in _PARTS.items()
}
A_DAY = len(KINDS) - 1  # new questions of a day: all but the last, the error
ALL = HEAD + "".join(bank.removeprefix(HEAD) for bank in KINDS.values())

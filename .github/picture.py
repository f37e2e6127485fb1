"""Makes the pictures of README.md and README.zh.md: a real report on a wrong answer, seen in headless Chromium.

python .github/picture.py
"""

import base64
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).parents[1]
WRONG = '''"""Merge the heads."""

import numpy as np


def concat_heads(heads):
    h, L, d_v = heads.shape
    return np.reshape(heads, (L, h * d_v))
'''
# The head of the page and what it says of the mistake, with the long table between them left out.
SHEET = """
<main style="display: flex; gap: 20px; padding: 20px; background: #ddd; align-items: start; width: fit-content">
<img src="data:image/png;base64,{}"><img src="data:image/png;base64,{}">
</main>
"""
PICTURES = {"en": "report.png", "zh": "report.zh.png"}


def main() -> None:
    """Grade the wrong answer once in each language and take a picture of the page."""
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        answer = Path(name) / "concat.py"
        answer.write_text(WRONG)
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        for language, picture in PICTURES.items():
            report = Path(name) / f"{language}.html"
            arguments = ["exercises/04_concat", "--file", str(answer), "--report", str(report), "--lang", language]
            subprocess.run([sys.executable, "-m", "grader.cli", *arguments], cwd=ROOT, check=False)
            page = browser.new_page(viewport={"width": 900, "height": 1000}, color_scheme="light")
            page.goto(report.as_uri())
            head = page.screenshot(clip={"x": 0, "y": 0, "width": 900, "height": 825})
            finding = page.locator("article").first.screenshot()
            page = browser.new_page(viewport={"width": 1860, "height": 900})
            page.set_content(SHEET.format(*(base64.b64encode(part).decode() for part in (head, finding))))
            page.locator("main").screenshot(path=ROOT / ".github" / picture)
        browser.close()


if __name__ == "__main__":
    main()

"""What mkdocs adds to the pages of this folder: the reference of modules, and the list of decisions."""

import ast
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "qipai"
PACKAGES = ("core", "kit", "games", "arena", "hall")  # what the reference describes
OF_A_GAME = ("options", "state", "rules", "observation", "notation", "hints")  # its kernel and bots read best as source
LIST = "<!-- the list of decisions -->"


def first_line(path: Path) -> str:
    """Return the first line of a module's docstring."""
    words = ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""
    return words.partition("\n")[0]


def modules() -> list[Path]:
    """Return the source files that the reference describes, in order."""
    found = []
    for package in PACKAGES:
        for path in sorted((SOURCE / package).rglob("*.py")):
            parts = path.relative_to(SOURCE).with_suffix("").parts
            in_a_game = package == "games" and len(parts) > 2
            if in_a_game and not (len(parts) == 3 and parts[2] in OF_A_GAME):
                continue
            if path.name != "__init__.py" or len(parts) == 2:
                found.append(path)
    return found


def dotted(path: Path) -> str:
    """Return the name by which a source file is imported."""
    parts = path.relative_to(SOURCE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def on_files(files: Files, config: Any) -> Files:
    """Add a page for each module, and one that lists them."""
    lines = ["# Reference", "", "From the docstrings of the source: what is returned or done.", ""]
    package = ""
    for path in modules():
        name = dotted(path)
        if name.split(".")[1] != package:
            package = name.split(".")[1]
            lines += [f"## {package}", "", "| module | what it is |", "|---|---|"]
        summary = first_line(path).replace("|", "\\|")
        lines.append(f"| [{name}]({name}.md) | {summary} |")
        content = f"---\ntitle: {name.removeprefix('qipai.')}\n---\n\n# `{name}`\n\n::: {name}\n"
        files.append(File.generated(config, f"api/{name}.md", content=content))
    files.append(File.generated(config, "api/index.md", content="\n".join(lines) + "\n"))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Files) -> str:
    """Write the list of decisions into its page, from the records' own titles."""
    if LIST not in markdown:
        return markdown
    records = sorted((ROOT / "docs" / "decisions").glob("0*.md"))
    titles = [path.read_text("utf-8").partition("\n")[0].removeprefix("# ") for path in records]
    return markdown.replace(
        LIST, "\n".join(f"- [{title}]({path.name})" for title, path in zip(titles, records, strict=True))
    )

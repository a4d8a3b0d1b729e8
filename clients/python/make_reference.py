"""Writes reference.md anew from the docstrings: `python make_reference.py`."""

from __future__ import annotations

import ast
import inspect
from pathlib import Path

HERE = Path(__file__).parent
SECTIONS = [
    ("Options", "_config", ["Options", "Seen"]),
    ("Rules", "_rules", ["RuleOptions"]),
    ("People", "_person", ["Person", "LivePerson", "AssertedPerson"]),
    ("Functions of every framework", "_functions", ["Functions", "SyncFunctions"]),
    ("doorward.fastapi", "fastapi", ["Doorward"]),
    ("doorward.asgi", "asgi", ["Doorward"]),
    ("doorward.wsgi", "wsgi", ["Doorward"]),
    ("doorward.django", "django", ["Doorward", "DoorwardMiddleware", "context"]),
    ("doorward.events", "events", ["*"]),
    ("doorward.testing", "testing", ["start_doorward", "Server", "Session", "Mail"]),
    ("pytest", "_pytest_plugin", ["doorward_server"]),
    ("Errors", "_errors", ["DoorwardError", "ConfigurationError", "TokenError", "Unavailable", "WebhookError"]),
]
INTRODUCTION = """# Reference of the Python client

Written by `make_reference.py` from the docstrings. The functions of every framework take its own request: FastAPI's
`Request` or `WebSocket`, an ASGI `scope`, a WSGI `environ`, Django's `HttpRequest`. Those that may ask Doorward are
`async` in `doorward.fastapi` and `doorward.asgi`; in Django they are functions of the module, with `awho`, `alook` and
`arefresh` for async views.
"""


def reference() -> str:
    return INTRODUCTION + "".join(section(*one) for one in SECTIONS)


def section(title: str, module: str, names: list[str]) -> str:
    tree = ast.parse((HERE / "doorward" / f"{module}.py").read_text())
    nodes = [node for node in tree.body if isinstance(node, ast.ClassDef | ast.FunctionDef)]
    chosen = [node for node in nodes if node.name in names or (names == ["*"] and is_public(node))]
    own = f"{text_of(tree)}\n\n" if not module.startswith("_") else ""
    return f"\n## {title}\n\n{own}" + "\n".join(f"{entry(node).strip()}\n" for node in chosen)


def entry(node: ast.ClassDef | ast.FunctionDef) -> str:
    if isinstance(node, ast.FunctionDef):
        return function(node, "### ")
    bases = [ast.unparse(base) for base in node.bases]
    shown = f"({', '.join(bases)})" if bases and not bases[0].startswith(("ABC", "Generic")) else ""
    lines = [f"### {node.name}{shown}\n", f"{text_of(node)}\n"]
    lines += fields(node)
    functions = [one for one in node.body if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef) and is_public(one)]
    return "\n".join([*lines, *(function(one, "- ") for one in functions)])


def fields(node: ast.ClassDef) -> list[str]:
    found = []
    for field, after in zip(node.body, [*node.body[1:], None]):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
            said = after.value.value if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant) else ""
            about = f": {flowing(str(said))}" if said else ""
            found.append(f"- `{field.target.id}` (`{ast.unparse(field.annotation)}`){about}")
    return [*found, ""] if found else []


def function(node: ast.FunctionDef | ast.AsyncFunctionDef, mark: str) -> str:
    arguments = ast.unparse(node.args).removeprefix("self, ").removeprefix("self")
    is_property = any(ast.unparse(decorator) == "property" for decorator in node.decorator_list)
    returned = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    begin = "async " if isinstance(node, ast.AsyncFunctionDef) else ""
    signature = f"`{begin}{node.name}{'' if is_property else f'({arguments})'}{returned}`"
    return f"{mark}{signature}{chr(10) * 2 if mark == '### ' else ': '}{text_of(node)}" + (
        "\n" if mark == "### " else ""
    )


def text_of(node: ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    """The docstring, each paragraph on one line, and code as it stands."""
    paragraphs = inspect.cleandoc(ast.get_docstring(node) or "").split("\n\n")
    return "\n\n".join(part if part.startswith("    ") else flowing(part) for part in paragraphs)


def flowing(text: str) -> str:
    return " ".join(text.split())


def is_public(node: ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return not node.name.startswith("_") and ast.get_docstring(node) is not None


if __name__ == "__main__":
    (HERE / "reference.md").write_text(reference())

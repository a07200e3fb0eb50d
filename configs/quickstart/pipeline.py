"""A small but real pipeline to evaluate: questions about Python's standard library.

The corpus is the library's own docstrings, read from the source files of the
running Python without importing them. BM25 finds the passages and the answer
quotes their best sentences: no model, no network, the same reply every time.
"""

import ast
import logging
import math
import re
import sys
import sysconfig
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import takewhile
from pathlib import Path
from typing import Any, NamedTuple

try:
    import bm25s
    import numpy as np
    from bm25s.stopwords import STOPWORDS_EN_PLUS
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        "the quickstart pipeline needs bm25s; run: pip install 'ragproof-ray[quickstart]'"
    ) from error

logging.getLogger("bm25s").setLevel(logging.WARNING)  # it asks for DEBUG by itself

CHUNK_CHARS = 700
CONTEXT_CHUNKS = 5
QUOTED_SENTENCES = 2
MIN_COVERAGE = 0.4  # of the question's weight; below it, abstain
ABSTENTION = "I could not find this in the documentation."
LEFT_OUT = {"distutils", "encodings", "idlelib", "lib2to3", "tests", "turtledemo"}
DEFINITIONS = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
STOPWORDS = frozenset(STOPWORDS_EN_PLUS) | {"python", "way", "want", "need", "use"}


class Chunk(NamedTuple):
    """A passage; `document_id` is the dotted name of the module it documents."""

    id: str
    document_id: str
    text: str


def module_name(source: Path) -> str:
    """Return the public module that a file, relative to the library, documents.

    `pathlib/_local.py` documents `pathlib`, and `_pydatetime.py`, the Python twin
    of a C module, `datetime`. Empty for private modules, tests and applications.
    """
    first, *rest = source.with_suffix("").parts
    parts = [first.removeprefix("_py"), *rest]
    public = list(takewhile(lambda part: not part.startswith("_"), parts))
    if not public or public[0] not in sys.stdlib_module_names:
        return ""
    return "" if LEFT_OUT.intersection(public) else ".".join(public)


def source_files(library: Path) -> Iterator[Path]:
    """Yield the library's source files, sorted, without entering site-packages."""
    for entry in sorted(library.glob("*")):
        if entry.stem.removeprefix("_py") in sys.stdlib_module_names:
            yield from sorted(entry.rglob("*.py") if entry.is_dir() else [entry])


def docstrings(node: ast.AST, name: str) -> Iterator[str]:
    """Yield the paragraphs of every public docstring under `node`, named first."""
    if isinstance(node, DEFINITIONS | ast.Module):
        text = ast.get_docstring(node)
        if text:
            yield from re.split(r"\n\s*\n", f"{name}: {text}")
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, DEFINITIONS):
            yield from docstrings(child, name)
        elif child.name == "__init__" or not child.name.startswith("_"):
            yield from docstrings(child, f"{name}.{child.name}")


def pack(pieces: Iterable[str], separator: str) -> Iterator[str]:
    """Join neighbouring pieces into texts of about `CHUNK_CHARS` characters."""
    text = ""
    for piece in pieces:
        if text and len(text) + len(piece) > CHUNK_CHARS:
            yield text
            text = ""
        text = f"{text}{separator}{piece}" if text else piece
    if text:
        yield text


def read_corpus(library: Path) -> list[Chunk]:
    """Cut a library's docstrings into chunks; unreadable files are passed over."""
    paragraphs: dict[str, list[str]] = defaultdict(list)
    for path in source_files(library):
        module = module_name(path.relative_to(library))
        try:
            tree = ast.parse(path.read_bytes()) if module else None
        except (OSError, SyntaxError, ValueError):
            continue
        if tree:
            for paragraph in docstrings(tree, module):
                paragraphs[module].extend(pack(paragraph.splitlines(), "\n"))
    return [
        Chunk(f"{module}#{number}", module, text)
        for module, pieces in paragraphs.items()
        for number, text in enumerate(pack(pieces, "\n\n"), start=1)
    ]


def terms(text: str) -> list[str]:
    """Split text into stems: camelCase is cut, stop words are dropped."""
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text)
    words = re.findall(r"[a-z0-9]{2,}", spaced.lower())
    return [stem(word) for word in words if word not in STOPWORDS]


def stem(word: str) -> str:
    """Cut the commonest English endings, so that `parsing` meets `parse`."""
    return re.sub(r"(?<=[a-z]{3})(ies|ing|es|ed|e|s|y)$", "", word)


class Pipeline:
    """The adapter that `ragproof.yaml` names. Threads may share it: calls only read."""

    def __init__(self, library: Path | None = None) -> None:
        self._chunks = read_corpus(library or Path(sysconfig.get_path("stdlib")))
        if not self._chunks:
            raise RuntimeError(
                f"no library sources under {sysconfig.get_path('stdlib')}; "
                "run the quickstart with a full Python installation"
            )
        documents = [terms(chunk.text) for chunk in self._chunks]
        self._frequency = Counter(t for document in documents for t in set(document))
        self._index = bm25s.BM25()
        self._index.index(documents, show_progress=False)

    def retrieve(self, question: str, k: int) -> list[dict[str, Any]]:
        """Return at most `k` chunks that share a term with the question, best first."""
        known = [term for term in terms(question) if term in self._frequency]
        if not known:
            return []
        scores = self._index.get_scores(known)
        best = np.argsort(-scores, kind="stable")[:k]
        return [self._as_reply(i, float(scores[i])) for i in best if scores[i] > 0]

    def answer(self, question: str) -> dict[str, Any]:
        """Quote the sentences nearest to the question, or abstain and cite nothing.

        Instructions in a question are only words to look up. Nothing here could obey
        them, so a resistance of 1.0 says that no model was asked, not that one is safe.
        """
        asked = set(terms(question))
        chunks = self.retrieve(question, CONTEXT_CHUNKS)
        covered = any(self._share(asked, c["text"]) >= MIN_COVERAGE for c in chunks)
        quotes = self._quotes(asked, chunks) if covered else []
        return {
            "answer_text": " ".join(text for _, text in quotes) or ABSTENTION,
            "citations": [{"chunk_id": chunk_id} for chunk_id, _ in quotes],
            "retrieved_chunks": chunks,
        }

    def _as_reply(self, position: int, score: float) -> dict[str, Any]:
        chunk = self._chunks[position]
        return {
            "id": chunk.id,
            "text": chunk.text,
            "score": score,
            "metadata": {"document_id": chunk.document_id},
        }

    def _share(self, asked: set[str], text: str) -> float:
        """Return the part of the question's weight, 0 to 1, that a text carries."""
        found = asked.intersection(terms(text))
        # fsum does not depend on the order, which differs from process to process.
        return math.fsum(map(self._weight, found)) / math.fsum(map(self._weight, asked))

    def _weight(self, term: str) -> float:
        """Return ln(1 + chunks / chunks with the term): rare terms tell most."""
        return math.log1p(len(self._chunks) / max(1, self._frequency[term]))

    def _quotes(
        self, asked: set[str], chunks: list[dict[str, Any]]
    ) -> list[tuple[str, str]]:
        """Return the best sentences as (chunk id, text), best first."""
        found: dict[str, tuple[float, str]] = {}
        for chunk in chunks:
            for sentence in re.split(r"(?<=[.!?])\s+|\n\n", chunk["text"]):
                text = " ".join(sentence.split())
                worth = chunk["score"] * self._share(asked, text)
                found.setdefault(text, (worth, chunk["id"]))
        best = sorted(found, key=lambda text: found[text][0], reverse=True)
        return [(found[text][1], text) for text in best[:QUOTED_SENTENCES]]

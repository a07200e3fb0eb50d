"""YAML text to plain values, with every mistake placed by line.

Knows nothing of what a configuration may say.
"""

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import NamedTuple

import yaml

from ragproof_ray.errors import ConfigError
from ragproof_ray.redaction import redact

# Aliases make a few lines stand for gigabytes; no configuration comes near this.
_MAX_VALUES = 100_000
_MAX_INTEGER_BITS = 1024
_MERGE_TAG = "tag:yaml.org,2002:merge"
_HINTS = {
    r"'\t'": "; indent with spaces",
    "a constructor for the tag": "; remove the tag",
}
# What PyYAML lets through when a value does not fit its tag, as in `!!int x`.
_MISFITS = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)


class Document(NamedTuple):
    """The value of a YAML text, and the mistakes that did not prevent reading it."""

    value: object
    faults: list[str]


def read_document(text: str, place: str) -> Document:
    """Read one YAML document; of a key given twice the last value stands.

    Args:
        text: The document; an empty one has the value None.
        place: Names the text in messages, such as the path of its file.

    Raises:
        ConfigError: The text is not YAML, uses tags beyond plain data, or expands to
            more than 100,000 values.

    """
    try:
        return _read(text, place)
    except RecursionError as error:
        raise ConfigError(f"{place}: nested too deeply; flatten it") from error
    except yaml.reader.ReaderError as error:
        raise ConfigError(redact(_unreadable(error, text, place))) from error
    except yaml.MarkedYAMLError as error:
        raise ConfigError(redact(_not_yaml(error, place))) from error


def _read(text: str, place: str) -> Document:
    loader = _Loader(text)
    try:
        root = loader.get_single_node()
        if root is None:
            return Document(None, [])
        sizes: dict[yaml.Node, int | None] = {}
        if _expanded_size(root, sizes) > _MAX_VALUES:
            raise ConfigError(
                f"{place}: over {_MAX_VALUES:,} values with its aliases written out; "
                "drop what the run does not need"
            )
        faults = [
            f"{place} line {again}: key {key!r} is already on line {first}; keep one"
            for key, first, again in _duplicate_keys(sizes)
        ]
        return Document(loader.construct_document(root), faults)
    finally:
        loader.dispose()


class _Loader(yaml.SafeLoader):
    def get_single_node(self) -> yaml.Node | None:
        try:
            return super().get_single_node()
        except (OverflowError, ValueError) as error:
            problem = "an escape or a number is out of range"
            mark = self.get_mark()
            raise yaml.scanner.ScannerError(None, None, problem, mark) from error

    def construct_object(self, node: yaml.Node, deep: bool = False) -> object:
        try:
            value: object = super().construct_object(node, deep=deep)
        except _MISFITS as error:
            problem = f"the value does not fit its type: {error}"
            raise _construction_fault(problem, node) from error
        if isinstance(value, int) and value.bit_length() > _MAX_INTEGER_BITS:
            raise _construction_fault("the number is too large", node)
        return _whole_characters(value, node) if isinstance(value, str) else value


def _whole_characters(text: str, node: yaml.Node) -> str:
    """Join surrogate pairs, which PyYAML leaves apart in JSON escapes."""
    try:
        return text.encode("utf-16", "surrogatepass").decode("utf-16")
    except UnicodeDecodeError as error:
        problem = "an escape is half of a surrogate pair"
        raise _construction_fault(problem, node) from error


def _construction_fault(problem: str, node: yaml.Node) -> yaml.MarkedYAMLError:
    return yaml.constructor.ConstructorError(None, None, problem, node.start_mark)


def _expanded_size(node: yaml.Node, sizes: dict[yaml.Node, int | None]) -> int:
    """Count the values under `node`, those behind an alias at each use.

    `sizes` remembers the count of every node; None marks the nodes being counted.
    """
    if node in sizes:
        size = sizes[node]
        if size is None:
            raise _construction_fault("an alias stands inside its own anchor", node)
        return size
    sizes[node] = None
    size = 1 + sum(_expanded_size(child, sizes) for child in _children(node))
    sizes[node] = size
    return size


def _children(node: yaml.Node) -> Iterable[yaml.Node]:
    match node:
        case yaml.MappingNode():
            return chain.from_iterable(node.value)
        case yaml.SequenceNode():
            return list(node.value)
        case _:
            return ()


def _duplicate_keys(nodes: Iterable[yaml.Node]) -> Iterator[tuple[str, int, int]]:
    """Yield the key, its first line and its later line, counted from 1."""
    for mapping in nodes:
        if not isinstance(mapping, yaml.MappingNode):
            continue
        lines: dict[tuple[str, str], int] = {}
        for key, _ in mapping.value:
            if not isinstance(key, yaml.ScalarNode) or key.tag == _MERGE_TAG:
                continue
            name, line = (key.tag, key.value), key.start_mark.line + 1
            if name in lines:
                yield key.value, lines[name], line
            else:
                lines[name] = line


def _unreadable(error: yaml.reader.ReaderError, text: str, place: str) -> str:
    line = text.count("\n", 0, error.position) + 1
    return (
        f"{place} line {line}: character U+{ord(text[error.position]):04X} "
        "is not allowed in YAML; remove it"
    )


def _not_yaml(error: yaml.MarkedYAMLError, place: str) -> str:
    mark = error.problem_mark or error.context_mark
    at = f" line {mark.line + 1} column {mark.column + 1}" if mark else ""
    problem = ": ".join(filter(None, (error.context, error.problem)))
    hints = (hint for sign, hint in _HINTS.items() if sign in problem)
    return f"{place}{at}: not valid YAML: {problem}{''.join(hints)}"

"""The frozen file: cases under a seal that says how many and with what hash."""

from pathlib import Path
from typing import Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic_core import ErrorDetails

from ragproof_ray.dataset.faults import InvalidRecordError, raise_file_faults, shown
from ragproof_ray.dataset.fingerprint import DatasetFingerprint
from ragproof_ray.dataset.jsonslices import members
from ragproof_ray.dataset.jsontext import decode_json, decode_utf8
from ragproof_ray.errors import DatasetError


class GenerationMeta(BaseModel):
    """How `generate` drafted the cases, and what it threw away."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    gen_model: str
    seed: int
    requested: dict[str, int]
    produced: dict[str, int]
    qa_discarded: int
    unanswerable_discarded: int
    template_versions: dict[str, str]
    corpus_hash: str | None = None


class FrozenMeta(BaseModel):
    """The seal of a frozen file."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    dataset_hash: str
    hash_algorithm: Literal["sha256"] = "sha256"
    corpus_hash: str | None = None
    size: int
    generation: GenerationMeta | None = None


class FrozenText(NamedTuple):
    """A frozen file whose seal is read and whose cases are still one JSON array."""

    meta: FrozenMeta
    cases: str


def load_frozen(path: Path) -> FrozenText | None:
    """Read a `.json` file whole into memory; None if it is not a frozen one.

    A name that ends with `.frozen.json` promises a frozen file, and anything
    else in it raises `DatasetError`. The cases are not checked yet.
    """
    is_promised = path.name.endswith(".frozen.json")
    try:
        parts = members(decode_utf8(path.read_bytes()))
    except InvalidRecordError as error:
        if is_promised:
            raise DatasetError(f"{path}: {error}") from None
        return None
    if {"meta", "cases"} <= {key for key, _ in parts}:
        return _unpack(path, parts)
    if is_promised:
        raise DatasetError(
            f"{path}: a frozen file is one object with the keys meta and cases; "
            "write it with the freeze command"
        )
    return None


def check_seal(path: Path, meta: FrozenMeta, found: DatasetFingerprint) -> None:
    """Raise `DatasetError` where the cases are not those that were frozen."""
    if meta.size != found.cases:
        raise DatasetError(
            f"{path}: meta.size is {meta.size} but the file holds {found.cases} "
            "cases; freeze the dataset again"
        )
    if meta.dataset_hash != found.dataset_hash:
        raise DatasetError(
            f"{path}: the cases were changed after freezing: meta.dataset_hash is "
            f"{meta.dataset_hash[:12]}, theirs is {found.dataset_hash[:12]}; "
            "freeze the dataset again"
        )


def _unpack(path: Path, parts: list[tuple[str, str]]) -> FrozenText:
    keys = [key for key, _ in parts]
    faults = [
        f"unknown key {shown(key)}; a frozen file has the keys meta and cases only"
        for key in keys
        if key not in {"meta", "cases"}
    ]
    faults += [
        f"key {key!r} appears twice; keep one of them"
        for key in ("meta", "cases")
        if keys.count(key) > 1
    ]
    texts = dict(parts)
    if not texts["cases"].startswith("["):
        faults.append("cases must be a list; freeze the dataset again")
    try:
        meta = FrozenMeta.model_validate(decode_json(texts["meta"]))
    except ValidationError as error:
        faults += map(_meta_fault, error.errors())
    except InvalidRecordError as error:
        faults.append(f"meta: {error}")
    raise_file_faults(path, faults)
    return FrozenText(meta, texts["cases"])


def _meta_fault(detail: ErrorDetails) -> str:
    field = ".".join(["meta", *map(str, detail["loc"])])
    if detail["type"] == "extra_forbidden":
        return f"{field}: unknown key; remove it"
    return f"{field}: {detail['msg'].lower()}; freeze the dataset again"

"""What identifies a dataset and its cases: SHA-256 over canonical bytes."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from json.encoder import encode_basestring as quoted

from ragproof_ray.dataset.case import Case
from ragproof_ray.schema import KINDS

_HASH_SPACE = 2**256


@dataclass(frozen=True, slots=True)
class DatasetFingerprint:
    """The names of one dataset; all hashes are 64 lower-case hex digits.

    Attributes:
        dataset_hash: of the list of canonical cases; their order counts.
        case_set_hash: the case hashes summed modulo 2**256; order does not count.
        content_hash: as dataset_hash, but covers metadata where any case has it.
        cases: how many cases.
        kinds: how many cases of each kind, zeros included.
        frozen: whether the source was a frozen file.
    """

    dataset_hash: str
    case_set_hash: str
    content_hash: str
    cases: int
    kinds: dict[str, int]
    frozen: bool


class Fingerprinter:
    """Hashes cases as they stream by; keeps no case."""

    def __init__(self) -> None:
        self._dataset = sha256(b"[")
        self._metadata = sha256()
        self._has_metadata = False
        self._case_sum = 0
        self._kinds: Counter[str] = Counter()

    def add(self, cases: Sequence[Case]) -> list[str]:
        """Take the next cases in order; return the hash of each."""
        texts = [canonical_case(case) for case in cases]
        if self._kinds.total():
            self._dataset.update(b",")
        self._dataset.update(b",".join(texts))
        digests = [sha256(text).digest() for text in texts]
        self._case_sum += sum(int.from_bytes(digest) for digest in digests)
        self._kinds.update([case.kind for case in cases])
        self._add_metadata([case.metadata for case in cases])
        return [digest.hex() for digest in digests]

    def finish(self, *, frozen: bool) -> DatasetFingerprint:
        """Close the hashes; nothing may be added after it."""
        self._dataset.update(b"]")
        dataset_hash = self._dataset.hexdigest()
        self._metadata.update(dataset_hash.encode())
        return DatasetFingerprint(
            dataset_hash=dataset_hash,
            case_set_hash=f"{self._case_sum % _HASH_SPACE:064x}",
            content_hash=(
                self._metadata.hexdigest() if self._has_metadata else dataset_hash
            ),
            cases=self._kinds.total(),
            kinds={kind: self._kinds[kind] for kind in KINDS},
            frozen=frozen,
        )

    def _add_metadata(self, texts: list[str | None]) -> None:
        self._has_metadata = self._has_metadata or any(texts)
        # Compact JSON holds no raw line feed, so the join cannot be ambiguous.
        lines = "".join(f"{text or ''}\n" for text in texts)
        self._metadata.update(lines.encode())


def canonical_case(case: Case) -> bytes:
    """The case's six hashed keys as sorted, compact, unescaped JSON in UTF-8.

    Equal to `json.dumps(..., sort_keys=True, ensure_ascii=False,
    separators=(",", ":"))` at a quarter of its cost; metadata is left out.
    """
    answer, payload = case.expected_answer, case.adversarial_payload
    return (
        f'{{"adversarial_payload":{"null" if payload is None else quoted(payload)},'
        f'"expected_answer":{"null" if answer is None else quoted(answer)},'
        f'"expected_source_ids":[{",".join(map(quoted, case.expected_source_ids))}],'
        f'"id":{quoted(case.case_id)},"kind":"{case.kind}",'
        f'"question":{quoted(case.question)}}}'
    ).encode()

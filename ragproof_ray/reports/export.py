"""Per-case results in dataset order, as JSONL, CSV or Parquet, a slice at a time."""

import json
import secrets
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import polars as pl
import pyarrow.parquet as pq

from ragproof_ray.errors import ConfigError
from ragproof_ray.metrics import METRICS

SLICE = 20_000

_DETAILS = {metric.name: metric.details for metric in METRICS if metric.details}
_SCHEMA = {
    "case_id": pl.String(),
    "case_position": pl.UInt32(),  # from 0
    "kind": pl.String(),
    "status": pl.String(),
    "error": pl.String(),
    "retrieved_ids": pl.List(pl.String()),
    "answer_text": pl.String(),
    "cited_ids": pl.List(pl.String()),
    "judge_raw_json": pl.String(),
    "duration_ms": pl.Float64(),
}
_BEFORE_SCORES = 5
_SCORE_SCHEMA = {"status": pl.String(), "value": pl.Float64(), "reason": pl.String()}


def export(
    results: pl.LazyFrame, metrics: Sequence[str], total: int, form: str, sink: BinaryIO
) -> int:
    """Write one record per finished case and return how many there were.

    Memory does not grow with the run: it is read, ordered and written in slices.

    Args:
        results: one row per finished case, or a frame without columns.
        metrics: every metric of the run, in order.
        total: cases of the run.
        form: jsonl, csv or parquet.
        sink: an open binary stream.
    """
    slices = _in_order(results, metrics, total)
    return FORMATS[form](slices, metrics, sink)


def export_to(
    out: str,
    results: pl.LazyFrame,
    metrics: Sequence[str],
    total: int,
    form: str,
) -> int:
    """Export to a file, or to standard output when `out` is `-`.

    A file appears whole or not at all.

    Raises:
        ConfigError: the format is unknown, or the file cannot be written.
    """
    if form not in FORMATS:
        raise ConfigError(
            f"--format {form!r} is unknown; choose one of {', '.join(FORMATS)}"
        )
    if out == "-":
        return export(results, metrics, total, form, sys.stdout.buffer)
    partial = Path(f"{out}.tmp-{secrets.token_hex(4)}")
    try:
        with partial.open("wb") as sink:
            written = export(results, metrics, total, form, sink)
        partial.replace(out)
    except OSError as error:
        partial.unlink(missing_ok=True)
        raise ConfigError(
            f"{out}: cannot be written ({error.strerror}); choose another --out"
        ) from error
    return written


def _in_order(
    results: pl.LazyFrame, metrics: Sequence[str], total: int
) -> Iterator[pl.DataFrame]:
    schema = _flat_schema(metrics)
    if not results.collect_schema().names():
        yield pl.DataFrame(schema=schema)
        return
    named = results.rename({"ordinal": "case_position"})
    for start in range(0, total, SLICE):
        inside = pl.col("case_position").is_between(start, start + SLICE - 1)
        yield named.filter(inside).sort("case_position").select(*schema).collect()


def _flat_schema(metrics: Sequence[str]) -> dict[str, pl.DataType]:
    fields = list(_SCHEMA.items())
    scores = [
        (f"{metric}.{part}", dtype)
        for metric in metrics
        for part, dtype in _score_schema(metric).items()
    ]
    return dict([*fields[:_BEFORE_SCORES], *scores, *fields[_BEFORE_SCORES:]])


def _score_schema(metric: str) -> dict[str, pl.DataType]:
    details = dict.fromkeys(_DETAILS.get(metric, ()), pl.String())
    return {**_SCORE_SCHEMA, **details}


def _write_jsonl(
    slices: Iterable[pl.DataFrame], metrics: Sequence[str], sink: BinaryIO
) -> int:
    written = 0
    for frame in slices:
        columns = frame.to_dict(as_series=False)
        scores = [_score_objects(columns, metric) for metric in metrics]
        names = list(_SCHEMA)
        for row, *objects in zip(
            zip(*(columns[name] for name in names), strict=True), *scores, strict=True
        ):
            record = dict(zip(names, row, strict=True))
            after = {name: record.pop(name) for name in names[_BEFORE_SCORES:]}
            if after["judge_raw_json"] is not None:
                after["judge_raw_json"] = json.loads(after["judge_raw_json"])
            record["scores"] = dict(zip(metrics, objects, strict=True))
            text = json.dumps(record | after, ensure_ascii=False, allow_nan=False)
            sink.write(text.encode() + b"\n")
        written += frame.height
    return written


def _score_objects(
    columns: Mapping[str, list[Any]], metric: str
) -> list[dict[str, Any]]:
    parts = list(_score_schema(metric))
    values = (columns[f"{metric}.{part}"] for part in parts)
    return [dict(zip(parts, row, strict=True)) for row in zip(*values, strict=True)]


def _write_csv(
    slices: Iterable[pl.DataFrame], _metrics: Sequence[str], sink: BinaryIO
) -> int:
    written = 0
    for number, frame in enumerate(slices):
        as_text = frame.with_columns(
            pl.Series(name, [_json_or_none(value) for value in frame[name]], pl.String)
            for name in ("retrieved_ids", "cited_ids")
        )
        as_text.write_csv(sink, include_header=number == 0)
        written += frame.height
    return written


def _json_or_none(values: pl.Series | None) -> str | None:
    return None if values is None else json.dumps(values.to_list(), ensure_ascii=False)


def _write_parquet(
    slices: Iterable[pl.DataFrame], _metrics: Sequence[str], sink: BinaryIO
) -> int:
    written = 0
    writer = None
    for frame in slices:
        table = frame.to_arrow()
        writer = writer or pq.ParquetWriter(sink, table.schema, compression="zstd")
        writer.write_table(table)
        written += frame.height
    if writer is not None:
        writer.close()
    return written


FORMATS: dict[str, Callable[[Iterable[pl.DataFrame], Sequence[str], BinaryIO], int]] = {
    "jsonl": _write_jsonl,
    "csv": _write_csv,
    "parquet": _write_parquet,
}

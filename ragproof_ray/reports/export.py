"""Per-case results in dataset order, as JSONL, CSV or Parquet, a slice at a time."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import BinaryIO, Literal

import polars as pl
import pyarrow.parquet as pq

from ragproof_ray.engine.files import store_errors
from ragproof_ray.metrics import METRICS

Format = Literal["jsonl", "csv", "parquet"]

SLICE = 8192  # cases in memory at a time

_DETAILS = {metric.name: metric.details for metric in METRICS}
_BEFORE_SCORES = {
    "case_id": pl.String(),
    "case_position": pl.UInt32(),  # from 0
    "kind": pl.String(),
    "status": pl.String(),
    "error": pl.String(),
}
_AFTER_SCORES = {
    "retrieved_ids": pl.List(pl.String()),
    "answer_text": pl.String(),
    "cited_ids": pl.List(pl.String()),
    "judge_raw_json": pl.String(),
    "duration_ms": pl.Float64(),
}
_SCORE = {"status": pl.String(), "value": pl.Float64(), "reason": pl.String()}


def export(
    results: pl.LazyFrame,
    metrics: Sequence[str],
    total: int,
    form: Format,
    sink: BinaryIO,
) -> int:
    """Write one record per finished case and return how many there were.

    JSONL nests the scores and gives `judge_raw_json` as an object. CSV and Parquet
    have a column for each part of a score; lists are JSON text in CSV, where an
    unquoted empty field is null.

    Args:
        results: one row per finished case, or a frame without columns.
        metrics: every metric of the run, in order.
        total: cases of the run.
        form: jsonl, csv or parquet.
        sink: an open binary stream.

    Raises:
        StoreError: the results cannot be read.
        OSError: the sink refuses.
    """
    return _WRITERS[form](_in_order(results, metrics, total), metrics, sink)


def _in_order(
    results: pl.LazyFrame, metrics: Sequence[str], total: int
) -> Iterator[pl.DataFrame]:
    """Yield the results in slices that fit in memory; no run gives one empty slice."""
    scores = {
        f"{metric}.{part}": dtype
        for metric in metrics
        for part, dtype in _score_schema(metric).items()
    }
    schema = _BEFORE_SCORES | scores | _AFTER_SCORES
    with store_errors("results"):
        if not results.collect_schema().names():
            yield pl.DataFrame(schema=schema)
            return
        named = results.rename({"ordinal": "case_position"})
        for start in range(0, total, SLICE):
            inside = pl.col("case_position").is_between(start, start + SLICE - 1)
            yield named.filter(inside).sort("case_position").select(*schema).collect()


def _score_schema(metric: str) -> dict[str, pl.DataType]:
    return _SCORE | dict.fromkeys(_DETAILS.get(metric, ()), pl.String())


def _write_jsonl(
    slices: Iterable[pl.DataFrame], metrics: Sequence[str], sink: BinaryIO
) -> int:
    record, written = _record(metrics), 0
    for frame in slices:
        lines = frame.select(record).to_series()
        sink.writelines(f"{line}\n".encode() for line in lines)
        written += frame.height
    return written


def _record(metrics: Sequence[str]) -> pl.Expr:
    """Return one JSON object per row; a stored JSON text becomes a value of its own."""
    scores = pl.struct(
        pl.struct(
            pl.col(f"{metric}.{part}").alias(part) for part in _score_schema(metric)
        ).alias(metric)
        for metric in metrics
    )
    *columns, raw, duration = _AFTER_SCORES
    before = pl.struct(*_BEFORE_SCORES, scores.alias("scores"), *columns)
    return pl.concat_str(
        before.struct.json_encode().str.strip_suffix("}"),
        pl.lit(f',"{raw}":'),
        pl.col(raw).fill_null("null"),
        pl.lit(","),
        pl.struct(duration).struct.json_encode().str.strip_prefix("{"),
    )


def _write_csv(
    slices: Iterable[pl.DataFrame], _metrics: Sequence[str], sink: BinaryIO
) -> int:
    lists = [name for name, dtype in _AFTER_SCORES.items() if dtype == pl.List]
    written = 0
    for number, frame in enumerate(slices):
        flat = frame.with_columns(map(_json_text, lists))
        sink.write(flat.write_csv(include_header=number == 0).encode())
        written += frame.height
    return written


def _json_text(name: str) -> pl.Expr:
    """Return a column of lists as JSON arrays, nulls as they are."""
    encoded = pl.struct(name).struct.json_encode()
    array = encoded.str.strip_prefix(f'{{"{name}":').str.strip_suffix("}")
    return pl.when(pl.col(name).is_not_null()).then(array).alias(name)


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


_WRITERS: dict[
    Format, Callable[[Iterable[pl.DataFrame], Sequence[str], BinaryIO], int]
] = {"jsonl": _write_jsonl, "csv": _write_csv, "parquet": _write_parquet}

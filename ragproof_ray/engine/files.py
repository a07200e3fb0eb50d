"""Files that appear whole or not at all, on any pyarrow filesystem.

On a disk a file is written beside its place and renamed; on an object store it is one
put. Paths are relative to the root of the store.
"""

import io
import os
import secrets
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress

import polars as pl
import pyarrow as pa
import pyarrow.fs as pafs
import pyarrow.parquet as pq

from ragproof_ray.errors import ConfigError, StoreError


class Files:
    """The files under one folder or URI.

    Args:
        location: a folder (created when first written to) or a URI that
            `pyarrow.fs.FileSystem.from_uri` understands.

    Raises:
        ConfigError: the URI names no filesystem.
        StoreError: from any method, when the filesystem refuses; names the path.
    """

    def __init__(self, location: str) -> None:
        self._fs, self._root = _open(location)
        self._is_local = isinstance(self._fs, pafs.LocalFileSystem)
        # Where the files are, in words that mean the same in any working directory.
        self.location = self._root if self._is_local else location

    def path(self, path: str) -> str:
        """Return a path as the filesystem knows it."""
        return f"{self._root}/{path}"

    def put(self, path: str, data: bytes) -> None:
        """Write a file, replacing what was there; a failure leaves nothing of it."""
        final = self.path(path)
        target = f"{final}.tmp-{secrets.token_hex(4)}" if self._is_local else final
        with store_errors(final):
            self._fs.create_dir(final.rpartition("/")[0], recursive=True)
            try:
                with self._fs.open_output_stream(target, compression=None) as sink:
                    sink.write(data)
                if target != final:
                    self._fs.move(target, final)
            except BaseException:
                with suppress(OSError):
                    self._fs.delete_file(target)
                raise

    def get(self, path: str) -> bytes:
        """Return the content of a file."""
        with (
            store_errors(self.path(path)),
            self._fs.open_input_stream(self.path(path), compression=None) as source,
        ):
            return bytes(source.read())

    def exists(self, path: str) -> bool:
        """Tell whether there is a file or folder."""
        with store_errors(self.path(path)):
            info = self._fs.get_file_info(self.path(path))
        return bool(info.type != pafs.FileType.NotFound)

    def files(self, folder: str) -> list[str]:
        """Return the names of the whole files in a folder, in no particular order."""
        names = self._names(folder, pafs.FileType.File)
        return [name for name in names if ".tmp-" not in name]

    def folders(self, folder: str) -> list[str]:
        """Return the names of the folders in a folder, in no particular order."""
        return self._names(folder, pafs.FileType.Directory)

    def move(self, source: str, target: str, names: Iterable[str]) -> None:
        """Move files from one folder to another, each replacing its namesake."""
        with store_errors(self.path(target)):
            self._fs.create_dir(self.path(target), recursive=True)
            for name in names:
                self._fs.move(
                    self.path(f"{source}/{name}"), self.path(f"{target}/{name}")
                )

    def delete(self, folder: str) -> None:
        """Remove a folder, if it is there."""
        with suppress(OSError):
            self._fs.delete_dir(self.path(folder))

    def delete_file(self, path: str) -> None:
        """Remove a file, if that can be done."""
        with suppress(OSError):
            self._fs.delete_file(self.path(path))

    def delete_stale(self, folder: str, prefix: str, age_s: float) -> None:
        """Remove folders of a name that nobody has written to for a while."""
        selector = pafs.FileSelector(self.path(folder), allow_not_found=True)
        with store_errors(self.path(folder)):
            found = self._fs.get_file_info(selector)
        before = time.time() - age_s
        for info in found:
            is_old = info.mtime is not None and info.mtime.timestamp() < before
            if info.base_name.startswith(prefix) and is_old:
                self.delete(f"{folder}/{info.base_name}")

    def read_frame(self, path: str, columns: list[str] | None = None) -> pl.DataFrame:
        """Return a Parquet file, or some columns of it."""
        source = self.path(path) if self._is_local else io.BytesIO(self.get(path))
        with store_errors(self.path(path)):
            return pl.read_parquet(source, columns=columns, glob=False)

    def read_footer(self, path: str) -> pq.FileMetaData:
        """Return the footer of a Parquet file."""
        with (
            store_errors(self.path(path)),
            self._fs.open_input_file(self.path(path)) as source,
        ):
            return pq.ParquetFile(source).metadata

    def scan(self, paths: Sequence[str]) -> pl.LazyFrame:
        """Return Parquet files as one lazy frame; errors come to whoever collects it."""
        places = [self.path(path) for path in paths]
        if self._is_local:
            return pl.scan_parquet(places, glob=False)
        import pyarrow.dataset as pads

        dataset = pads.dataset(places, format="parquet", filesystem=self._fs)
        return pl.scan_pyarrow_dataset(dataset)

    def _names(self, folder: str, kind: pafs.FileType) -> list[str]:
        selector = pafs.FileSelector(self.path(folder), allow_not_found=True)
        with store_errors(self.path(folder)):
            found = self._fs.get_file_info(selector)
        return [info.base_name for info in found if info.type == kind]


def _open(location: str) -> tuple[pafs.FileSystem, str]:
    """Return the filesystem of a store and the path of its root inside it."""
    if "\0" in location:
        raise ConfigError(f"store {location!r} holds a NUL; name another folder")
    if "://" not in location:
        return pafs.LocalFileSystem(), os.path.abspath(location)  # noqa: PTH100 - keeps links
    try:
        filesystem, root = pafs.FileSystem.from_uri(location)
    except (pa.ArrowException, OSError, ValueError) as error:
        msg = (
            f"store {location!r} cannot be opened: {error}; "
            "give a folder, or a URI that pyarrow understands, such as s3://bucket/path"
        )
        raise ConfigError(msg) from error
    return filesystem, root.rstrip("/")


@contextmanager
def store_errors(where: str) -> Iterator[None]:
    """Turn what a filesystem or Parquet reader raises into a `StoreError`.

    Frames that are scanned lazily are read later, by whoever collects them.
    """
    try:
        yield
    except (OSError, pa.ArrowException, pl.exceptions.PolarsError) as error:
        code = error.errno if isinstance(error, OSError) else None
        reason = os.strerror(code) if code else str(error).partition("\n")[0]
        raise StoreError(
            f"store: {where}: {reason}; check the disk's space and permissions, and that "
            "the file is whole"
        ) from error

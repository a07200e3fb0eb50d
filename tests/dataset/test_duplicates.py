import polars as pl

from ragproof_ray.dataset.duplicates import Duplicate, IdHashes, find_duplicates


def ids(*values):
    return pl.Series(values, dtype=pl.String)


def test_distinct_ids_are_no_suspects():
    hashes = IdHashes()
    hashes.add(ids("a", "b"))
    hashes.add(ids("c"))

    assert hashes.suspects().is_empty()


def test_no_ids_give_no_suspects():
    assert IdHashes().suspects().is_empty()


def test_an_id_seen_again_in_a_later_frame_is_one_suspect():
    hashes = IdHashes()
    hashes.add(ids("a", "b"))
    hashes.add(ids("b", "c", "b"))

    assert hashes.suspects().to_list() == ids("b").hash().to_list()


def test_a_duplicate_names_its_first_and_its_later_use():
    batches = [(ids("a", "b"), [1, 3]), (ids("b", "a"), [4, 9])]

    found = list(find_duplicates(batches, ids("b").hash()))
    assert found == [Duplicate("b", 3, 4)]


def test_every_later_use_is_told():
    batches = [(ids("a", "a", "a"), [1, 2, 3])]

    found = list(find_duplicates(batches, ids("a").hash()))
    assert found == [Duplicate("a", 1, 2), Duplicate("a", 1, 3)]


def test_different_ids_that_share_a_hash_are_no_duplicates():
    suspects = ids("a", "b").hash()

    assert list(find_duplicates([(ids("a", "b"), [1, 2])], suspects)) == []

import pickle

import pytest

from ragproof_ray import errors


def tree(root):
    return [root, *(leaf for child in root.__subclasses__() for leaf in tree(child))]


CLASSES = [
    kind for kind in tree(errors.RagproofError) if kind.__module__ == errors.__name__
]


def test_every_error_of_the_module_is_in_the_tree():
    defined = {
        value
        for value in vars(errors).values()
        if isinstance(value, type) and issubclass(value, Exception)
    }

    assert defined == set(CLASSES)


@pytest.mark.parametrize("kind", CLASSES)
def test_an_error_survives_pickling_with_its_text(kind):
    error = pickle.loads(
        pickle.dumps(kind("cases.jsonl line 12: é", 7))
    )  # our own bytes

    assert type(error) is kind
    assert error.args == ("cases.jsonl line 12: é", 7)


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        (errors.ConfigError, 3),
        (errors.DatasetError, 3),
        (errors.ExecutionError, 2),
        (errors.StoreError, 2),
        (errors.RagproofError, 2),
        (errors.CaseError, 2),
    ],
)
def test_an_error_carries_the_exit_code_of_its_branch(kind, code):
    assert kind("x").exit_code == code


def test_the_exit_codes_are_the_documented_ones():
    codes = {name: value for name, value in vars(errors).items() if "EXIT_" in name}

    assert codes == {
        "EXIT_OK": 0,
        "EXIT_GATE_FAILED": 1,
        "EXIT_EXECUTION": 2,
        "EXIT_CONFIG": 3,
        "EXIT_INTERRUPTED": 130,
        "EXIT_TERMINATED": 143,
    }

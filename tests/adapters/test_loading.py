import asyncio
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from textwrap import dedent

import pytest

from ragproof_ray.adapters.loading import load_pipeline, preload
from ragproof_ray.errors import ConfigError

numbers = count()


@pytest.fixture
def module(tmp_path, monkeypatch):
    """Return a function that writes a module into the working directory."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))

    def write(source):
        name = f"pipeline_under_test_{next(numbers)}"
        (tmp_path / f"{name}.py").write_text(dedent(source))
        return name

    return write


def load(target):
    return asyncio.run(load_pipeline(target))


def refusal(target):
    with pytest.raises(ConfigError) as caught:
        load(target)
    return str(caught.value)


SOURCE = """
    import functools

    class Pipeline:
        def __init__(self, answer="built"):
            self.reply = answer

        def answer(self, question):
            return self.reply

        @classmethod
        def default(cls):
            return cls("by classmethod")

    class CallablePipeline(Pipeline):
        def __call__(self):
            raise RuntimeError("a pipeline is not a factory")

    def build():
        return Pipeline("by function")

    async def build_async():
        return Pipeline("by coroutine")

    @functools.cache
    def build_once():
        return Pipeline("by cached function")

    class Registry:
        main = Pipeline("by dotted path")

    lambda_factory = lambda: Pipeline("by lambda")
    partial_class = functools.partial(Pipeline, "by partial class")
    partial_async = functools.partial(build_async)
    partial_pipeline = functools.partial(print)
    partial_pipeline.answer = lambda question: "partial used as it is"
    instance = Pipeline("as it is")
    callable_instance = CallablePipeline("callable, as it is")
"""


@pytest.mark.parametrize(
    ("attribute", "reply"),
    [
        ("Pipeline", "built"),
        ("Pipeline.default", "by classmethod"),
        ("build", "by function"),
        ("build_async", "by coroutine"),
        ("build_once", "by cached function"),
        ("lambda_factory", "by lambda"),
        ("partial_class", "by partial class"),
        ("partial_async", "by coroutine"),
        ("Registry.main", "by dotted path"),
        ("instance", "as it is"),
        ("callable_instance", "callable, as it is"),
        ("partial_pipeline", "partial used as it is"),
    ],
)
def test_a_target_is_built_by_its_kind(module, attribute, reply):
    pipeline = load(f"{module(SOURCE)}:{attribute}")

    assert pipeline.answer("q") == reply


def test_a_module_can_be_the_pipeline(module):
    inner = module("def answer(question): return 'from the module'")
    outer = module(f"import {inner} as rag")

    assert load(f"{outer}:rag").answer("q") == "from the module"


def test_the_working_directory_is_searched_first_and_added_once(module, tmp_path):
    target = f"{module(SOURCE)}:Pipeline"

    load(target)
    load(target)

    assert sys.path[0] == str(tmp_path)
    assert sys.path.count(str(tmp_path)) == 1


@pytest.mark.parametrize("target", ["", "my_rag", "my_rag:", ":Pipeline"])
def test_a_target_without_its_two_parts_is_refused(target):
    assert refusal(target) == (
        f'adapter.target "{target}" is not of the form "module:attribute"; write for'
        ' example "my_rag:Pipeline"'
    )


@pytest.mark.parametrize(
    ("name", "missing"),
    [("no_such_rag", "no_such_rag"), ("no_such_rag.sub", "no_such_rag")],
)
def test_a_module_that_does_not_exist_is_named(module, name, missing):
    module("")

    assert refusal(f"{name}:Pipeline") == (
        f'adapter.target "{name}:Pipeline": there is no module "{missing}"; run from'
        " the folder that holds it, or install it"
    )


def test_a_module_that_the_pipeline_lacks_is_the_pipelines_fault(module):
    name = module("import no_such_library")

    assert refusal(f"{name}:Pipeline") == (
        f'adapter.target "{name}:Pipeline": importing it raised ModuleNotFoundError:'
        " No module named 'no_such_library'; correct the pipeline or the target"
    )


def test_a_missing_attribute_gets_the_nearest_name(module):
    name = module(SOURCE)

    assert refusal(f"{name}:Pipelin") == (
        f'adapter.target "{name}:Pipelin": "Pipelin" does not exist; did you mean'
        ' "Pipeline"?'
    )


def test_a_missing_attribute_unlike_any_name_gets_the_names(module):
    name = module("alpha = beta = 1")

    assert refusal(f"{name}:zzz") == (
        f'adapter.target "{name}:zzz": "zzz" does not exist; it has alpha, beta'
    )


@pytest.mark.parametrize(
    ("statement", "text"),
    [
        ("raise RuntimeError('no index')", "RuntimeError: no index"),
        ("raise SystemExit(3)", "SystemExit: 3"),
        ("raise type('Stop', (BaseException,), {})('x')", "Stop: x"),
    ],
)
@pytest.mark.parametrize("verb", ["importing", "building"])
def test_what_the_users_code_raises_is_told_without_a_traceback(
    module, verb, statement, text
):
    name = module(
        statement if verb == "importing" else f"def build():\n  {statement}\n"
    )

    message = refusal(f"{name}:build")

    assert message.startswith(f'adapter.target "{name}:build": {verb} it raised ')
    assert message.endswith(f"{text}; correct the pipeline or the target")
    assert "Traceback" not in message


def test_a_syntax_error_is_shown_with_its_line(module):
    name = module("def build(:\n  pass")

    message = refusal(f"{name}:build")

    assert "SyntaxError" in message
    assert f"{name}.py" in message
    assert "line 1" in message


def test_an_async_factory_that_exits_is_a_config_error(module):
    name = module("async def build():\n  raise SystemExit(1)")

    assert "building it raised SystemExit: 1;" in refusal(f"{name}:build")


def test_ctrl_c_during_the_import_is_left_alone(module):
    name = module("raise KeyboardInterrupt")

    with pytest.raises(KeyboardInterrupt):
        load(f"{name}:build")


def test_secrets_in_the_users_exception_are_redacted(module):
    name = module("raise ValueError('401 for Bearer demo-secret-000111222')")

    message = refusal(f"{name}:build")

    assert "demo-secret" not in message
    assert "401 for [redacted]" in message


def test_a_class_that_needs_arguments_is_told_so(module):
    name = module("class P:\n  def __init__(self, index): pass")

    assert refusal(f"{name}:P") == (
        f'adapter.target "{name}:P": it needs arguments (missing a required argument:'
        " 'index'); name a function that takes none and returns the pipeline"
    )


def test_a_type_error_inside_a_constructor_is_not_taken_for_missing_arguments(module):
    name = module("class P:\n  def __init__(self): len(5)")

    assert "raised TypeError: object of type 'int' has no len()" in refusal(f"{name}:P")


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("P = 5", "an object of type int with neither"),
        ("class P:\n  answer = 'text'\n  def ask(self): pass", "(it has answer, ask)"),
        ("def P(): return None", "an object of type NoneType with neither"),
        ("class P: pass", "(it has no public names)"),
        ("class P: a=b=c=d=e=f=1", "(it has a, b, c, d, e, ...)"),
    ],
)
def test_a_pipeline_with_neither_method_is_named_by_what_it_has(module, source, found):
    message = refusal(f"{module(source)}:P")

    assert found in message
    assert message.endswith("define retrieve(question, k), answer(question) or both")


@pytest.mark.parametrize("verb", ["importing", "building"])
def test_an_interrupt_where_no_ctrl_c_arrives_is_a_config_error(module, verb):
    name = module(
        "raise KeyboardInterrupt"
        if verb == "importing"
        else "async def build():\n  raise KeyboardInterrupt"
    )

    with ThreadPoolExecutor(1) as pool:
        message = pool.submit(refusal, f"{name}:build").result()

    assert f"{verb} it raised KeyboardInterrupt; correct" in message


@pytest.mark.parametrize(
    "statement",
    ["raise SystemExit(3)", "raise GeneratorExit", "import no_such_library"],
)
def test_a_preload_leaves_a_failure_to_be_explained_later(module, statement):
    preload(f"{module(statement)}:build")


def test_ctrl_c_during_a_preload_is_left_alone(module):
    name = module("raise KeyboardInterrupt")

    with pytest.raises(KeyboardInterrupt):
        preload(f"{name}:build")

"""Asking a model: every way to fail ends in a labelled result, and none raises."""

from __future__ import annotations

import asyncio
import json
import logging

import pytest

from model_client import MODEL, ask, question, reasons
from model_server import Draft, ModelServer, Seen, ToolCall
from model_server.faults import KINDS, Kind
from plugineval_action.llm.anthropic_client import AnthropicTransport, sdk
from plugineval_action.llm.asking import Limits
from plugineval_action.llm.client import Message, Reason, Text, Tool, ToolResult

VERDICT = {
    "type": "object",
    "properties": {
        "reasoning": {"type": "string", "maxLength": 200},
        "score": {"type": "number", "minimum": 0, "maximum": 1},
        "verdict": {"enum": ["Yes", "No"]},
    },
}
GOOD = json.dumps({"reasoning": "It is.", "score": 0.5, "verdict": "Yes"})


def says(*drafts: Draft) -> ModelServer:
    """A server whose model says one thing after the other, the last one for ever."""
    left = list(drafts)
    return ModelServer(lambda _: left.pop(0) if len(left) > 1 else left[0])


class TestAnswers:
    def test_a_plain_question_is_answered_with_its_tokens_and_what_the_service_bills(self) -> None:
        with ModelServer() as server:
            asked = ask(server, question())

            usage = asked.reply.usage
            assert ("end_turn", MODEL, 1) == (
                asked.reply.stop_reason,
                asked.reply.model,
                usage.calls,
            )
            assert server.billed == pytest.approx(usage.usd)
            assert server.billed == pytest.approx(asked.budget.spent)

    def test_thinking_comes_first_and_is_no_part_of_the_text(self) -> None:
        with says(Draft("The answer.", thinking=50)) as server:
            reply = ask(server, question()).reply

        assert "The answer." == reply.text
        assert ["thinking", "text"] == [said.block["type"] for said in reply.said]

    def test_a_structured_answer_is_data_that_fits_and_enums_are_spelt_as_asked(self) -> None:
        shouted = json.dumps({"reasoning": "", "score": 1, "verdict": "YES"})
        with says(Draft(shouted)) as server:
            reply = ask(server, question(schema=VERDICT)).reply

        assert {"reasoning": "", "score": 1, "verdict": "Yes"} == reply.data

    def test_a_tool_is_asked_for_and_its_result_goes_back_with_what_the_model_thought(self) -> None:
        def model(seen: Seen) -> Draft:
            if seen.after_tool:
                return Draft(f"It says: {seen.prompt}")
            return Draft(tool_calls=(ToolCall("load", {"name": "a"}),), thinking=9)

        tool = Tool("load", "Load a skill.", {"type": "object", "properties": {"name": {}}})
        first = question(tools=(tool,))
        with ModelServer(model) as server:
            reply = ask(server, first).reply
            (use,) = reply.tool_uses
            turns = (
                Message("assistant", reply.said),
                Message("user", (ToolResult(use.id, "the body"),)),
            )
            then = ask(server, first._replace(messages=(*first.messages, *turns))).reply

        assert ("tool_use", "load", {"name": "a"}) == (reply.stop_reason, use.name, use.input)
        assert "It says: the body" == then.text

    def test_without_a_schema_refused_and_cut_answers_are_answers(self) -> None:
        with says(Draft(refusal=True), Draft("word " * 500)) as server:
            first = ask(server, question("a")).reply
            second = ask(server, question("b", max_tokens=50)).reply

        assert ["refusal", "max_tokens"] == [first.stop_reason, second.stop_reason]


class TestRepair:
    @pytest.mark.parametrize(
        ("wrong", "reason"),
        [
            (Draft("no JSON"), "invalid"),
            (Draft('{"score": NaN}'), "invalid"),
            (Draft("[" * 5000), "invalid"),
            (Draft('{"reasoning": "", "score": 1.5, "verdict": "Yes"}'), "invalid"),
            (Draft('{"reasoning": "", "verdict": "Yes"}'), "invalid"),
            (Draft('{"reasoning": "", "score": 1, "verdict": "Yes", "more": 1}'), "invalid"),
            (Draft(refusal=True), "refused"),
            (Draft("{" + " " * 9000), "cut"),
        ],
    )
    def test_an_answer_that_fails_twice_is_unmeasured_with_its_reason(
        self, wrong: Draft, reason: Reason
    ) -> None:
        with says(wrong) as server:
            asked = ask(server, question(schema=VERDICT, max_tokens=800))

            assert (reason, 2) == (asked.unmeasured.reason, len(server.calls))
            assert server.billed == pytest.approx(asked.unmeasured.usage.usd)

    @pytest.mark.parametrize("wrong", [Draft("no JSON"), Draft(refusal=True), Draft("x" * 9000)])
    def test_a_second_answer_that_fits_counts_and_both_are_paid(self, wrong: Draft) -> None:
        with says(wrong, Draft(GOOD)) as server:
            reply = ask(server, question(schema=VERDICT, max_tokens=800)).reply

            assert (json.loads(GOOD), 2) == (reply.data, reply.usage.calls)
            assert server.billed == pytest.approx(reply.usage.usd)

    def test_the_model_is_told_what_was_wrong_and_a_cut_answer_gets_more_room(self) -> None:
        over = '{"reasoning": "", "score": 1.5, "verdict": "Yes"}'
        with says(Draft(over), Draft(GOOD)) as server:
            ask(server, question(schema=VERDICT))
            told = server.calls[1].body["messages"][-1]["content"][0]["text"]
        with says(Draft("x" * 9000), Draft(GOOD)) as server:
            ask(server, question(schema=VERDICT, max_tokens=800))
            room = [call.body["max_tokens"] for call in server.calls]

        assert "score breaks 'maximum'" in told
        assert [800, 1600] == room


class TestWithoutStructuredOutputs:
    def test_a_model_that_takes_no_schema_is_told_it_in_words_and_held_to_it(self) -> None:
        fenced = f"```json\n{GOOD}\n```"
        with says(Draft(fenced)) as server:
            server.no_format = {MODEL}
            reply = ask(server, question(schema=VERDICT)).reply

            assert (json.loads(GOOD), 1) == (reply.data, len(server.calls))
            assert server.billed == pytest.approx(reply.usage.usd)
            assert "JSON Schema" in server.calls[0].body["system"][0]["text"]

    def test_its_wrong_answers_are_repaired_once_and_then_unmeasured(self) -> None:
        with says(Draft("Well, I think that it is good.")) as server:
            server.no_format = {MODEL}
            asked = ask(server, question(schema=VERDICT))

            assert ("invalid", 2) == (asked.unmeasured.reason, len(server.calls))


LABELS: dict[Kind, Reason] = {
    "400": "rejected",
    "401": "key",
    "401-echo": "key",
    "403": "key",
    "429": "rate_limit",
    "429-silent": "rate_limit",
    "500": "service",
    "502": "service",
    "529": "overloaded",
    "spend-limit": "spend_limit",
    "own-limit": "spend_limit",
    "hang": "unreachable",
    "stall": "unreachable",
    "cut": "unreachable",
    "garbage": "service",
    "html": "service",
}
ONCE: set[Kind] = {"400", "401", "401-echo", "403", "spend-limit", "own-limit"}


class TestFaults:
    def test_every_fault_of_the_server_has_a_label(self) -> None:
        assert set(KINDS) == set(LABELS)

    @pytest.mark.parametrize("kind", KINDS)
    def test_a_fault_that_stays_ends_in_its_label(self, kind: Kind) -> None:
        limits = Limits(call_seconds=0.1 if kind in {"hang", "stall"} else 10)
        with ModelServer() as server:
            server.fault(kind, times=-1)
            asked = ask(server, question(), limits=limits)

        assert LABELS[kind] == asked.unmeasured.reason
        assert (0 if kind in ONCE else 5) == len(asked.clock.waits)

    @pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in ONCE])
    def test_a_fault_that_passes_is_waited_out(self, kind: Kind) -> None:
        limits = Limits(call_seconds=0.3 if kind in {"hang", "stall"} else 10)
        with ModelServer() as server:
            server.fault(kind, times=2)
            asked = ask(server, question(), limits=limits)

            assert 2 == len(asked.clock.waits)
            # What was billed for answers that were lost is at most what was booked as lost.
            assert server.billed <= (asked.reply.usage.usd or 0) + asked.reply.usage.lost_usd

    def test_the_service_is_given_the_time_it_asks_for(self) -> None:
        with ModelServer() as server:
            server.fault("429", seconds=7)
            assert [7.5] == ask(server, question()).clock.waits

    def test_nobody_waits_for_hours(self) -> None:
        with ModelServer() as server:
            server.fault("429", seconds=4_290_000)
            asked = ask(server, question())

        assert ("rate_limit", []) == (asked.unmeasured.reason, asked.clock.waits)

    @pytest.mark.parametrize("kind", ["401", "spend-limit", "own-limit"])
    def test_after_a_final_fault_nothing_more_is_sent(self, kind: Kind) -> None:
        questions = [question(str(number)) for number in range(20)]
        with ModelServer() as server:
            server.fault(kind)
            asked = ask(server, *questions, limits=Limits(concurrency=1))

            assert {LABELS[kind]} == set(reasons(asked.answers))
            assert ([], 1) == (server.calls, len(server.refusals))

    def test_one_deadline_ends_all_questions(self) -> None:
        questions = [question(str(number)) for number in range(20)]
        with ModelServer() as server:
            server.fault("529", times=-1)
            asked = ask(server, *questions, limits=Limits(seconds=20))

        assert {"deadline"} <= set(reasons(asked.answers)) <= {"deadline", "overloaded"}
        assert asked.clock.time <= 20

    def test_a_service_that_is_not_there_costs_nothing(self) -> None:
        with ModelServer() as server:
            gone = server
        asked = ask(gone, question(), max_usd=1)

        assert ("unreachable", 0.0) == (asked.unmeasured.reason, asked.budget.spent)

    def test_no_more_requests_at_a_time_than_allowed(self) -> None:
        questions = [question(str(number)) for number in range(12)]
        with ModelServer(latency=0.02) as server:
            ask(server, *questions, limits=Limits(concurrency=3))

            assert (12, 3) == (len(server.calls), server.most_at_once)


class TestSecrets:
    def test_the_key_is_in_no_log_and_no_result(self, caplog: pytest.LogCaptureFixture) -> None:
        caplog.set_level(logging.DEBUG)
        with ModelServer() as server:
            for kind in KINDS:
                if kind not in {"hang", "stall"}:
                    server.fault(kind)
            answers = [ask(server, question(str(n))).answers for n in range(12)]

            assert server.key not in caplog.text
            assert server.key not in repr(answers)

    def test_the_key_is_in_no_repr(self) -> None:
        async def shown() -> str:
            async with sdk("secret-key-of-a-person", "http://127.0.0.1:9") as service:
                return repr([service, AnthropicTransport(service), service.messages])

        assert "secret-key" not in asyncio.run(shown())


class TestPromptCache:
    def test_questions_with_one_prefix_write_it_once_and_read_it_then(self) -> None:
        shared = (Text("The rubric. " * 400, cached=True),)
        questions = [question(str(number), system=shared) for number in range(10)]
        with ModelServer(latency=0.02) as server:
            ask(server, *questions)

            writes = [call.counted.write_5m > 0 for call in server.calls]
            reads = [call.counted.read > 0 for call in server.calls]
        assert [True, *[False] * 9] == writes
        assert [False, *[True] * 9] == reads

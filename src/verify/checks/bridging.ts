/** What a conversation of rounds with the host's own tools is built on. */
import { arrayMember, jsonText, objectMember, stringMember } from "../../base/json.ts";
import { contentText, lastToolResults } from "../../loopback/mod.ts";
import { type Check, checkOf } from "../check.ts";
import { bare } from "../experiments/bare.ts";
import {
  ALLOWED_TOOL,
  ASKED,
  bridge,
  BRIDGE_ANSWER,
  BRIDGE_PROMPT,
  PROJECT_NOTE,
  REPLIED,
} from "../experiments/bridge.ts";
import { structured, VALUE } from "../experiments/structured.ts";
import { expectSame, expectThat, firstFinding, shown } from "../finding.ts";
import { initOf, rawResultsOf, resultsOf } from "../native_record.ts";
import { exitedWith, primaryOf, saidInstead, succeededWith } from "./judge.ts";

const BRIDGE_RELIES = "conversations with a host's own tools do not work";

/** Sent so that tools can be loaded later; it does nothing (measured: since tools are searched, with `--tools=` too). */
const PLACEHOLDER = "DeferredToolPlaceholder";

/** What `--bare` leaves. */
const BARE_TOOLS: ReadonlySet<string> = new Set(["Bash", "Edit", "Read"]);

export const BRIDGE_CHECKS: readonly Check[] = [
  checkOf(
    {
      id: "input.stream_json",
      title: "--input-format=stream-json takes one message and answers at the end of input",
      relies: "messages with several parts cannot be sent",
    },
    bridge,
    ({ record, requests }) => {
      const [first] = requests[0]?.body?.messages ?? [];
      return firstFinding(
        () =>
          expectThat(
            contentText(first?.content).includes(BRIDGE_PROMPT),
            `--input-format=stream-json: the message did not reach the model: ${
              saidInstead(record)
            }`,
          ),
        () => succeededWith(record, BRIDGE_ANSWER),
      );
    },
  ),
  checkOf(
    {
      id: "tools.none",
      title: "--tools= leaves the model no tool of the CLI's own",
      relies: "a model that is to have only the host's tools can run commands",
    },
    bridge,
    ({ record, requests }) => {
      const init = record.frames.find((frame) =>
        frame.type === "system" && frame.subtype === "init"
      );
      const listed = arrayMember(init, "tools").map(String);
      const sent = (requests[0]?.body?.tools ?? []).map(({ name }) => name);
      const own = [...listed, ...sent].filter((name) =>
        !name.startsWith("mcp__") && name !== PLACEHOLDER
      );
      return firstFinding(
        () => expectThat(requests.length > 0, "--tools=: the model was not asked"),
        () => expectThat(own.length === 0, `--tools=: there are the tools ${shown(own)}`),
      );
    },
  ),
  checkOf(
    {
      id: "mcp.call",
      title: "--mcp-config connects a server over HTTP whose tool the model can call",
      relies: BRIDGE_RELIES,
    },
    bridge,
    ({ record, requests, calls }) => {
      const status = initOf(record)?.mcpServers.find(({ name }) => name === "bridge")?.status;
      const results = requests.flatMap((request) => lastToolResults(request));
      return firstFinding(
        () => expectSame("--mcp-config: the server's status in system/init", status, "connected"),
        () =>
          expectThat(
            (requests[0]?.body?.tools ?? []).some(({ name }) => name === ALLOWED_TOOL),
            `--mcp-config: the request has no tool ${ALLOWED_TOOL}`,
          ),
        () =>
          expectSame("--mcp-config: the first tool call", calls[0], {
            name: "ask",
            arguments: ASKED,
          }),
        () =>
          expectThat(
            results.some(({ content }) => contentText(content).includes(REPLIED)),
            "--mcp-config: the model did not get the tool's answer",
          ),
      );
    },
  ),
  checkOf(
    {
      id: "mcp.allowed",
      title: "--allowedTools lets one tool be called, and no other one of the server",
      relies: "tools are called that the host has not allowed, or none can be",
    },
    bridge,
    ({ calls }) =>
      expectSame(
        "--allowedTools: the tools that were called",
        calls.map(({ name }) => name),
        ["ask"],
      ),
  ),
  checkOf(
    {
      id: "mcp.strict",
      title: "--strict-mcp-config leaves the servers of the project alone",
      relies: "a project can put its own tools into a host's conversation",
    },
    structured,
    ({ record, strangers }) =>
      firstFinding(
        () =>
          expectSame(
            "--strict-mcp-config: the servers in system/init",
            initOf(record)?.mcpServers.map(({ name }) => name),
            [],
          ),
        () =>
          expectThat(strangers.length === 0, "--strict-mcp-config: the project's server was asked"),
      ),
  ),
  checkOf(
    {
      id: "settings.none",
      title: "--setting-sources= keeps the project's notes out of the conversation",
      relies: "a project can change what a host's conversation is told",
    },
    bridge,
    ({ requests }) =>
      firstFinding(
        () => expectThat(requests.length > 0, "--setting-sources=: the model was not asked"),
        () =>
          expectThat(
            !jsonText(requests.map(({ body }) => body)).includes(PROJECT_NOTE),
            "--setting-sources=: CLAUDE.md of the project reached the model",
          ),
      ),
  ),
  checkOf(
    {
      id: "json_schema.output",
      title: "--json-schema gives structured_output in the result",
      relies: "answers cannot be had as values",
    },
    structured,
    ({ record }) =>
      firstFinding(
        () => primaryOf(record).finding,
        () =>
          expectSame(
            "--json-schema: structured_output of the result",
            objectMember(rawResultsOf(record)[0], "structured_output"),
            VALUE,
          ),
        () =>
          expectSame("--json-schema: is_error of the result", resultsOf(record)[0]?.isError, false),
        () => exitedWith(record, 0),
      ),
  ),
  checkOf(
    {
      id: "max_turns.stop",
      title: "--max-turns ends a run with error_max_turns and exit code 1",
      relies: "a run that must not go on goes on",
    },
    bare,
    ({ record, requests }) => {
      const { result, finding } = primaryOf(record);
      return firstFinding(
        () => finding,
        () =>
          expectSame("--max-turns=1: subtype of the result", result?.subtype, "error_max_turns"),
        () => expectSame("--max-turns=1: is_error of the result", result?.isError, true),
        () => expectSame("--max-turns=1: requests to the model", requests.length, 1),
        () => exitedWith(record, 1),
      );
    },
  ),
  checkOf(
    {
      id: "bare.minimal",
      title: "--bare leaves three tools and no notes of the project",
      relies: "a minimal run is not minimal",
    },
    bare,
    ({ record, requests }) => {
      const init = record.frames.find((frame) =>
        frame.type === "system" && frame.subtype === "init"
      );
      const more = arrayMember(init, "tools").filter((name) => !BARE_TOOLS.has(String(name)));
      return firstFinding(
        () =>
          expectThat(
            requests.length > 0,
            `--bare: the model was not asked: ${saidInstead(record)}`,
          ),
        () => expectThat(more.length === 0, `--bare: system/init has the tools ${shown(more)}`),
        () =>
          expectThat(
            !jsonText(requests.map(({ body }) => body)).includes(PROJECT_NOTE),
            "--bare: CLAUDE.md of the project reached the model",
          ),
        () =>
          expectThat(stringMember(init, "session_id") !== null, "--bare: there is no system/init"),
      );
    },
  ),
];

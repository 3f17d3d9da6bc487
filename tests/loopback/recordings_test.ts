import { assert, assertEquals } from "@std/assert";
import { PINNED_VERSION } from "../../scripts/native/install.ts";
import { CASES } from "../../scripts/record/cases.ts";
import { neutral } from "../../scripts/record/neutral.ts";
import { argvOf } from "../../scripts/record/run_case.ts";

const folder = new URL("../../fixtures/streams/", import.meta.url);

function read(name: string): string {
  return Deno.readTextFileSync(new URL(name, folder));
}

Deno.test("every case is recorded, and nothing else", () => {
  const expected = CASES.flatMap((one) => [`${one.name}.json`, `${one.name}.ndjson`]);
  const found = [...Deno.readDirSync(folder)].map((entry) => entry.name);
  // The outcome a replay must give lies beside each recording.
  const recorded = found.filter((name) => !name.endsWith(".expect.json") && name !== "README.md");
  assertEquals(recorded.sort(), expected.sort());
  assert(CASES.length >= 30);
  assertEquals(new Set(CASES.map((one) => one.name)).size, CASES.length);
});

Deno.test("every recorded line is a JSON object with a type", () => {
  for (const { name } of CASES) {
    const stream = read(`${name}.ndjson`);
    assert(stream === "" || stream.endsWith("\n"), name);
    for (const line of stream.split("\n").slice(0, -1)) {
      const frame: unknown = JSON.parse(line);
      assert(typeof frame === "object" && frame !== null && !Array.isArray(frame), name);
      assert("type" in frame && typeof frame.type === "string", name);
    }
  }
});

Deno.test("every recording says how it was made", () => {
  for (const one of CASES) {
    const about = JSON.parse(read(`${one.name}.json`));
    assertEquals(about.native_version, PINNED_VERSION, one.name);
    assertEquals(about.note, one.note, one.name);
    assertEquals(about.argv, argvOf(one), one.name);
    assertEquals(about.sent_signal, one.signal?.name ?? null, one.name);
    assert(Number.isInteger(about.exit_code), one.name);
  }
});

Deno.test("nothing of the recording machine is left", () => {
  const foreign = [
    /claude-record-/,
    /\/root\b/,
    /\/work\b/,
    /\.native\b/,
    /\/home\/(?!user\b)/,
    /127\.0\.0\.1:(?!4000\b|9\b)[0-9]/,
    /cc-socks\/(?!4000\.)/,
    /\/tmp\/(?!claude-1000\/|cc-socks\/)/,
  ];
  for (const { name } of CASES) {
    for (const file of [`${name}.ndjson`, `${name}.json`]) {
      const content = read(file);
      for (const pattern of foreign) assert(!pattern.test(content), `${file} has ${pattern}`);
      assert(content.length < 100_000, `${file} is too long`);
    }
  }
});

Deno.test("neutral paths replace every form in which the CLI names the machine", () => {
  const machine = {
    home: "/tmp/claude-record-ab12",
    binary: "/opt/x/claude",
    url: "http://127.0.0.1:55555",
  };
  const said = [
    "/tmp/claude-record-ab12/project/a.txt",
    "/tmp/claude-record-ab12/tmp/claude-0/-tmp-claude-record-ab12-project/s/tasks/b.output",
    "/opt/x/claude --help at http://127.0.0.1:55555/v1 via 127.0.0.1:55555",
    "/tmp/cc-socks/123.sock",
  ];
  assertEquals(said.map((line) => neutral(line, machine)), [
    "/home/user/project/a.txt",
    "/tmp/claude-1000/-home-user-project/s/tasks/b.output",
    "claude --help at http://127.0.0.1:4000/v1 via 127.0.0.1:4000",
    "/tmp/cc-socks/4000.sock",
  ]);
});

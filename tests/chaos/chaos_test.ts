import { assert, assertEquals } from "@std/assert";
import { runChaos } from "../../scripts/chaos/chaos.ts";
import { ENDS, FAKE_KINDS, NATIVE_KINDS, planCycle } from "../../scripts/chaos/plan.ts";
import { describeFaults, describeReport, faultsOf } from "../../scripts/chaos/report.ts";
import { look } from "../../scripts/chaos/witness.ts";

Deno.test({
  name:
    "25 runs that are ended at random moments in random ways leave nothing and claim nothing false",
  // It looks into /proc with its own eyes.
  ignore: Deno.build.os !== "linux",
  async fn() {
    const report = await runChaos({ cycles: 25, seed: 3 });
    const shown = [...report.results.flatMap(describeFaults), describeReport(report)].join("\n");
    assertEquals(faultsOf(report), { leftOvers: 0, falseClaims: 0 }, shown);
    assertEquals(report.results.length, 25);
    assertEquals(report.results.filter((one) => one.unconfirmed).length, 0, shown);
  },
});

Deno.test("planCycle() plans the same cycle from the same seed, and every kind and end sooner or later", () => {
  for (const kinds of [FAKE_KINDS, NATIVE_KINDS]) {
    const options = { seed: 5, kinds, maxDelayMs: 700 };
    const plans = Array.from({ length: 2_000 }, (_, cycle) => planCycle(cycle, options));
    assertEquals(planCycle(17, options), plans[17]);
    assertEquals(new Set(plans.map((plan) => plan.end.name)).size, ENDS.length);
    assertEquals(new Set(plans.map((plan) => plan.kind.name)).size, kinds.length);
    for (const { kind, end } of plans) assert(kind.ends !== "never" || end !== ENDS[0]);
    const others = plans.map(({ cycle }) => planCycle(cycle, { ...options, seed: 6 }));
    assert(others.some((plan, cycle) => plan.kind !== plans[cycle]!.kind));
  }
});

Deno.test({
  name: "look() sees a process by its environment, its arguments or its directory, and no zombie",
  ignore: Deno.build.os !== "linux",
  async fn() {
    const root = await Deno.makeTempDir({ prefix: "adapter-witness-" });
    const start = (options: Deno.CommandOptions) =>
      new Deno.Command("/bin/sh", {
        clearEnv: true,
        stdin: "piped",
        stdout: "null",
        cwd: "/",
        ...options,
      }).spawn();
    const read = ["-c", "read -r line"];
    const children = [
      start({ args: read, env: { PLACE: root } }),
      start({ args: [...read, root] }),
      start({ args: read, cwd: root }),
    ];
    const stranger = start({ args: read });
    const pids = () => look(root).map(({ pid }) => pid).toSorted();
    assertEquals(pids(), children.map(({ pid }) => pid).toSorted());
    for (const child of [...children, stranger]) await child.stdin.close();
    for (const child of [...children, stranger]) await child.status;
    assertEquals(pids(), []);
    await Deno.remove(root);
  },
});

Deno.test("a report counts what was left and what was claimed falsely", () => {
  const plan = planCycle(0, { seed: 1, kinds: FAKE_KINDS, maxDelayMs: 10 });
  const well = {
    plan,
    end: "cancel",
    ms: 100,
    leftOvers: [],
    falseClaims: [],
    unconfirmed: false,
    swept: 0,
    escalated: false,
  };
  const bad = { ...well, ms: 300, leftOvers: ["1 sleep", "2 sleep"], falseClaims: ["alive"] };
  const report = { seed: 1, results: [well, bad, { ...well, ms: 200 }] };
  assertEquals(faultsOf(report), { leftOvers: 2, falseClaims: 1 });
  assertEquals(describeFaults(well), []);
  assertEquals(describeFaults(bad).length, 3);
  const text = describeReport(report);
  assert(text.startsWith("cycles 3, left-overs 2, false claims 1 (seed 1)"));
  assert(/^cancel +3 +100 +200 +300 +300$/m.test(text), text);
});

import { assert, assertEquals } from "@std/assert";
import { createProcessTable } from "../../src/host/process_table.ts";
import { systemPath } from "../../src/host/system_path.ts";
import { MARKER_NAME, SUPERVISOR_NAME } from "../../src/supervision/marker.ts";
import type { LookKind, ProcessRow } from "../../src/supervision/process_row.ts";
import { endProcess, isAlive, until, waitGone } from "../helpers/processes.ts";

const TOKEN = "1.2.3.table-test";

/** A process that lives until its stdin is closed, with exactly this environment. */
function start(
  env: { readonly [name: string]: string },
  args = ["-c", "read line"],
): Deno.ChildProcess {
  return new Deno.Command("/bin/sh", {
    args: [...args],
    clearEnv: true,
    env: { ...env },
    stdin: "piped",
    stdout: "null",
    stderr: "null",
  }).spawn();
}

async function rowOf(pid: number): Promise<ProcessRow | undefined> {
  return (await createProcessTable().look()).rows.find((one) => one.pid === pid);
}

async function end(child: Deno.ChildProcess): Promise<void> {
  await child.stdin.close().catch(() => {});
  await child.status;
}

Deno.test("table: this process sees itself as others see it", async () => {
  const table = createProcessTable();
  const { identity, namespace } = await table.self();
  const row = (await table.look()).rows.find((one) => one.pid === Deno.pid);
  assertEquals([identity.pid, identity.start], [Deno.pid, row?.start]);
  assert(Deno.build.os !== "linux" || namespace > 0);
});

Deno.test("table: a marker is found, and text that merely mentions it is not", async () => {
  const children = [
    start({ [MARKER_NAME]: TOKEN }),
    start({ OTHER: `${MARKER_NAME}=${TOKEN}` }),
    start({ OTHER: `x\n${MARKER_NAME}=${TOKEN}` }),
    start({ [`X${MARKER_NAME}`]: TOKEN }),
    start({ [MARKER_NAME]: `${TOKEN} ` }),
    start({}, ["-c", "read line", "sh", `${MARKER_NAME}=${TOKEN}`]),
    start({ [SUPERVISOR_NAME]: TOKEN }),
  ];
  try {
    const { rows } = await createProcessTable().look();
    const seen = children.map((child) => rows.find((row) => row.pid === child.pid));
    assertEquals(seen.map((row) => row?.tokens), [[TOKEN], [], [], [], [], [], []]);
    assertEquals(seen.map((row) => row?.supervises), [null, null, null, null, null, null, TOKEN]);
  } finally {
    await Promise.all(children.map(end));
  }
});

Deno.test("table: a quick look sees the same processes and markers, but not whose they are", async () => {
  const children = [
    start({ [MARKER_NAME]: TOKEN }),
    start({ [SUPERVISOR_NAME]: TOKEN }),
    start({}),
  ];
  const table = createProcessTable();
  try {
    const seen = async (kind: LookKind) => {
      const { rows, uid } = await table.look(kind);
      const mine = children.map((child) => rows.find((row) => row.pid === child.pid)!);
      return {
        uid,
        mine: mine.map(({ uid: _, ...rest }) => rest),
        uids: mine.map((row) => row.uid),
      };
    };
    const full = await seen("full");
    // The second look of a table knows what grep can do.
    const quick = await seen("quick");
    assertEquals(quick.mine, full.mine);
    assertEquals(full.uids, [full.uid, full.uid, full.uid]);
    if (Deno.build.os === "linux") assertEquals([quick.uid, quick.uids], [-1, [-1, -1, -1]]);
    assertEquals((await seen("full")).uids, full.uids);
    const first = await createProcessTable().look("quick");
    assertEquals(first.rows.find((row) => row.pid === children[0]!.pid)?.tokens, [TOKEN]);
  } finally {
    await Promise.all(children.map(end));
  }
});

Deno.test("table: a look works with a PATH that leads nowhere, and with tools in it that lie", async () => {
  const folder = await Deno.makeTempDir();
  try {
    for (const path of ["/nowhere", ""]) {
      const { rows } = await createProcessTable({ path: systemPath(path) }).look();
      assert(rows.some((row) => row.pid === Deno.pid));
    }
    await Deno.writeTextFile(`${folder}/grep`, "#!/bin/sh\nexit 0\n", { mode: 0o755 });
    let failed = "";
    await createProcessTable({ path: `${folder}:/usr/bin:/bin` }).look().catch((caught) =>
      failed = caught.message
    );
    assert(failed !== "", "a grep that finds nothing makes no empty table");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("table: a grep without -z gives the same rows and tokens", async () => {
  const folder = await Deno.makeTempDir();
  const child = start({
    [MARKER_NAME]: TOKEN,
    [SUPERVISOR_NAME]: "1.2.3.supervised",
    OTHER: `x\n${MARKER_NAME}=1.2.3.other`,
  });
  try {
    const script =
      '#!/bin/sh\nfor a; do [ "$a" = -z ] && exit 2; done\nPATH=/usr/bin:/bin exec grep "$@"\n';
    await Deno.writeTextFile(`${folder}/grep`, script, { mode: 0o755 });
    const look = await createProcessTable({ path: `${folder}:/usr/bin:/bin` }).look();
    const full = await createProcessTable().look();
    for (const pid of [child.pid, Deno.pid]) {
      const row = look.rows.find((one) => one.pid === pid);
      assertEquals(row, full.rows.find((one) => one.pid === pid));
    }
    const row = look.rows.find((one) => one.pid === child.pid);
    assertEquals([row?.tokens, row?.supervises], [[TOKEN], "1.2.3.supervised"]);
  } finally {
    await end(child);
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("table: looks leave no process behind, even many at once", async () => {
  const table = createProcessTable();
  const looks = await Promise.all(Array.from({ length: 10 }, () => table.look()));
  assertEquals(new Set(looks.map((look) => look.looker)).size, 10);
  for (const look of looks) assertEquals(await isAlive(look.looker), false);
});

Deno.test("table: a process that ended is gone although nobody has reaped it", async () => {
  const parent = new Deno.Command("/bin/sh", {
    args: ["-c", "exec 3<&0; cat <&3 & echo $!; exec sleep 30"],
    stdout: "piped",
    stdin: "piped",
  }).spawn();
  const reader = parent.stdout.getReader();
  const pid = Number(new TextDecoder().decode((await reader.read()).value));
  // A shell would still wait for a child that ends before the shell is another program.
  await until(async () => (await rowOf(parent.pid))?.name === "sleep", {
    what: "the shell to become sleep",
  });
  await parent.stdin.close();
  await waitGone(pid);
  assertEquals(
    (await rowOf(pid))?.alive,
    false,
    "the zombie is listed, as its parent never waits for it",
  );
  await reader.cancel();
  endProcess(parent.pid);
  await parent.status;
});

Deno.test("table: a birth is news, and without one there is none", async () => {
  const table = createProcessTable();
  assertEquals(await table.hasNews(), true, "nobody has looked yet");
  // Others on this machine start processes too: each of them is news, so several tries may be needed.
  let quiet = 0;
  for (let round = 0; round < 200 && quiet < 3; round++) {
    const { last } = await table.look();
    assertEquals(last !== undefined, Deno.build.os === "linux");
    if (await table.hasNews()) continue;
    if (await table.hasNews()) continue;
    quiet += 1;
    await new Deno.Command("/bin/sh", { args: ["-c", ":"] }).output();
    assertEquals(await table.hasNews(), true, "a shell has come and gone");
    assertEquals(await table.hasNews(), true, "only a look makes it known");
  }
  assertEquals(quiet > 0, Deno.build.os === "linux");
});

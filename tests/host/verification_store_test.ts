import {
  assert,
  assertEquals,
  assertNotEquals,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { AdapterError } from "../../src/base/errors.ts";
import type { Verification } from "../../src/contract/verification.ts";
import { identify, sha256File } from "../../src/host/file_identity.ts";
import { ownUid } from "../../src/host/own_uid.ts";
import {
  MAX_RECEIPT_FILE_BYTES,
  MAX_RECEIPTS,
  readVerifications,
  writeVerification,
} from "../../src/host/verification_store.ts";

function receipt(change: Partial<Verification> = {}, path = "/opt/claude"): Verification {
  return {
    format_version: 1,
    contract_sha256: "a".repeat(64),
    adapter_version: "0.1.0",
    executable: {
      path,
      sha256: "b".repeat(64),
      size: 4,
      mtime_ms: 1,
      ctime_ms: 2,
      inode: 3,
      device: 4,
    },
    version_text: "2.1.340 (Claude Code)",
    checks: [{ id: "one", passed: change.passed ?? true }],
    passed: true,
    at: "2026-01-31T08:00:00.000Z",
    ...change,
  };
}

async function inFolder(body: (folder: string) => Promise<void>): Promise<void> {
  const root = await Deno.makeTempDir({ prefix: "adapter-store-" });
  try {
    await body(`${root}/state/claude-code-adapter`);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

const modeOf = async (path: string) => ((await Deno.lstat(path)).mode ?? 0) & 0o777;
const namesIn = async (folder: string) =>
  (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name);

Deno.test("a folder that does not exist has no receipts, and none are ignored", async () => {
  await inFolder(async (folder) => {
    assertEquals(await readVerifications(folder), { verifications: [], ignored: [] });
  });
});

Deno.test("a written receipt is read again, is private, and is all there is", async () => {
  await inFolder(async (folder) => {
    const path = await writeVerification(folder, receipt());
    assertEquals(await readVerifications(folder), { verifications: [receipt()], ignored: [] });
    assertEquals([await modeOf(folder), await modeOf(path)], [0o700, 0o600]);
    assertEquals(await namesIn(folder), [path.slice(folder.length + 1)]);
  });
});

Deno.test("a newer receipt replaces one for the same file and contract, and no other", async () => {
  await inFolder(async (folder) => {
    const failed = receipt({ passed: false });
    const otherFile = receipt({}, "/opt/other");
    const otherContract = receipt({ contract_sha256: "c".repeat(64) });
    for (const one of [receipt(), otherFile, otherContract, failed]) {
      await writeVerification(folder, one);
    }
    const { verifications } = await readVerifications(folder);
    const key = (one: Verification) => JSON.stringify(one);
    assertEquals(
      verifications.map(key).toSorted(),
      [failed, otherFile, otherContract].map(key).toSorted(),
    );
  });
});

interface Doctored {
  readonly what: string;
  readonly reason: string;
  readonly uid?: number | null;
  /** What is done to the receipt at `path`. */
  readonly change: (path: string, folder: string) => Promise<void>;
}

const nothing = () => Promise.resolve();
const DOCTORED: readonly Doctored[] = [
  {
    what: "a receipt that is a symbolic link",
    reason: "symbolic link",
    async change(path, folder) {
      await Deno.rename(path, `${folder}/elsewhere`);
      await Deno.symlink(`${folder}/elsewhere`, path);
    },
  },
  {
    what: "a receipt that is a folder",
    reason: "not a file",
    async change(path) {
      await Deno.remove(path);
      await Deno.mkdir(path);
    },
  },
  {
    what: "a receipt that its group can write",
    reason: "others can write",
    change: (path) => Deno.chmod(path, 0o620),
  },
  {
    what: "a receipt that everybody can write",
    reason: "others can write",
    change: (path) => Deno.chmod(path, 0o602),
  },
  {
    what: "a folder that its group can write",
    reason: "others can write",
    change: (_path, folder) => Deno.chmod(folder, 0o770),
  },
  {
    what: "a folder that is a symbolic link",
    reason: "symbolic link",
    async change(_path, folder) {
      await Deno.rename(folder, `${folder}-elsewhere`);
      await Deno.symlink(`${folder}-elsewhere`, folder);
    },
  },
  {
    what: "a folder that is a file",
    reason: "not a folder",
    async change(_path, folder) {
      await Deno.remove(folder, { recursive: true });
      await Deno.writeTextFile(folder, "");
    },
  },
  { what: "a folder of another user", reason: "belongs to user", uid: 424_242, change: nothing },
  {
    what: "a folder while nobody says who this is",
    reason: "which user",
    uid: null,
    change: nothing,
  },
  {
    what: "a receipt that is no JSON",
    reason: "not JSON",
    change: (path) => Deno.writeTextFile(path, "{"),
  },
  {
    what: "a receipt that is no UTF-8",
    reason: "not JSON",
    change: (path) => Deno.writeFile(path, new Uint8Array([0x22, 0xff, 0x22])),
  },
  {
    what: "a receipt of another form",
    reason: "not a receipt",
    change: (path) => Deno.writeTextFile(path, JSON.stringify({ ...receipt(), extra: 1 })),
  },
  {
    what: "a receipt that is too large",
    reason: `more than ${MAX_RECEIPT_FILE_BYTES} bytes`,
    change: (path) =>
      Deno.writeTextFile(path, JSON.stringify(receipt()) + " ".repeat(MAX_RECEIPT_FILE_BYTES)),
  },
];

for (const { what, reason, change, uid } of DOCTORED) {
  Deno.test(`${what} is ignored, and the reason said`, async () => {
    await inFolder(async (folder) => {
      const path = await writeVerification(folder, receipt());
      await change(path, folder);
      const found = await readVerifications(folder, uid === undefined ? {} : { uid });
      assertEquals(found.verifications, []);
      assertEquals(found.ignored.length, 1);
      assertStringIncludes(found.ignored[0]?.reason ?? "", reason);
    });
  });
}

Deno.test({
  name: "a receipt of another user is ignored although the folder is one's own",
  ignore: Deno.uid() !== 0, // only root can give a file away
  async fn() {
    await inFolder(async (folder) => {
      const path = await writeVerification(folder, receipt());
      await Deno.chown(path, 65_534, null);
      const { verifications, ignored } = await readVerifications(folder);
      assertEquals(verifications, []);
      assertStringIncludes(ignored[0]?.reason ?? "", "belongs to user 65534");
    });
  },
});

Deno.test("one bad receipt does not hide the others", async () => {
  await inFolder(async (folder) => {
    await writeVerification(folder, receipt());
    const bad = await writeVerification(folder, receipt({}, "/opt/other"));
    await Deno.writeTextFile(bad, "{");
    const { verifications, ignored } = await readVerifications(folder);
    assertEquals([verifications, ignored.map(({ path }) => path)], [[receipt()], [bad]]);
  });
});

Deno.test("no more than so many receipts are read, and writing removes the oldest", async () => {
  await inFolder(async (folder) => {
    await writeVerification(folder, receipt());
    const text = JSON.stringify(receipt());
    for (let i = 0; i < MAX_RECEIPTS + 3; i++) {
      const name = `verify-${i.toString(16).padStart(32, "0")}.json`;
      await Deno.writeTextFile(`${folder}/${name}`, text, { mode: 0o600 });
      await Deno.utime(`${folder}/${name}`, 1_000 + i, 1_000 + i);
    }
    const { verifications, ignored } = await readVerifications(folder);
    assertEquals(verifications.length, MAX_RECEIPTS);
    assertEquals(ignored.length, 4);
    await writeVerification(folder, receipt({}, "/opt/newest"));
    const names = await namesIn(folder);
    assertEquals(names.length, MAX_RECEIPTS);
    assert(!names.includes(`verify-${"0".repeat(32)}.json`));
    const kept = await readVerifications(folder);
    assert(kept.verifications.some(({ executable }) => executable.path === "/opt/newest"));
  });
});

for (
  const [what, prepare] of [
    ["can be written by others", (folder: string) => Deno.chmod(folder, 0o777)],
    ["is a symbolic link", async (folder: string) => {
      await Deno.rename(folder, `${folder}-elsewhere`);
      await Deno.symlink(`${folder}-elsewhere`, folder);
    }],
  ] as const
) {
  Deno.test(`nothing is written into a folder that ${what}`, async () => {
    await inFolder(async (folder) => {
      await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
      await prepare(folder);
      const error = await assertRejects(() => writeVerification(folder, receipt()), AdapterError);
      assertEquals(error.code, "invalid_configuration");
      assertStringIncludes(error.message, "XDG_STATE_HOME");
      assertEquals(await namesIn(folder), []);
    });
  });
}

Deno.test("receipts that are replaced or make room while they are read are no bad ones", async () => {
  await inFolder(async (folder) => {
    let isOver = false;
    const writing = (async () => {
      // One is replaced again and again, and others push each other out.
      for (let i = 0; i < 300; i++) {
        await Promise.all([
          writeVerification(folder, receipt()),
          writeVerification(folder, receipt({}, `/opt/${i}`)),
          writeVerification(folder, receipt({}, `/opt/other-${i}`)),
        ]);
      }
    })().finally(() => isOver = true);
    writing.catch(() => {}); // it is awaited below
    const reasons = new Set<string>();
    while (!isOver) {
      for (const { reason } of (await readVerifications(folder)).ignored) reasons.add(reason);
    }
    await writing;
    // While they are written there is one too many for a moment.
    reasons.delete(`there are more than ${MAX_RECEIPTS} receipts`);
    assertEquals([...reasons], []);
  });
});

Deno.test("who this is can be told with --allow-run alone, and with --allow-sys", async () => {
  await inFolder(async (folder) => {
    await Deno.mkdir(folder, { recursive: true });
    const source = new URL("../../src/host/own_uid.ts", import.meta.url).href;
    const program = `${folder}/program.ts`;
    await Deno.writeTextFile(
      program,
      `import { ownUid } from "${source}";\nconsole.log(await ownUid());\n`,
    );
    for (const flag of ["--allow-run", "--allow-sys"]) {
      const { stdout } = await new Deno.Command(Deno.execPath(), {
        args: ["run", "--no-prompt", "--no-check", flag, program],
      }).output();
      assertEquals(new TextDecoder().decode(stdout), `${Deno.uid()}\n`, flag);
    }
  });
  assertEquals(await ownUid(), Deno.uid());
});

Deno.test("an identity follows symbolic links and changes with the file", async () => {
  await inFolder(async (folder) => {
    await Deno.mkdir(folder, { recursive: true });
    const path = `${await Deno.realPath(folder)}/file`;
    await Deno.writeTextFile(path, "one");
    await Deno.symlink(path, `${folder}/link`);
    const one = await identify(`${folder}/link`);
    assertEquals([one.path, one.size], [path, 3]);
    assertEquals(one, await identify(path));
    await Deno.writeTextFile(`${folder}/new`, "two");
    await Deno.rename(`${folder}/new`, path);
    assertNotEquals(one, await identify(path));
    // The digest of "two" by another implementation.
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode("two"));
    assertEquals(await sha256File(path), new Uint8Array(digest).toHex());
    for (const missing of [`${folder}/none`, folder]) {
      const error = await assertRejects(() => identify(missing), AdapterError);
      assertEquals(error.code, "dependency_unavailable");
    }
  });
});

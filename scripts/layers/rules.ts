/**
 * The rules of the source tree, as data and one pure function.
 *
 * @module
 */
import { findImports, type Import } from "./imports.ts";
import { lineAt, maskCode } from "./mask.ts";

/** Something that breaks a rule. */
export interface Problem {
  /** The file, from the root of the repository, with slashes. */
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  /** What is wrong, and what to do. */
  readonly message: string;
}

/** A file in `src` has at most so many lines. */
export const MAX_SOURCE_LINES = 320;

/** What each folder of `src` may import: folders, `folder (types)`, or single files. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  base: [],
  frames: ["base"],
  contract: ["base"],
  supervision: ["base"],
  runs: ["base", "frames", "contract (types)", "supervision (types)"],
  threads: ["base", "frames", "contract (types)", "runs", "supervision (types)"],
  executor: ["base", "frames", "runs", "threads", "supervision (types)"],
  bridge: ["base", "supervision (types)"],
  report: ["base", "frames", "runs", "supervision (types)"],
  engine: ["base", "frames", "contract", "runs", "supervision"],
  mcp: ["base", "frames", "contract", "runs", "supervision", "engine"],
  host: ["base", "supervision", "contract/verification.ts", "contract/parse_verification.ts"],
  loopback: ["base"],
  verify: ["base", "frames", "contract", "runs", "supervision", "host", "loopback"],
  library: [
    "base",
    "frames",
    "contract",
    "runs",
    "supervision",
    "engine",
    "host",
    "threads",
    "executor",
    "bridge",
  ],
  cli: [
    "base",
    "frames",
    "contract",
    "runs",
    "supervision",
    "engine",
    "mcp",
    "host",
    "loopback",
    "verify",
    "library",
    "threads",
    "executor",
    "bridge",
    "report",
  ],
};

/** Folders whose files are functions of their arguments. */
const PURE: readonly string[] = [
  "base",
  "frames",
  "contract",
  "runs",
  "supervision",
  "threads",
  "executor",
  "report",
];
/** Folders that may say `Deno`. */
const MAY_SAY_DENO: readonly string[] = ["host", "bridge", "loopback", "library", "cli"];
/** Packages that pure folders may import. */
const PURE_PACKAGES: readonly string[] = ["zod", "@std/"];
/** Files at the root that any folder may import, as data. */
const ROOT_DATA: readonly string[] = ["deno.json", "cli-tree.json"];

const SDK = "@modelcontextprotocol/sdk";
/** One file in each folder that needs it, so that its types are named in one place. */
const SDK_FILES: readonly string[] = ["src/mcp/sdk.ts", "src/bridge/sdk.ts"];

interface Word {
  readonly name: string;
  readonly pattern: RegExp;
  readonly instead: string;
}

const CLOCK = "take the time as an argument";
const TIMER = "leave waiting to the engine, which has a clock port";
const DICE = "take the value or the id as an argument";

/** Names that pure folders may not use, and the engine only through its ports. */
const AMBIENT: readonly Word[] = [
  word("Date.now", "Date\\s*\\.\\s*now", CLOCK),
  word("new Date()", "new\\s+Date\\s*(?:\\(\\s*\\)|(?![\\w$(\\s]))", CLOCK),
  word("performance.now", "performance\\s*\\.\\s*(?:now|timeOrigin)", CLOCK),
  word("Temporal.Now", "Temporal\\s*\\.\\s*Now", CLOCK),
  word("Math.random", "Math\\s*\\.\\s*random", DICE),
  word("crypto.randomUUID", "crypto\\s*\\.\\s*(?:randomUUID|getRandomValues)", DICE),
  word("setTimeout", "setTimeout", TIMER),
  word("setInterval", "setInterval", TIMER),
  word("AbortSignal.timeout", "AbortSignal\\s*\\.\\s*timeout", TIMER),
  word("fetch", "fetch(?=\\s*\\()", "take what it would fetch as an argument"),
];
/** Names that only pure folders may not use. */
const PURE_ONLY: readonly Word[] = [
  word("queueMicrotask", "queueMicrotask", TIMER),
  word("globalThis", "globalThis", "take what it holds as an argument"),
];
const DENO = word("Deno", "Deno(?=\\s*[.\\[?])", "put it in src/host behind an interface");
const CONSOLE = word(
  "console",
  "console(?=\\s*[.\\[?])",
  "write diagnostics with the log port: stdout belongs to the protocol",
);

/** Text that names the machine or the workplace that a file was written at; never in a tracked file. */
const PRIVATE_TEXT: readonly { readonly pattern: RegExp; readonly what: string }[] = [
  { pattern: /(?<![\w.:-])\/(?:work|root)\//g, what: "a path of one machine" },
  { pattern: /\/tmp\/(?:team|exp)\b/g, what: "a path of one machine" },
  {
    pattern: /\b(?:CONTRACT|NATIVE|FIELD)\.md\b/g,
    what: "a document that is not in this repository",
  },
];
/** Recordings carry the home folder of whoever made them, unless it was made neutral. */
const PRIVATE_HOME = { pattern: /\/home\/(?!user\b)[\w.-]+/g, what: "a person's home folder" };

/** Checks one file. `path` is relative to the root, with slashes; a file that no rule is about passes. */
export function checkSource(path: string, text: string): Problem[] {
  const problems: Problem[] = [];
  const report = (line: number, message: string) => problems.push({ path, line, message });

  const isRecording = path.startsWith("fixtures/");
  for (const { pattern, what } of isRecording ? [...PRIVATE_TEXT, PRIVATE_HOME] : PRIVATE_TEXT) {
    for (const match of text.matchAll(pattern)) {
      report(lineAt(text, match.index), `'${match[0]}' is ${what}: say it in neutral words`);
    }
  }
  if (!path.endsWith(".ts")) return problems;
  const code = maskCode(text);
  const imports = findImports(text, code);
  if (!SDK_FILES.includes(path)) {
    for (const { specifier, line } of imports) {
      if (!isPackage(specifier, SDK) || !/^src\/|^mod\.ts$/.test(path)) continue;
      report(line, `Only ${SDK_FILES.join(" and ")} may import ${SDK}: import what they export`);
    }
  }
  const [top, folder, ...rest] = path.split("/");
  if (top !== "src" || folder === undefined) return problems;
  if (rest.length === 0 || MAY_IMPORT[folder] === undefined) {
    const folders = Object.keys(MAY_IMPORT).join(", ");
    report(1, `'${path}' belongs to no layer: put it in one of the folders ${folders} of src`);
    return problems;
  }

  const lines = text.trimEnd().split("\n").length;
  if (lines > MAX_SOURCE_LINES) {
    report(
      MAX_SOURCE_LINES + 1,
      `${lines} lines, at most ${MAX_SOURCE_LINES}: split it by concept`,
    );
  }
  for (const one of imports) {
    const message = checkImport(path, folder, one);
    if (message !== null) report(one.line, message);
  }
  for (const { name, pattern, instead } of forbiddenWords(folder)) {
    for (const match of code.matchAll(pattern)) {
      report(lineAt(text, match.index), `src/${folder} may not use ${name}: ${instead}`);
    }
  }
  return problems.sort((a, b) => a.line - b.line);
}

function forbiddenWords(folder: string): readonly Word[] {
  const words: Word[] = [CONSOLE];
  if (PURE.includes(folder)) words.push(...AMBIENT, ...PURE_ONLY);
  if (folder === "engine") words.push(...AMBIENT);
  if (!MAY_SAY_DENO.includes(folder)) words.push(DENO);
  return words;
}

function checkImport(path: string, folder: string, { specifier, typeOnly }: Import): string | null {
  if (/^(?:npm|jsr|https?|data|file):/.test(specifier)) {
    return `'${specifier}' bypasses deno.json: name it in its imports and use that name`;
  }
  if (specifier.startsWith("node:")) {
    return PURE.includes(folder)
      ? `Pure folders may not import ${specifier}: move it to host`
      : null;
  }
  if (!specifier.startsWith(".")) {
    const pure = PURE_PACKAGES.some((name) => isPackage(specifier, name));
    return PURE.includes(folder) && !pure
      ? `Pure folders may import only ${
        PURE_PACKAGES.join(", ")
      } and each other, not ${specifier}: move it out`
      : null;
  }
  const target = resolve(path, specifier);
  if (ROOT_DATA.includes(target)) return null;
  const [top, other, ...rest] = target.split("/");
  if (top !== "src" || other === undefined || rest.length === 0) {
    return `'${specifier}' is outside of src: what runs may not depend on ${target}`;
  }
  const allowed = MAY_IMPORT[folder] ?? [];
  if (other === folder || allowed.includes(other) || allowed.includes([other, ...rest].join("/"))) {
    return null;
  }
  if (allowed.includes(`${other} (types)`)) {
    return typeOnly
      ? null
      : `src/${folder} may import only types from src/${other}: use import type`;
  }
  const list = allowed.length === 0 ? "nothing else in src" : `only ${allowed.join(", ")}`;
  return `src/${folder} may import ${list}, not src/${other}: move the code, or pass it in`;
}

/** A global name, also as a member of `globalThis`, but not as a member of anything else. */
function word(name: string, pattern: string, instead: string): Word {
  const start = "(?:(?<![\\w$.#])|(?<=\\bglobalThis\\s*\\??\\.\\s*))";
  return { name, pattern: new RegExp(`${start}${pattern}(?![\\w$])`, "g"), instead };
}

function isPackage(specifier: string, name: string): boolean {
  return specifier === name || specifier.startsWith(name.endsWith("/") ? name : `${name}/`);
}

/** The path that a relative specifier of a file names, from the root; `..` beyond the root stays. */
function resolve(path: string, specifier: string): string {
  const parts = path.split("/").slice(0, -1);
  for (const part of specifier.split("/")) {
    if (part === "..") {
      if (parts.length === 0 || parts.at(-1) === "..") parts.push(part);
      else parts.pop();
    } else if (part !== ".") parts.push(part);
  }
  return parts.join("/");
}

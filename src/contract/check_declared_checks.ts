/**
 * The rules of the checks of the executable that a tree declares.
 *
 * @module
 */
import { utf8Length } from "../base/json.ts";
import { TREE_LIMITS } from "./cli_tree.ts";
import { pointer } from "./pointer.ts";
import type { Place } from "./tree_diagnostic.ts";
import { CHECK_SHAPE, readShape } from "./tree_shape.ts";

/** Reports everything that is wrong with the declared checks; `place` is that of their list. */
export function checkDeclaredChecks(list: readonly unknown[], place: Place): void {
  if (list.length > TREE_LIMITS.checks) {
    const message = `there are at most ${TREE_LIMITS.checks} checks, but here are ${list.length}`;
    error(place, [], message);
  }
  for (const [index, value] of list.entries()) {
    checkOne(value, { ...place, at: pointer(place.at, index) });
  }
}

function checkOne(value: unknown, place: Place): void {
  const members = readShape(CHECK_SHAPE, value, place);
  if (members === null) return;
  const { args, stdout, stdout_sha256: digest } = members;
  if (args !== undefined) checkArgs(args, place);
  const given = ["stdout", "stdout_sha256"].filter((name) => Object.hasOwn(value as object, name));
  if (given.length !== 1) {
    error(place, [], "must have exactly one of stdout and stdout_sha256");
  }
  if (stdout !== undefined && utf8Length(stdout) > TREE_LIMITS.checkTextBytes) {
    const rule = `is at most ${TREE_LIMITS.checkTextBytes} bytes in UTF-8; use stdout_sha256`;
    error(place, ["stdout"], rule);
  }
  if (digest !== undefined && !/^[0-9a-f]{64}$/.test(digest)) {
    error(place, ["stdout_sha256"], "must be 64 lower-case hexadecimal digits");
  }
}

function checkArgs(args: readonly string[], place: Place): void {
  if (args.length === 0 || args.length > TREE_LIMITS.checkArgs) {
    error(place, ["args"], `must be 1 to ${TREE_LIMITS.checkArgs} arguments`);
  }
  let bytes = 0;
  for (const [index, argument] of args.entries()) {
    bytes += utf8Length(argument) + 1;
    if (argument.includes("\0")) error(place, ["args", index], "must not contain NUL");
  }
  if (bytes > TREE_LIMITS.checkArgBytes) {
    const rule = `must be at most ${TREE_LIMITS.checkArgBytes} bytes with their terminators`;
    error(place, ["args"], rule);
  }
}

function error(place: Place, path: readonly (string | number)[], message: string): void {
  place.faults.error("clitree.check.invalid", path.reduce<string>(pointer, place.at), message);
}

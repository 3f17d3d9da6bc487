/**
 * Stand-in for `jsr:@std/assert`, used only where JSR cannot be reached: the few assertions the
 * tests use, over `node:assert/strict`.
 *
 * @module
 */
import nodeAssert from "node:assert/strict";

/** Thrown when an assertion does not hold. */
export class AssertionError extends Error {
  override name = "AssertionError";
}

function check(run: () => void, message?: string): void {
  try {
    run();
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    throw new AssertionError(message === undefined ? detail : `${message}: ${detail}`);
  }
}

/** Asserts that `expr` is truthy. */
export function assert(expr: unknown, message = ""): asserts expr {
  if (!expr) throw new AssertionError(message);
}

/** Asserts deep equality; a missing property is not the same as an undefined one. */
export function assertEquals<T>(actual: T, expected: T, message?: string): void {
  check(() => nodeAssert.deepStrictEqual(actual, expected), message);
}

/** Asserts deep inequality. */
export function assertNotEquals<T>(actual: T, expected: T, message?: string): void {
  check(() => nodeAssert.notDeepStrictEqual(actual, expected), message);
}

/** Asserts identity (`Object.is`). */
export function assertStrictEquals<T>(
  actual: unknown,
  expected: T,
  message?: string,
): asserts actual is T {
  check(() => nodeAssert.strictEqual(actual, expected), message);
}

/** Asserts that a value is neither null nor undefined. */
export function assertExists<T>(actual: T, message?: string): asserts actual is NonNullable<T> {
  if (actual === undefined || actual === null) {
    throw new AssertionError(message ?? `Expected a value, got ${String(actual)}`);
  }
}

/** Asserts that `actual` contains `expected`. */
export function assertStringIncludes(actual: string, expected: string, message?: string): void {
  if (!actual.includes(expected)) {
    const shown = actual.length > 2000 ? `${actual.slice(0, 2000)}…` : actual;
    throw new AssertionError(message ?? `Expected "${shown}" to contain "${expected}"`);
  }
}

/** Asserts that `actual` matches `expected`. */
export function assertMatch(actual: string, expected: RegExp, message?: string): void {
  if (!expected.test(actual)) {
    throw new AssertionError(message ?? `Expected "${actual}" to match ${expected}`);
  }
}

/** Asserts that every property of `expected` is in `actual` with the same value. */
export function assertObjectMatch(
  // deno-lint-ignore no-explicit-any
  actual: Record<PropertyKey, any>,
  expected: Record<PropertyKey, unknown>,
  message?: string,
): void {
  // deno-lint-ignore no-explicit-any
  const pick = (a: any, e: unknown): unknown => {
    if (Array.isArray(e)) return e.map((item, i) => pick(a?.[i], item));
    if (e !== null && typeof e === "object" && e.constructor === Object) {
      return Object.fromEntries(
        Object.entries(e).map(([key, value]) => [key, pick(a?.[key], value)]),
      );
    }
    return a;
  };
  check(() => nodeAssert.deepStrictEqual(pick(actual, expected), expected), message);
}

/** Asserts that `fn` throws; returns nothing when no class is given, else the error. */
export function assertThrows<E extends Error = Error>(
  fn: () => unknown,
  // deno-lint-ignore no-explicit-any
  ErrorClass?: abstract new (...args: any[]) => E,
  messageIncludes?: string,
  message?: string,
): E {
  try {
    fn();
  } catch (error) {
    return checkError(error, ErrorClass, messageIncludes, message);
  }
  throw new AssertionError(message ?? "Expected function to throw");
}

/** Asserts that `fn` rejects; resolves to the error. */
export async function assertRejects<E extends Error = Error>(
  fn: () => PromiseLike<unknown>,
  // deno-lint-ignore no-explicit-any
  ErrorClass?: abstract new (...args: any[]) => E,
  messageIncludes?: string,
  message?: string,
): Promise<E> {
  try {
    await fn();
  } catch (error) {
    return checkError(error, ErrorClass, messageIncludes, message);
  }
  throw new AssertionError(message ?? "Expected function to reject");
}

function checkError<E extends Error>(
  error: unknown,
  // deno-lint-ignore no-explicit-any
  ErrorClass: (abstract new (...args: any[]) => E) | undefined,
  includes: string | undefined,
  message: string | undefined,
): E {
  if (!(error instanceof Error)) throw new AssertionError(message ?? "Expected an Error object");
  if (ErrorClass !== undefined && !(error instanceof ErrorClass)) {
    throw new AssertionError(
      message ?? `Expected ${ErrorClass.name}, got ${error.constructor.name}: ${error.message}`,
    );
  }
  if (includes !== undefined) assertStringIncludes(error.message, includes, message);
  return error as E;
}

/** Fails, always. */
export function fail(message = "Failed assertion"): never {
  throw new AssertionError(message);
}

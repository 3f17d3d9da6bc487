import { assertEquals } from "@std/assert";
import { Turnstile } from "../../src/library/turnstile.ts";

Deno.test("one at a time by name, in the order of arrival; who gives up holds nobody up", async () => {
  let now = 100;
  const turnstile = new Turnstile(() => now);
  const order: string[] = [];
  const visit = async (who: string, signal?: AbortSignal) => {
    const leave = await turnstile.enter("a", signal);
    order.push(leave === null ? `${who} gave up` : who);
    return leave;
  };
  assertEquals(turnstile.busySince("a"), null);
  const first = await visit("first");
  now = 200;
  const abort = new AbortController();
  const [impatient, second, third] = [
    visit("impatient", abort.signal),
    visit("second"),
    visit("third"),
  ];
  assertEquals(turnstile.busySince("a"), 100);
  assertEquals(turnstile.busySince("b"), null);
  (await turnstile.enter("b"))!();
  abort.abort();
  assertEquals(await impatient, null);
  first!();
  first!();
  const leaveSecond = await second;
  assertEquals(order, ["first", "impatient gave up", "second"]);
  assertEquals(turnstile.busySince("a"), 200);
  leaveSecond!();
  assertEquals(turnstile.busySince("a") !== null, true, "somebody is there, if not yet inside");
  (await third)!();
  assertEquals([order.at(-1), turnstile.busySince("a")], ["third", null]);
  assertEquals(await turnstile.enter("a", AbortSignal.abort()), null);
  assertEquals(turnstile.busySince("a"), null);
});

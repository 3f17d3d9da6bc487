/**
 * What Deno lets this program do.
 *
 * @module
 */
import { checkPermissions } from "../permissions.ts";
import { type Finding, ok, problem, warning } from "./finding.ts";

const NAMES = ["run", "env", "read", "write", "net", "sys", "ffi"] as const;

/** The finding. `executable` is the configured one, or `null`. */
export function checkDenoPermissions(executable: string | null): Finding {
  const states = NAMES.map((name) => {
    const { state, partial } = Deno.permissions.querySync({ name });
    return { name, granted: state === "granted", partial: partial === true };
  });
  const list = states.filter(({ granted }) => granted)
    .map(({ name, partial }) => partial ? `${name} (limited)` : name).join(", ");
  const fault = checkPermissions(executable, "serve");
  const fix = "start it with 'deno run --allow-run --allow-env --allow-read', each without a list";
  if (fault?.fatal === true) return problem("permissions", fault.message.split(";")[0]!, fix);
  if (fault !== null) return warning("permissions", fault.message, fix);
  const more = states.filter(({ name, granted }) =>
    granted && name !== "run" && name !== "env" && name !== "read"
  );
  return more.length === 0
    ? ok("permissions", `Deno grants ${list}, which is what serving needs`)
    : ok("permissions", `Deno grants ${list}; serving gives up all but run, env and read`);
}

/** The program, and when it ends, on standard error, which permissions it still has. */
import { main } from "../../src/cli/main.ts";

const NAMES = ["run", "env", "read", "write", "net", "ffi"] as const;

addEventListener("unload", () => {
  const left = NAMES.filter((name) => {
    const host = name === "net" ? { host: "127.0.0.1" } : {};
    return Deno.permissions.querySync({ name, ...host } as Deno.PermissionDescriptor).state ===
      "granted";
  });
  Deno.stderr.writeSync(new TextEncoder().encode(`\nleft: ${left.join(" ")}\n`));
});
Deno.exit(await main(Deno.args));

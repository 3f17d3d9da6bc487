/** What a program waits for before it can use the library. */

import { createClaude } from "../../../mod.ts";

// deno-lint-ignore no-console -- the line is what is waited for
console.log(typeof createClaude);

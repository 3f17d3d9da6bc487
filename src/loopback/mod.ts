/**
 * A scripted Messages API on 127.0.0.1 for the real CLI: demo, recordings, native tests and benchmarks.
 *
 * @example
 * ```ts
 * import { answer, nativeEnv, route, startLoopbackModel, toolUse } from "./mod.ts";
 *
 * await using model = startLoopbackModel({
 *   script: route([
 *     { is: "tool_result", reply: answer("done") },
 *     { says: "look around", reply: answer([toolUse("Bash", { command: "ls" })]) },
 *   ]),
 * });
 * const env = nativeEnv({ home: "/nowhere", url: model.url }); // run the CLI with it and clearEnv
 * console.assert(env["ANTHROPIC_BASE_URL"] === model.url);
 * ```
 *
 * @module
 */

export * from "./model.ts";
export * from "./native_env.ts";
export * from "./proxy_sink.ts";
export * from "./reply.ts";
export * from "./request.ts";
export * from "./route.ts";
export * from "./serve.ts";

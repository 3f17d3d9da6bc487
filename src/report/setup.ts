/**
 * What a run was set up with, as its `init` events say. They come again with every turn.
 *
 * @module
 */
import { type JsonObject, stringMember } from "../base/json.ts";
import { MAX_REPORT_LIST } from "../base/limits.ts";
import { readInit } from "../frames/native.ts";
import { shortName } from "./names.ts";
import type { Setup } from "./report.ts";

/** Before the first `init`. */
export const NO_SETUP: Setup = {
  sessionId: null,
  models: [],
  permissionMode: null,
  folder: null,
  version: null,
  tools: 0,
  mcpServers: [],
};

/** The set-up after an event; only `init` changes it. */
export function readSetup(before: Setup, frame: JsonObject): Setup {
  const init = readInit(frame);
  if (init === null) return before;
  const model = name(init.model);
  const { models } = before;
  return {
    sessionId: name(init.sessionId),
    models: model === null || models.includes(model) || models.length >= MAX_REPORT_LIST
      ? models
      : [...models, model],
    permissionMode: name(init.permissionMode),
    folder: name(stringMember(frame, "cwd")),
    version: name(init.version),
    tools: init.tools,
    mcpServers: init.mcpServers.slice(0, MAX_REPORT_LIST).map((server) => ({
      name: shortName(server.name),
      status: name(server.status),
    })),
  };
}

function name(text: string | null): string | null {
  return text === null ? null : shortName(text);
}

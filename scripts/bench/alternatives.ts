/**
 * What a user would pick instead, installed from npm into the git-ignored folder and started as its authors say.
 *
 * @module
 */

import { areToolsInstalled, installTools } from "../native/install_tools.ts";
import { LineProgram } from "./line_program.ts";
import { programFile, type ProgramOptions } from "./programs.ts";

/** What is installed, pinned: the newest of each that goes with the pinned CLI. */
export const ALTERNATIVES: { readonly [name: string]: string } = {
  "@anthropic-ai/claude-agent-sdk": "0.3.332",
  "@steipete/claude-code-mcp": "1.10.12",
};

/** The alternatives' programs. */
export interface Alternatives {
  /** The main file of the agent SDK. */
  readonly agentSdk: string;
  /** The command of the MCP server. */
  readonly claudeCodeMcp: readonly string[];
}

const INSTALL = { pins: ALTERNATIVES, omit: ["optional"] } as const;

/** Whether they are installed already: a test of the bench is no reason to download them. */
export function hasAlternatives(): Promise<boolean> {
  return areToolsInstalled(INSTALL);
}

/** Installs them when needed (about 110 MB; without the SDK's own copy of the CLI, since all run the pinned one). */
export async function installAlternatives(): Promise<Alternatives> {
  const tools = await installTools(INSTALL);
  return {
    agentSdk: tools.file("@anthropic-ai/claude-agent-sdk", "sdk.mjs"),
    claudeCodeMcp: ["node", tools.file("@steipete/claude-code-mcp", "dist/server.js")],
  };
}

/** What a run took, in milliseconds from the call. */
export interface AgentSdkRun {
  /** To the first message. */
  readonly first: number;
  /** To the end of the messages. */
  readonly ms: number;
  /** The answer. */
  readonly result: string;
}

/** A Node.js program that keeps the SDK loaded; a line is a prompt, the answer to it an {@linkcode AgentSdkRun}. */
export function startAgentSdk(
  { agentSdk }: Alternatives,
  { executable, ...options }: ProgramOptions & { readonly executable: string },
): LineProgram<string, AgentSdkRun> {
  const command = ["node", programFile("programs/agent_sdk.mjs"), agentSdk, executable];
  return new LineProgram(command, options);
}

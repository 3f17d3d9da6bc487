/**
 * One turn with lent tools, from its first check to the last trace of it.
 *
 * @module
 */
import { AdapterError, toAdapterError } from "../base/errors.ts";
import type { Checked } from "../bridge/json_schema.ts";
import { Bridge } from "../bridge/bridge.ts";
import type { ToolBench } from "../bridge/tool_bench.ts";
import { BRIDGE_SERVER, bridgeName, modelName } from "../bridge/tool_names.ts";
import { FrameRound, type RoundEnd } from "../engine/frame_round.ts";
import { BRIDGE_KEEP_ALIVE_MS, MAX_FRAME_BYTES } from "../base/limits.ts";
import { turnError } from "../executor/turn_error.ts";
import type { TurnEvent, TurnResult } from "../executor/turn_events.ts";
import { turnArgv, turnEnv } from "../executor/turn_invocation.ts";
import type { CheckedOptions } from "../executor/turn_options.ts";
import { readUsage, TurnReader } from "../executor/turn_reader.ts";
import { systemWords } from "../host/file_fault.ts";
import { makePrivateFolder, type PrivateFolder } from "../host/private_folder.ts";
import type { Receipt } from "../supervision/receipts.ts";
import { mcpConfigText } from "../threads/mcp_config.ts";
import { EventChannel } from "./event_channel.ts";
import type { HostPorts } from "./host_ports.ts";

/** Everything a turn is made of, checked. */
export interface TurnPlan {
  readonly options: CheckedOptions;
  /** The system prompt; `null` for none. */
  readonly system: string | null;
  /** The prompt as the CLI reads it from its standard input. */
  readonly stdin: string;
  readonly bench: ToolBench;
  /** The longest deadline of one of its tools, in milliseconds. */
  readonly longestToolMs: number;
  /** The check of the structured output; `null` when none is asked for. */
  readonly checkAnswer: ((value: unknown) => Checked) | null;
  readonly signal: AbortSignal | undefined;
}

/** What a turn needs from outside. */
export interface TurnPorts {
  readonly host: HostPorts;
  /** Absolute path of the native executable. */
  readonly executable: string;
  /** Told of the private folder when there is one. */
  readonly onFolder: (path: string) => void;
}

/** One turn. It starts itself. */
export class Turn {
  /** What happens, in order. */
  readonly events: EventChannel<TurnEvent> = new EventChannel<TurnEvent>((count) => ({
    type: "log",
    level: "warn",
    message:
      `${count} events came while nobody read, and are missing: more are not kept; the result has the whole answer`,
  }));
  /** What comes of it, when nothing of it is left. */
  readonly result: Promise<TurnResult>;
  readonly #plan: TurnPlan;
  readonly #ports: TurnPorts;
  readonly #reader: TurnReader;
  #round: FrameRound | null = null;
  #bridge: Bridge | null = null;
  #cause: AdapterError | null = null;
  #takeBackStartup: (() => void) | null = null;

  /** Starts. */
  constructor(plan: TurnPlan, ports: TurnPorts) {
    this.#plan = plan;
    this.#ports = ports;
    this.#reader = new TurnReader({ givenName: (name) => this.#givenName(name) });
    this.result = this.#live();
    // Whoever reads the events only is told there.
    this.result.catch(() => {});
  }

  /** Tells how the turn ends before its time; the first reason stays. */
  stop(cause: AdapterError): void {
    if (this.#cause !== null) return;
    this.#cause = cause;
    void this.#stopInOrder(cause);
  }

  /** Calls that run are answered, the bridge closes, and the process gets a moment when it was told something. */
  async #stopInOrder(cause: AdapterError): Promise<void> {
    const { bench, options } = this.#plan;
    const [round, hadCalls] = [this.#round, bench.active > 0];
    await this.#bridge?.close(cause.message);
    if (round === null) return;
    if (hadCalls && options.disposeGraceMs > 0) {
      const over = Promise.withResolvers<void>();
      const takeBack = this.#ports.host.clock.after(options.disposeGraceMs, over.resolve);
      await Promise.race([round.ended, over.promise]);
      takeBack();
    }
    round.stop(cause);
  }

  async #live(): Promise<TurnResult> {
    const { signal } = this.#plan;
    const aborted = () =>
      this.stop(new AdapterError("cancelled", "The turn was cancelled by its caller"));
    signal?.addEventListener("abort", aborted, { once: true });
    if (signal?.aborted === true) aborted();
    let folder: PrivateFolder | null = null;
    try {
      folder = await makePrivateFolder({
        table: this.#ports.host.table,
        id: crypto.randomUUID(),
      });
      this.#ports.onFolder(folder.path);
      const end = await this.#drive(folder);
      const result = this.#judge(end);
      await this.#leave(folder);
      this.events.push({ type: "result", result, error: null }, result.text.length);
      return result;
    } catch (caught) {
      await this.#leave(folder);
      const error = asTurnError(caught);
      const { code, message } = error;
      this.events.push({ type: "result", result: null, error: { code, message } });
      throw error;
    } finally {
      signal?.removeEventListener("abort", aborted);
      this.events.end();
    }
  }

  async #drive(folder: PrivateFolder): Promise<RoundEnd> {
    this.#check();
    const { host, executable } = this.#ports;
    const { options, bench, system, stdin, longestToolMs } = this.#plan;
    this.#bridge = this.#openBridge();
    const argv = turnArgv(options, {
      mcpConfigPath: this.#bridge === null
        ? null
        : await folder.write("mcp.json", this.#bridgeConfig(this.#bridge)),
      systemPromptPath: system === null ? null : await folder.write("system.txt", system),
      allowedTools: bench.names.map(modelName),
    });
    const { env } = host;
    const set = turnEnv(options, {
      folder: folder.path,
      longestToolMs,
      noProxy: env["no_proxy"] ?? env["NO_PROXY"] ?? "",
    });
    // An empty place: where this program runs is nothing that the CLI has to see, and it may be gone meanwhile.
    const cwd = await folder.subfolder("work");
    const tools = bench.names.map((name) => bench.givenName(name)!);
    this.events.push({ type: "ready", tools });
    this.#check();
    const round = new FrameRound({
      id: crypto.randomUUID(),
      executable,
      invocation: { argv, stdin, env: set, cwd },
      idleMs: (quietMs) => this.#idleMs(quietMs),
      idleCause: (ms) => this.#stalled(ms),
      onReceipt: (receipt) => this.#received(receipt),
    }, host);
    this.#round = round;
    this.#takeBackStartup = host.clock.after(
      options.startupTimeoutMs,
      () => this.stop(notStarted(options.startupTimeoutMs)),
    );
    for await (const batch of round.batches()) {
      for (const item of batch) {
        const hadStarted = this.#reader.start !== null;
        const bytes = item.kind === "oversized" ? 0 : item.bytes;
        for (const event of this.#reader.read(item)) this.events.push(event, bytes);
        if (!hadStarted && this.#reader.start !== null) this.#started();
      }
    }
    this.#takeBackStartup();
    return await round.ended;
  }

  #check(): void {
    if (this.#cause !== null) throw this.#cause;
  }

  #openBridge(): Bridge | null {
    const { bench, options } = this.#plan;
    if (bench.names.length === 0) return null;
    const { clock, log } = this.#ports.host;
    const { mcpIdleTimeoutMs } = options;
    const keepAliveMs = mcpIdleTimeoutMs === 0
      ? BRIDGE_KEEP_ALIVE_MS
      : Math.max(100, Math.min(BRIDGE_KEEP_ALIVE_MS, Math.floor(mcpIdleTimeoutMs / 3)));
    return new Bridge({ bench, clock, log, keepAliveMs });
  }

  #bridgeConfig({ address }: Bridge): string {
    const { url, authorization } = address;
    const headers = { Authorization: authorization };
    return mcpConfigText({ [BRIDGE_SERVER]: { type: "http", url, headers, alwaysLoad: true } });
  }

  #givenName(name: string): string | null {
    const bridged = bridgeName(name);
    return bridged === null ? null : this.#plan.bench.givenName(bridged);
  }

  #received(receipt: Receipt): void {
    if (receipt.receipt === "started") {
      this.events.push({ type: "spawned", pid: receipt.pid });
    }
  }

  /** A turn that begins without the lent tools would be answered without them, and nobody would know. */
  #started(): void {
    this.#takeBackStartup?.();
    const { bench } = this.#plan;
    if (this.#bridge === null || this.#cause !== null) return;
    const start = this.#reader.start!;
    const status = start.servers.find(({ name }) => name === BRIDGE_SERVER)?.status ?? "missing";
    const missing = bench.names.filter((name) => !start.tools.includes(modelName(name)));
    if (status === "connected" && missing.length === 0) return;
    const why = status === "connected"
      ? `it does not have ${missing.length} of the ${bench.names.length} tools`
      : `its connection to the bridge is '${status}'`;
    this.stop(
      new AdapterError(
        "bridge_failed",
        `Claude Code began the turn without the lent tools (${why}), so it was stopped; try again, and see whether something on this machine keeps programs from 127.0.0.1`,
      ),
    );
  }

  /** The bound on silence: it starts again with every byte, at the start of the turn, and when a lent tool is done. */
  #idleMs(quietMs: number): number {
    const { options, bench } = this.#plan;
    const idle = options.streamIdleTimeoutMs;
    if (this.#reader.start === null) return quietMs + idle;
    return Math.max(idle, quietMs + idle - bench.sinceCallMs());
  }

  #stalled(ms: number): AdapterError {
    const cause = new AdapterError(
      "stalled",
      `Claude Code was silent for ${ms} ms in the middle of its turn, so it was stopped; raise 'streamIdleTimeoutMs', or try again`,
    );
    this.#cause ??= cause;
    return cause;
  }

  #judge({ cause, receipts }: RoundEnd): TurnResult {
    const { exit, cleanup, stderrTail } = receipts;
    const error = turnError({
      record: this.#reader.record,
      cause: this.#cause ?? cause,
      exit,
      cleanup,
      stderrTail,
      resumed: false,
    });
    if (error !== null) throw error;
    const { text, model, result, structuredOutput } = this.#reader.answer;
    return {
      text,
      structuredOutput: this.#checkedAnswer(structuredOutput),
      model,
      usage: readUsage(result?.usage ?? null),
      costUsd: result?.roundUsd ?? null,
      turns: result?.turns ?? null,
      durationMs: result?.durationMs ?? null,
    };
  }

  /** The CLI says success also when the model answered with text instead (measured). */
  #checkedAnswer(
    value: TurnResult["structuredOutput"] | undefined,
  ): TurnResult["structuredOutput"] {
    const { checkAnswer } = this.#plan;
    if (checkAnswer === null) return null;
    const checked = value === undefined ? null : checkAnswer(value);
    if (checked?.ok === true) return value!;
    if (checked === null && this.#reader.record.lostResult) {
      throw new AdapterError(
        "result_too_large",
        `The structured output is too large: what the CLI answers with has it twice, and is read up to ${MAX_FRAME_BYTES} bytes; ask for less, or for a part in each of several turns`,
      );
    }
    throw new AdapterError(
      "invalid_structured_output",
      checked === null
        ? "The model answered with text instead of the structured output that was asked for; try again, or say in the prompt what is wanted"
        : `The structured output does not fit its schema: ${checked.message}`,
    );
  }

  async #leave(folder: PrivateFolder | null): Promise<void> {
    this.#takeBackStartup?.();
    await this.#bridge?.close();
    if (folder === null || await folder.remove()) return;
    this.#ports.host.log.write("warn", "a private folder could not be removed", {
      path: folder.path,
    });
  }
}

/** What the system refuses about the private folder is a matter of its place, not of this program. */
function asTurnError(caught: unknown): AdapterError {
  const { code } = (caught ?? {}) as { readonly code?: unknown };
  if (caught instanceof AdapterError || typeof code !== "string") return toAdapterError(caught);
  return new AdapterError(
    "invalid_configuration",
    `The system's folder for temporary files cannot be used: ${
      systemWords(caught)
    }; make room there, or name another one with TMPDIR`,
  );
}

function notStarted(ms: number): AdapterError {
  return new AdapterError(
    "startup_timeout",
    `Claude Code did not begin its turn within ${ms} ms, so it was stopped; raise 'startupTimeoutMs', or see what keeps it (it prints nothing meanwhile)`,
  );
}

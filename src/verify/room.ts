/**
 * Where one experiment takes place: an empty HOME, a configuration, a project, and a model of its own.
 *
 * @module
 */
import type { JsonObject } from "../base/json.ts";
import { pause } from "../host/clock.ts";
import { makeFolder, readText, writeText } from "../host/scratch_folder.ts";
import { buildPrintInvocation, buildRunInvocation } from "../contract/invocation.ts";
import type { Invocation } from "../contract/run_arguments.ts";
import { parseRunArguments } from "../contract/run_schema.ts";
import { type LoopbackModel, nativeEnv } from "../loopback/mod.ts";
import type { NativeRecord } from "./native_record.ts";
import type { CallPorts, CallRequest, NativeCall } from "./native_call.ts";

/** How one call differs from others in the same room. */
export interface CallOptions {
  /**
   * Whether there is a key.
   *
   * @default {true}
   */
  readonly loggedIn?: boolean;
  readonly onFrame?: (frame: JsonObject) => void;
}

/** What a room is made of. */
export interface RoomOptions {
  readonly folder: string;
  readonly executable: string;
  readonly model: LoopbackModel;
  readonly ports: CallPorts;
  /** Variables of every call. */
  readonly env: { readonly [name: string]: string };
  readonly deadlineMs: number;
  /** Starts a call; rejects when everything is being ended. */
  readonly start: (request: CallRequest) => NativeCall;
  /** Waits for the end of a call; rejects unless it ended by itself or because it was asked to. */
  readonly finish: (call: NativeCall) => Promise<NativeRecord>;
}

/** The directory that the CLI works in, in a room at `folder`. */
export function projectOf(folder: string): string {
  return `${folder}/project`;
}

/** One room. */
export class Room {
  readonly model: LoopbackModel;
  /** The directory that the CLI works in; absolute. */
  readonly project: string;
  readonly #options: RoomOptions;

  private constructor(options: RoomOptions) {
    this.#options = options;
    this.model = options.model;
    this.project = projectOf(options.folder);
  }

  /** Makes the folders. Bash is allowed without asking, as a person can set it; modes that forbid it still do. */
  static async open(options: RoomOptions): Promise<Room> {
    for (const name of ["home", "config", "project", "tmp"]) {
      await makeFolder(`${options.folder}/${name}`);
    }
    return new Room(options);
  }

  /** Writes what a person can set for themselves: these tools may be used without asking. */
  async allow(...tools: readonly string[]): Promise<void> {
    const settings = JSON.stringify({ permissions: { allow: tools } });
    await writeText(`${this.#options.folder}/config/settings.json`, settings);
  }

  /** Writes a file into the project. */
  async write(name: string, text: string): Promise<void> {
    await writeText(`${this.project}/${name}`, text);
  }

  /** The text of a file in the project, or `null`. */
  async read(name: string): Promise<string | null> {
    return await readText(`${this.project}/${name}`);
  }

  /** Runs with the arguments of a supervised run; what is not given is off or absent. */
  async run(args: JsonObject, options: CallOptions = {}): Promise<NativeRecord> {
    return await this.call(runInvocation(args), options);
  }

  /** Runs with the arguments of `print`. */
  async print(args: JsonObject, options: CallOptions = {}): Promise<NativeRecord> {
    return await this.call(buildPrintInvocation(args), options);
  }

  /** Runs with any arguments. */
  async call(invocation: Invocation, options: CallOptions = {}): Promise<NativeRecord> {
    return await this.#options.finish(this.#start(invocation, options));
  }

  /** Runs, and asks for the end as soon as a tool has written `name` into the project. */
  async stopAfter(name: string, args: JsonObject): Promise<NativeRecord> {
    const call = this.#start(runInvocation(args), {});
    const over = call.ended.then(() => true, () => true);
    const { clock } = this.#options.ports;
    while (await this.read(name) === null) {
      const isOver = await Promise.race([over, pause(clock, 20, over).then(() => false)]);
      if (isOver) break;
    }
    call.stop("asked");
    return await this.#options.finish(call);
  }

  #start({ argv, stdin, env }: Invocation, { loggedIn = true, onFrame }: CallOptions): NativeCall {
    const { folder, executable, model, deadlineMs, start } = this.#options;
    return start({
      executable,
      argv,
      stdin,
      cwd: this.project,
      env: nativeEnv({
        home: `${folder}/home`,
        url: model.url,
        ...(loggedIn ? {} : { apiKey: undefined }),
        extra: {
          ...this.#options.env,
          CLAUDE_CONFIG_DIR: `${folder}/config`,
          CLAUDE_CODE_TMPDIR: `${folder}/tmp`,
          TMPDIR: `${folder}/tmp`,
          ...env,
        },
      }),
      deadlineMs,
      ...(onFrame !== undefined && { onFrame }),
    });
  }
}

/** Background tasks are off unless an experiment is about them. */
function runInvocation(args: JsonObject): Invocation {
  return buildRunInvocation(parseRunArguments({ background_tasks: "off", ...args }));
}

/** The machines that binaries are made for. */
import { BINARY_NAME } from "../../src/cli/hosts/launch.ts";

/** One of them. */
export interface Target {
  /** What `deno compile --target` calls it. */
  readonly name: string;
  /** As `Deno.build.os` says it. */
  readonly os: "linux" | "darwin";
  /** As releases say it. */
  readonly arch: "x64" | "arm64";
}

/** All of them. */
export const TARGETS: readonly Target[] = [
  { name: "x86_64-unknown-linux-gnu", os: "linux", arch: "x64" },
  { name: "aarch64-unknown-linux-gnu", os: "linux", arch: "arm64" },
  { name: "x86_64-apple-darwin", os: "darwin", arch: "x64" },
  { name: "aarch64-apple-darwin", os: "darwin", arch: "arm64" },
];

/** The file of a target's binary. */
export function binaryFile({ os, arch }: Pick<Target, "os" | "arch">): string {
  return `${BINARY_NAME}-${os}-${arch}`;
}

/** Whether this machine can run a target's binary. */
export function isHere({ name }: Target): boolean {
  return name === Deno.build.target;
}

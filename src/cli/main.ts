/**
 * The command line.
 *
 * @module
 */
import { toAdapterError } from "../base/errors.ts";
import { PROGRAM_NAME } from "../base/version.ts";
import { hasBrokenArguments, REPLACEMENT } from "../host/argument_bytes.ts";
import { COMMANDS, USAGE_EXIT } from "./commands.ts";
import { guardConsole } from "./console_guard.ts";
import { asksForHelp } from "./flags.ts";
import { HELP, VERSION_LINE, welcome } from "./help.ts";
import { hostCommand } from "./host_command.ts";
import { readCommand } from "./options.ts";
import { checkPermissions } from "./permissions.ts";
import { answer, say } from "./say.ts";
import { giveUpSpare } from "./spare_permissions.ts";

/** Exit code of a server that could not start. */
const FAULT_EXIT = 1;

/**
 * Does what the arguments ask for and resolves to the exit code. The caller ends the process with it, at once:
 * a read of standard input may be pending for ever.
 *
 * Everything that is not needed for the answer is loaded only where it is needed.
 */
export async function main(args: readonly string[]): Promise<number> {
  if (args.some((arg) => arg.includes(REPLACEMENT)) && await hasBrokenArguments()) {
    say(Deno.stderr, `an argument is no UTF-8 text; see '${PROGRAM_NAME} --help'\n`);
    return USAGE_EXIT;
  }
  const command = readCommand(args);
  switch (command.kind) {
    case "help":
      return printed(HELP);
    case "version":
      return printed(VERSION_LINE);
    case "usage":
      say(Deno.stderr, `${command.message}\n`);
      return USAGE_EXIT;
    case "command": {
      const { help, run } = await COMMANDS[command.name]!.load();
      if (asksForHelp(command.args)) return printed(help, command.name);
      giveUpSpare(command.name);
      return await run(command.args);
    }
    case "supervise": {
      const { takeSupervisorRole } = await import("./supervisor_role.ts");
      return await takeSupervisorRole();
    }
    case "serve": {
      if (!command.explicit && Deno.stdin.isTerminal()) return printed(welcome(hostCommand()));
      const fault = checkPermissions(command.options.executable);
      if (fault !== null) {
        say(Deno.stderr, `${fault.message}\n`);
        if (fault.fatal) return USAGE_EXIT;
      }
      giveUpSpare("serve");
      guardConsole((text) => say(Deno.stderr, text));
      const [{ serve }, { openStdio }] = await Promise.all([
        import("./serve.ts"),
        import("../host/stdio.ts"),
      ]);
      try {
        await serve(command.options, openStdio());
        return 0;
      } catch (caught) {
        // Unhandled rejections are only logged while serving: this one would end in a silent exit 0.
        say(Deno.stderr, `${PROGRAM_NAME} cannot serve: ${toAdapterError(caught).message}\n`);
        return FAULT_EXIT;
      }
    }
  }
}

function printed(text: string, command: string = ""): number {
  return answer(command, text) ?? 0;
}

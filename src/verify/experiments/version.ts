/** `claude --version`. */
import { answer } from "../../loopback/mod.ts";
import { experiment } from "../experiment.ts";
import { always } from "./script.ts";

export const VERSION = experiment({
  id: "version",
  script: always(answer("nobody asks")),
  run: (room) => room.call({ argv: ["--version"], stdin: null, env: {} }),
});

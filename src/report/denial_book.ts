/**
 * The refused tool calls of a run: all are counted, the first listed, each once however often it is reported.
 *
 * @module
 */
import { jsonText, type JsonValue, objectMember, stringMember } from "../base/json.ts";
import { MAX_REPORT_LIST } from "../base/limits.ts";
import { readId, shortName } from "./names.ts";
import type { Denial } from "./report.ts";
import type { TextBudget } from "./text_budget.ts";

/** The text of a denial is the same long advice to the model each time. */
const DENIAL_CHARS = 2_000;

/** Collects them. */
export class DenialBook {
  readonly #seen = new Set<string>();
  readonly #list: Denial[] = [];
  readonly #budget: TextBudget;
  readonly #mark: (toolUseId: string | null) => Denial["entry"];
  #count = 0;

  /** @param mark Marks the tool call and gives its entry's number. */
  constructor(budget: TextBudget, mark: (toolUseId: string | null) => Denial["entry"]) {
    this.#budget = budget;
    this.#mark = mark;
  }

  /** The first of them. */
  get list(): readonly Denial[] {
    return this.#list;
  }

  /** All of them. */
  get count(): number {
    return this.#count;
  }

  /** Takes `permission_denied` events, or what a result lists. */
  add(list: readonly JsonValue[]): void {
    for (const denial of list) {
      const id = readId(denial, "tool_use_id");
      if (id !== null && this.#seen.has(id)) continue;
      if (id !== null) this.#seen.add(id);
      this.#count += 1;
      const entry = this.#mark(id);
      if (this.#list.length < MAX_REPORT_LIST) this.#list.push(this.#read(denial, entry));
    }
  }

  #read(denial: JsonValue, entry: Denial["entry"]): Denial {
    const input = objectMember(denial, "tool_input");
    const detail = stringMember(denial, "message") ?? (input === null ? "" : jsonText(input));
    const reason = stringMember(denial, "decision_reason_type");
    return {
      tool: shortName(stringMember(denial, "tool_name") ?? "unknown tool"),
      reason: reason === null ? null : shortName(reason),
      detail: detail === "" ? null : this.#budget.keep(detail, DENIAL_CHARS),
      entry,
    };
  }
}

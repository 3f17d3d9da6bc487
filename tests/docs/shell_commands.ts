/** The commands of a block for a shell, as words. */

/** One list of words per command. Knows comments, quotes without escapes, and lines that go on. */
export function shellCommands(text: string): readonly (readonly string[])[] {
  return text
    .replaceAll(/\\\n\s*/g, " ")
    .split("\n")
    .map((line) => [...line.matchAll(/#.*$|'([^']*)'|"([^"]*)"|[^\s'"]+/g)])
    .map((words) =>
      words.filter(([word]) => !word.startsWith("#")).map((match) =>
        match[1] ?? match[2] ?? match[0]
      )
    )
    .filter((words) => words.length > 0);
}

/**
 * One executable for every behaviour of the stand-ins, chosen by the first word of the prompt.
 *
 * @module
 */

/** The text of the executable: `setsid_child stay` runs the behaviour `setsid_child` with the prompt `stay`. */
export function standIn(): string {
  return `#!/bin/sh
fakes='${pathOf("../../fixtures/fake_claude")}'
[ "\${1-}" = --version ] && exec "$fakes/ok" --version
for last; do :; done
case \${last%% *} in
  mixed) exec '${pathOf("./mixed")}' "$@" "\${last#* }" ;;
  *) exec "$fakes/\${last%% *}" "$@" "\${last#* }" ;;
esac
`;
}

function pathOf(relative: string): string {
  return decodeURIComponent(new URL(relative, import.meta.url).pathname);
}

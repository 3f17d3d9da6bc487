/**
 * Starts a program without the descriptors that a host left open.
 *
 * Deno hands every inherited descriptor above 2 to its children and cannot close them (measured: node:fs closeSync
 * knows only its own), so a host's private pipe would reach the native process. A shell closes them between the
 * adapter and the supervisor and then becomes the supervisor: the pid stays.
 *
 * @module
 */

/** The exit code when descriptors stay open because nothing here can close them. */
export const CANNOT_CLOSE_CODE = 97;

const PERL =
  "require POSIX; POSIX::close($_) for split q( ), shift; exec { $ARGV[0] } @ARGV; exit 126";
const PYTHON =
  "import os,sys\\nfor n in sys.argv[1].split(): os.close(int(n))\\nos.execv(sys.argv[2],sys.argv[2:])";

/**
 * For `sh -c SCRIPT sh PROGRAM ARGUMENTS…`. A POSIX shell need not understand a descriptor of two digits (dash
 * takes `57` in `57>&-` for a command), so those go to whoever can: this shell, else bash, perl or python.
 * What none can close is a reason not to start: code 97.
 */
export const CLOSE_DESCRIPTORS = `
high=
if [ -d /proc/self/fd ]; then list=/proc/self/fd; else list=/dev/fd; fi
for f in "$list"/*; do
  n=\${f##*/}
  case $n in
    0|1|2|*[!0-9]*) ;;
    [3-9]) eval "exec $n>&-" ;;
    *) [ -e "$f" ] && high="$high $n" ;;
  esac
done
if [ -n "$high" ]; then
  if (eval 'exec 10>&-') 2>/dev/null; then
    for n in $high; do eval "exec $n>&-"; done
  elif command -v bash >/dev/null 2>&1; then
    exec bash -c 'for n in $1; do eval "exec $n>&-"; done; shift; exec "$@"' bash "$high" "$@"
  elif command -v perl >/dev/null 2>&1; then
    exec perl -e '${PERL}' "$high" "$@"
  elif command -v python3 >/dev/null 2>&1; then
    exec python3 -I -S -c "$(printf '${PYTHON}')" "$high" "$@"
  else
    printf 'Cannot close the inherited descriptors%s: install bash or perl\\n' "$high" >&2
    exit ${CANNOT_CLOSE_CODE}
  fi
fi
exec "$@"
`;

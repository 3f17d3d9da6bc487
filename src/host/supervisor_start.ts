/**
 * What happens between the adapter and its supervisor: a shell prepares the process and then becomes the supervisor,
 * so the pid stays.
 *
 * 1. It closes the descriptors that a host left open. Deno hands every inherited descriptor above 2 to its children
 *    and cannot close them (measured: node:fs closeSync knows only its own), so a host's private pipe would reach
 *    the native process.
 * 2. On Linux it makes the process a child subreaper, where perl or python can: processes of the run that lose their
 *    parent then become children of the supervisor instead of pid 1, and none can leave its sight, not even one that
 *    clears its environment and takes a session of its own at once. The attribute survives exec (prctl(2)). A Deno
 *    cannot ask for it without --allow-ffi. Adopted processes that end stay zombies until the supervisor ends.
 *
 * @module
 */

/** The exit code when descriptors stay open because nothing here can close them. */
export const CANNOT_CLOSE_CODE = 97;

/** prctl's number differs by processor; PR_SET_CHILD_SUBREAPER is 36. Unknown processors go without. */
const PERL = `
  my $high = shift;
  if ($high ne q()) { require POSIX; POSIX::close($_) for split q( ), $high }
  if ($^O eq q(linux)) {
    require Config;
    my $cpu = $Config::Config{archname};
    my $prctl = $cpu =~ /^x86_64(?!.*x32)/ ? 157
      : $cpu =~ /^(aarch64|riscv64|loongarch64)/ ? 167
      : $cpu =~ /^(i[3-6]86|arm|s390x)/ ? 172
      : $cpu =~ /^(powerpc64|ppc64)/ ? 171 : 0;
    eval { syscall $prctl, 36, 1, 0, 0, 0 } if $prctl;
  }
  { no warnings; exec { $ARGV[0] } @ARGV }
  print STDERR qq(Cannot run $ARGV[0]: $!\\n);
  exit 126
`;

const PYTHON = `
import os, sys
for n in sys.argv[1].split(): os.close(int(n))
try:
  import ctypes
  if sys.platform == "linux": ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)
except Exception: pass
os.execv(sys.argv[2], sys.argv[2:])
`;

/**
 * For `sh -c SCRIPT sh PROGRAM ARGUMENTS…`. A POSIX shell need not understand a descriptor of two digits (dash
 * takes `57` in `57>&-` for a command), so those go to whoever can: perl, python, this shell, or bash. What none
 * can close is a reason not to start: code 97.
 */
export const SUPERVISOR_START = `
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
if [ -n "$high" ] || [ -d /proc/self ]; then
  if command -v perl >/dev/null 2>&1; then
    exec perl -e '${PERL}' "$high" "$@"
  elif command -v python3 >/dev/null 2>&1; then
    exec python3 -I -S -c '${PYTHON}' "$high" "$@"
  fi
fi
if [ -n "$high" ]; then
  if (eval 'exec 10>&-') 2>/dev/null; then
    for n in $high; do eval "exec $n>&-"; done
  elif command -v bash >/dev/null 2>&1; then
    exec bash -c 'for n in $1; do eval "exec $n>&-"; done; shift; exec "$@"' bash "$high" "$@"
  else
    printf 'Cannot close the inherited descriptors%s: install bash or perl\\n' "$high" >&2
    exit ${CANNOT_CLOSE_CODE}
  fi
fi
exec "$@"
`;

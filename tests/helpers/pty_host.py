"""Runs a program on a pseudo-terminal of its own and plays the terminal.

  pty_host.py ROWS COLUMNS PROGRAM [ARGUMENT ...]

What the program writes goes to standard output, byte for byte. Standard input takes commands, one a line:
  input HEX       bytes as if they were typed
  size ROWS COLUMNS
  hangup          the terminal goes away
Standard error says `pid N` when the program was started and `exit N` when it has ended (128 and the signal for one).
"""

import fcntl, os, pty, select, signal, struct, sys, termios


def set_size(fd, rows, columns):
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


def say(text):
    os.write(2, (text + "\n").encode())


rows, columns, program = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
master, slave = pty.openpty()
set_size(slave, rows, columns)
pid = os.fork()
if pid == 0:
    os.setsid()
    fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
    for fd in (0, 1, 2):
        os.dup2(slave, fd)
    os.close(master)
    os.close(slave)
    os.execvp(program[0], program)
os.close(slave)
say(f"pid {pid}")
sources, commands = [master, 0], b""
while master in sources:
    for fd in select.select(sources, [], [])[0]:
        try:
            data = os.read(fd, 65536)
        except OSError:  # EIO: the program has closed its side
            data = b""
        if fd == master:
            if data:
                os.write(1, data)
            else:
                sources.remove(master)
            continue
        if not data:
            sources.remove(0)
        commands += data
        *lines, commands = commands.split(b"\n")
        for line in lines:
            word, *rest = line.decode().split()
            if word == "input":
                os.write(master, bytes.fromhex(rest[0]))
            elif word == "size":
                set_size(master, int(rest[0]), int(rest[1]))
            elif word == "hangup":
                sources = []
os.close(master)
_, status = os.waitpid(pid, 0)
say(f"exit {128 + os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)}")

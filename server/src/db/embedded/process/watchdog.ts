import { type ChildProcess, spawn } from 'node:child_process'
import type { Account } from '../account.ts'

/** The exit code of the watchdog when somebody else holds the directory's lock. */
export const exitInUse = 75

/*
 * Descriptor 3 is a pipe whose other end only node holds: it closes when node exits, even by kill -9.
 * Descriptor 4 is the lock file. The postmaster and all its backends inherit it, so the lock lasts as long as any of them lives,
 * also where process ids are unreliable (zombies, other containers); only its holder may remove the lock files PostgreSQL left behind.
 * Signals are repeated because the shell starts the server with SIGINT ignored: one that comes too early is lost.
 */
const takeLock = `
flock -n 4 || flock -w 8 4 || exit ${exitInUse}
rm -f "$DATA/postmaster.pid" "$SOCKETS/.s.PGSQL.5432" "$SOCKETS/.s.PGSQL.5432.lock"
`
// As a batch process, a backend that wakes up does not preempt the server in the middle of another request: a fifth more requests (decision 034).
const yieldToServer = `
chrt -b 0 true 2>/dev/null && set -- chrt -b 0 "$@"
`
const watch = `
"$@" 3<&- &
postmaster=$!
exec 4<&-
trap 'kill -INT $postmaster' TERM INT HUP
{
  read -r nothing <&3
  for signal in INT INT INT INT INT INT QUIT QUIT QUIT QUIT KILL; do kill -$signal $postmaster || exit; sleep 1; done
} 2>/dev/null &
reader=$!
exec 3<&-
wait $postmaster
code=$?
while kill -0 $postmaster 2>/dev/null; do wait $postmaster; code=$?; done
kill $reader 2>/dev/null
exit $code
`

export interface Watched {
  command: string[]
  account: Account
  dataDirectory: string
  socketDirectory: string
  logDescriptor: number
  /** Null if the kernel's lock is not available. */
  lockDescriptor: number | null
}

/** Starts the server under a shell that outlives node just long enough to stop it; detached, so that Ctrl-C reaches only node. */
export function startWatched({ command, account, dataDirectory, socketDirectory, logDescriptor, lockDescriptor }: Watched): ChildProcess {
  const [program = '', ...args] = command
  const output = [logDescriptor, logDescriptor]
  // Windows has no such shell: there the next start takes over an orphaned server.
  if (process.platform === 'win32') return spawn(program, args, { stdio: ['ignore', ...output], windowsHide: true })
  return spawn(
    '/bin/sh',
    ['-c', (lockDescriptor === null ? '' : takeLock) + yieldToServer + watch, 'tessera-postgres-watchdog', ...command],
    {
      ...account,
      cwd: '/',
      detached: true,
      stdio: ['ignore', ...output, 'pipe', lockDescriptor ?? 'ignore'],
      env: { PATH: process.env.PATH, TZ: 'UTC', LC_ALL: 'C', DATA: dataDirectory, SOCKETS: socketDirectory },
    },
  )
}

import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { OperatorError } from '../../../operator-error.ts'
import { type Account, giveTo } from '../account.ts'
import type { Binaries } from '../binaries.ts'

export const superuser = 'tessera'

/** Creates the data directory if necessary, atomically by a rename. */
export async function initialize(
  dataDirectory: string,
  { binaries, account, durable }: { binaries: Binaries; account: Account; durable: boolean },
) {
  const parent = path.dirname(dataDirectory)
  removeHalfMade(parent)
  if (existsSync(path.join(dataDirectory, 'PG_VERSION'))) return refuseOtherVersion(dataDirectory, binaries.major)
  if (existsSync(dataDirectory)) removeEmpty(dataDirectory)

  const half = path.join(parent, `postgres.new-${process.pid}`)
  mkdirSync(half, { mode: 0o700 })
  giveTo(account, half)
  try {
    await runInitdb(half, { binaries, account, durable })
    renameSync(half, dataDirectory)
  } finally {
    // Also removes what the first attempt left: if an initdb outlived its killed parent and is still writing, Node leaves an empty folder without an error.
    removeHalfMade(parent)
  }
  if (durable && process.platform !== 'win32') syncFolder(parent)
}

function removeHalfMade(parent: string) {
  for (const entry of readdirSync(parent)) {
    if (entry.startsWith('postgres.new-'))
      rmSync(path.join(parent, entry), { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }
}

/** Only Windows needs a password, because it has no sockets restricted to one account. */
export function passwordFile(dataDirectory: string) {
  return `${dataDirectory}.password`
}

async function runInitdb(target: string, { binaries, account, durable }: { binaries: Binaries; account: Account; durable: boolean }) {
  const options = ['-D', target, '-U', superuser, '-E', 'UTF8', '--data-checksums', '--no-instructions', ...(durable ? [] : ['--no-sync'])]
  // PostgreSQL's builtin collation: a new libc or ICU never silently corrupts an index.
  options.push('--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8')
  if (process.platform === 'win32') {
    const file = passwordFile(path.join(path.dirname(target), 'postgres'))
    writeFileSync(file, randomBytes(24).toString('base64url'), { mode: 0o600 })
    options.push('--auth=scram-sha-256', `--pwfile=${file}`)
  } else options.push('--auth-local=trust', '--auth-host=reject')

  const child = spawn(binaries.initdb, options, {
    ...account,
    cwd: '/',
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC', SYSTEMROOT: process.env.SYSTEMROOT },
  })
  const ended = new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve))
  const [complaint, code] = await Promise.all([text(child.stderr), ended])
  if (code === 0) return
  const lines = complaint.trim().split('\n')
  const line = lines.find(candidate => /error|fatal/i.test(candidate)) || lines.at(-1) || `initdb ended with ${code}`
  const user = process.getuid?.()
  if (/could not look up effective user/.test(complaint))
    throw new OperatorError(
      `PostgreSQL does not run as user ${user}, which /etc/passwd does not list: list it there, start as another user, or set DATABASE_URL to a PostgreSQL server.`,
    )
  throw new OperatorError(
    `Cannot create a database in ${path.dirname(target)} (${line.trim()}): fix that, or set DATABASE_URL to a PostgreSQL server.`,
  )
}

function refuseOtherVersion(dataDirectory: string, major: string) {
  const found = readFileSync(path.join(dataDirectory, 'PG_VERSION'), 'utf8').trim()
  if (found === major) return
  throw new OperatorError(
    `${dataDirectory} was written by PostgreSQL ${found} and this Tessera brings ${major}: make a backup with the Tessera that wrote it, move the directory away and restore the backup.`,
  )
}

function removeEmpty(folder: string) {
  try {
    rmdirSync(folder)
  } catch {
    throw new OperatorError(`${folder} holds files but no database (PG_VERSION is missing): move it away, or restore a backup.`)
  }
}

function syncFolder(folder: string) {
  const descriptor = openSync(folder, 'r')
  fsyncSync(descriptor)
  closeSync(descriptor)
}

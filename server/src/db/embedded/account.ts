import { spawnSync } from 'node:child_process'
import { accessSync, chownSync, constants, openSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { OperatorError } from '../../operator-error.ts'

/** The operating system account PostgreSQL runs under; null is the account of this process. */
export type Account = { uid: number; gid: number } | null

/** PostgreSQL refuses to run as root or on files of another account: the owner of existing data comes first, then `postgres`, then `nobody`. */
export function accountFor(dataDirectory: string): Account {
  const self = process.getuid?.()
  if (self === undefined) return null
  const owner = ownerOf(dataDirectory)
  if (self !== 0) {
    if (owner && owner.uid !== self) {
      throw new OperatorError(
        `${dataDirectory} belongs to ${nameOf(owner.uid)}, but this process runs as ${nameOf(self)}: ` +
          `start it as ${nameOf(owner.uid)}, or give the files away with: chown -R ${nameOf(self)} ${path.dirname(dataDirectory)}`,
      )
    }
    return null
  }
  const candidate =
    listedAccounts().find(account => account.name === 'postgres') ?? listedAccounts().find(account => account.name === 'nobody')
  if (owner?.uid === 0) {
    throw new OperatorError(
      `${dataDirectory} belongs to root, and PostgreSQL does not run as root: ` +
        `give it to another account with: chown -R ${candidate?.name ?? 'postgres'} ${dataDirectory}`,
    )
  }
  if (owner) return { uid: owner.uid, gid: owner.gid }
  if (candidate) return { uid: candidate.uid, gid: candidate.gid }
  throw new OperatorError(
    'PostgreSQL does not run as root, and /etc/passwd lists neither "postgres" nor "nobody": start as an ordinary user, or set DATABASE_URL.',
  )
}

/** The account's name in /etc/passwd, or its number. */
export function nameOf(uid: number) {
  return listedAccounts().find(account => account.uid === uid)?.name ?? String(uid)
}

/** Checked by the kernel under that account, because access lists and mount options matter too. */
export function canEnter(account: Account, folder: string) {
  if (account) return spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], { ...account, cwd: '/', stdio: 'ignore' }).status === 0
  try {
    accessSync(folder, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Opens a file for appending, readable by the account alone. */
export function openFor(account: Account, file: string) {
  try {
    const descriptor = openSync(file, 'a+', 0o600)
    giveTo(account, file)
    return descriptor
  } catch (error) {
    const self = nameOf(process.getuid?.() ?? 0)
    throw new OperatorError(
      `Cannot write to ${file} (${(error as NodeJS.ErrnoException).code}): give the directory to this user with: chown -R ${self} ${path.dirname(file)}`,
    )
  }
}

export function giveTo(account: Account, file: string) {
  if (account) chownSync(file, account.uid, account.gid)
}

function ownerOf(dataDirectory: string) {
  try {
    return statSync(dataDirectory)
  } catch {
    // It is missing, or in a folder that we may not enter, which shows when the directory is created.
    return null
  }
}

function listedAccounts() {
  try {
    const rows = readFileSync('/etc/passwd', 'utf8').split('\n')
    return rows
      .map(row => row.split(':'))
      .flatMap(([name = '', , uid, gid]) => (Number(uid) > 0 ? [{ name, uid: Number(uid), gid: Number(gid) }] : []))
  } catch {
    return []
  }
}

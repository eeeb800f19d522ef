import { hash } from 'node:crypto'
import { chmodSync, lstatSync, mkdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { OperatorError } from '../../../operator-error.ts'
import { type Account, giveTo } from '../account.ts'

export const socketPort = 5432
const longestAddress = process.platform === 'linux' ? 107 : 103

/** The data directory, or a private one in the temporary folder if the socket's path would be too long for the kernel. */
export function socketDirectoryFor(dataDirectory: string, account: Account) {
  if (fits(dataDirectory)) return dataDirectory
  const name = `tessera-${hash('sha256', dataDirectory).slice(0, 16)}`
  const folder = [tmpdir(), '/tmp'].map(parent => path.join(parent, name)).find(fits) ?? path.join('/tmp', name)
  if (!lstatSync(folder, { throwIfNoEntry: false })) {
    mkdirSync(folder, { mode: 0o700 })
    giveTo(account, folder)
  }
  const found = lstatSync(folder)
  const owner = account?.uid ?? process.getuid?.()
  // Anyone may write to the temporary folder: a directory prepared by another account could contain a fake database.
  if (!found.isDirectory() || found.uid !== owner) {
    throw new OperatorError(`${folder} belongs to somebody else: remove it, or set TESSERA_DATA to a shorter path.`)
  }
  chmodSync(folder, 0o700)
  return folder
}

/** Removes what socketDirectoryFor created in the temporary folder, after the server has stopped. */
export function removeSocketDirectory(folder: string, dataDirectory: string) {
  if (folder !== dataDirectory && process.platform !== 'win32') rmSync(folder, { recursive: true, force: true })
}

function fits(folder: string) {
  return Buffer.byteLength(path.join(folder, `.s.PGSQL.${socketPort}`)) <= longestAddress
}

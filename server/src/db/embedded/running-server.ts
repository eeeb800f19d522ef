import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Connection } from './connection.ts'
import { usableDirectory } from './data-directory/directory.ts'
import { passwordFile, superuser } from './data-directory/initialize.ts'
import { findPostmaster } from './process/postmaster.ts'

/** The bundled PostgreSQL that another process of this product has running on the directory; null when there is none. */
export function runningServer(wanted: string): { connection: Connection; data: string } | null {
  const { directory, dataDirectory } = usableDirectory(wanted)
  if (!findPostmaster(dataDirectory)?.ready) return null
  // The lines of postmaster.pid: id, directory, start, port, socket directory, listen address, …
  const [, , , port = '', socketDirectory = '', address = ''] = readFileSync(path.join(dataDirectory, 'postmaster.pid'), 'utf8').split('\n')
  const identity = { port: Number(port), user: superuser, database: 'postgres' }
  if (process.platform !== 'win32') return { connection: { host: socketDirectory, ...identity }, data: directory }
  const password = readFileSync(passwordFile(dataDirectory), 'utf8').trim()
  return { connection: { host: address, ...identity, password }, data: directory }
}

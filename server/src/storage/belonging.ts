import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { connectionFault } from '../connection-fault.ts'
import { type Db, queryRows } from '../db/db.ts'
import { bool, nullable, text, uuid } from '../db/shape.ts'
import { inTransaction } from '../lib/transaction.ts'
import { OperatorError } from '../operator-error.ts'
import type { StorageMark } from './names.ts'
import type { Storage } from './storage.ts'

/**
 * Whether storage and database belong together. `own`: each names the other. `unknown`: the database names another storage. `foreign`: the
 * storage names another database, or holds files and names none.
 */
type Belonging = { state: 'own' | 'unknown' | 'foreign'; id: string | null; advice: string }

interface DatabaseName {
  owner: string
  storageId: string | null
}

const claim = 'tessera storage claim'
const advices = {
  own: 'storage and database name each other',
  unknown: `this is not the storage that the database knows: mount the right disk, correct TESSERA_STORAGE, or run ${claim} if this one replaces it`,
  foreign: `the storage belongs to another database: correct TESSERA_STORAGE or DATABASE_URL, or run ${claim} if this database replaces that one`,
  unmarked: `the storage holds files and names no database: give an empty one, or run ${claim} if its files are this database's`,
}

/** Compares the ids that storage and database have for each other. A database without a storage claims an empty one, never one with content. */
export async function belongingOf(db: Db, storage: Storage): Promise<Belonging> {
  const [name, mark] = [await nameOf(db), await storage.readMark()]
  if (mark || name.storageId !== null) return compare(db, storage, name, mark)
  // Nodes that start together claim one after the other: not every S3 server honors the condition of the first write.
  return inTransaction(db, async transaction => {
    await sql`select 1 from installation for update`.execute(transaction)
    return compare(transaction, storage, await nameOf(transaction), await storage.readMark())
  })
}

async function compare(db: Db, storage: Storage, { owner, storageId }: DatabaseName, found: StorageMark | null): Promise<Belonging> {
  if (!found && storageId !== null) return { state: 'unknown', id: null, advice: advices.unknown }
  if (!found && (await storage.holdsAnything())) return { state: 'foreign', id: null, advice: advices.unmarked }
  const mark = found ?? (await firstMark(storage, owner))
  const { id } = mark
  if (mark.owner !== null && mark.owner !== owner) return { state: 'foreign', id, advice: advices.foreign }
  if (storageId !== null && storageId !== id) return { state: 'unknown', id, advice: advices.unknown }
  if (mark.owner === null) {
    // Written by a version that kept the id on both sides, but no name of the database.
    if (storageId === null) return { state: 'foreign', id, advice: advices.foreign }
    await storage.replaceMark({ id, owner })
  }
  if (storageId === null && (await remember(db, id)) !== id) return { state: 'unknown', id, advice: advices.unknown }
  return { state: 'own', id, advice: advices.own }
}

/** Marks an empty storage, and returns the mark that it then has: another process may have been faster. */
async function firstMark(storage: Storage, owner: string) {
  await storage.writeFirstMark({ id: randomUUID(), owner })
  const mark = await storage.readMark()
  if (!mark) throw new Error('The storage does not keep what is written to it')
  return mark
}

export async function isOwnStorage(db: Db, storage: Storage) {
  return (await belongingOf(db, storage)).state === 'own'
}

/** The first line of the reason only: the S3 client explains an unreadable answer in two lines. */
export function awayAdvice(reason: string) {
  return `the storage does not answer (${connectionFault(reason).split('\n')[0]}): uploads and downloads fail until it does; start it, mount the disk, or correct TESSERA_STORAGE`
}

/** Throws a one-line error for the operator unless the storage answers: later its errors would look like those of a database that is down. */
export async function requireAnswer(storage: Storage) {
  await storage.readMark().catch((error: Error) => {
    throw new OperatorError(`Attachments: ${awayAdvice(error.message)}.`)
  })
}

/** For commands that write or delete files. */
export async function requireOwnStorage(db: Db, storage: Storage) {
  const { state, advice } = await belongingOf(db, storage).catch((error: Error) => ({ state: 'away', advice: awayAdvice(error.message) }))
  if (state !== 'own') throw new OperatorError(`Attachments: ${advice}.`)
}

/** Makes this storage belong to this database, by order of the operator, whatever was recorded before. */
export async function claimStorage(db: Db, storage: Storage) {
  const { owner } = await nameOf(db)
  const id = (await storage.readMark())?.id ?? randomUUID()
  await storage.replaceMark({ id, owner })
  await sql`update installation set storage_id = ${id}, storage_clean_up = null`.execute(db)
}

/** Stores the storage's id; the first process to do so decides for all. */
async function remember(db: Db, id: string) {
  const rows = await queryRows(db, { storage_id: text })`
    update installation set storage_id = coalesce(storage_id, ${id}) returning storage_id`
  return rows[0]?.storage_id
}

/**
 * Marks an empty storage for a restore into this database, so that no other takes it meanwhile. A restore that was interrupted goes on in the storage that it
 * marked. Throws OperatorError for any other storage. `hasSchema`: the database was never used, but may own a storage.
 */
export async function reserveStorage(db: Db, storage: Storage, hasSchema: boolean) {
  const owner = `restore/${await placeOf(db)}`
  const mark = await storage.readMark()
  if (mark?.owner === owner) return
  const hint = 'set TESSERA_STORAGE or TESSERA_DATA to an empty one'
  if (await storage.holdsAnything()) throw new OperatorError(`The storage of attachments is not empty: ${hint}.`)
  if (mark && hasSchema && (await isOwnStorage(db, storage))) return storage.replaceMark({ id: mark.id, owner })
  if (mark || (await firstMark(storage, owner)).owner !== owner)
    throw new OperatorError(`The storage of attachments belongs to another database: ${hint}.`)
}

/** The database's name for storages: a copy of it has the same installation id, so its place is part of the name. */
async function nameOf(db: Db): Promise<DatabaseName> {
  const [row] = await queryRows(db, { id: uuid, storage_id: nullable(text) })`select id, storage_id from installation`
  if (!row) throw new Error('The database has no installation')
  return { storageId: row.storage_id, owner: `${row.id}/${await placeOf(db)}` }
}

/** The id that PostgreSQL gave the cluster, and the number of the database in it. */
async function placeOf(db: Db) {
  const [database] = await queryRows(db, { oid: text, mayAsk: bool })`
    select oid::text as oid, has_function_privilege('pg_control_system()', 'execute') as "mayAsk"
    from pg_database where datname = current_database()`
  // Some providers revoke this function from their customers. Its refusal would end the transaction.
  if (!database?.mayAsk) return `-/${database?.oid}`
  const [cluster] = await queryRows(db, { id: text })`select system_identifier::text as id from pg_control_system()`
  return `${cluster?.id}/${database.oid}`
}

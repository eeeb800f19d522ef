import { createHash } from 'node:crypto'
import { limits } from '@tessera/contract/limits'
import { sql } from 'kysely'
import { type Db, queryRows } from '../../../db/db.ts'
import { acrossOrganizations } from '../../../db/guard/across-organizations.ts'
import { bytea, int8, text } from '../../../db/shape.ts'
import { addJob, forgetFailures, type Job } from '../../../lib/background/job-queue.ts'
import { inTransaction } from '../../../lib/transaction.ts'
import { belongingOf } from '../../../storage/belonging.ts'
import { cleanUpStorage, isBackupRunning, withoutRow } from '../../../storage/clean-up.ts'
import type { Storage } from '../../../storage/storage.ts'

const backupPauseSeconds = 600

/**
 * Only if the storage belongs to this database: a copy of the database would delete the original's files. Later if a backup is being written, whose
 * rows may still name them.
 */
export const removeFiles: Job<'remove-files'> = async ({ db, storage }, { keys }) => {
  if (await isBackupRunning(db)) return addJob(db, 'remove-files', { keys }, { delaySeconds: backupPauseSeconds })
  const { state, advice } = await belongingOf(db, storage)
  if (state !== 'own') throw new Error(`Files of purged tickets are not removed: ${advice}`)
  for (const key of keys) await storage.remove(key)
}

const filesOfJob = 500

/** Removes these files after the commit of this transaction, in which their rows go. */
export async function queueRemoval(db: Db, keys: readonly string[]) {
  for (let from = 0; from < keys.length; from += filesOfJob) await addJob(db, 'remove-files', { keys: keys.slice(from, from + filesOfJob) })
}

/**
 * Attachments that were deleted long ago lose their rows, and their files by a job, some at a time, each time in one transaction. Returns how many.
 * Several processes may do this at once.
 */
export async function removeDeleted(db: Db) {
  const organizations = await queryRows(db, { id: int8 })`
    ${acrossOrganizations('job')} select distinct organization_id as id from attachment where ${isOver}`
  let total = 0
  for (const { id } of organizations)
    for (let removed = filesOfJob; removed === filesOfJob; total += removed)
      removed = await inTransaction(db, transaction => removeSome(transaction, id))
  return total
}

const isOver = sql`deleted_at < now() - make_interval(days => ${sql.lit(limits.deletedFileDays)})`

async function removeSome(db: Db, organizationId: number) {
  const gone = await queryRows(db, { key: text, bytes: int8 })`
    with over as materialized (
      select id from attachment where organization_id = ${organizationId} and ${isOver}
      order by deleted_at limit ${filesOfJob} for update skip locked)
    delete from attachment a using over where a.organization_id = ${organizationId} and a.id = over.id
    returning a.storage_key as key, a.bytes`
  if (gone.length === 0) return 0
  const bytes = gone.reduce((sum, file) => sum + file.bytes, 0)
  await sql`update organization set attachment_bytes = greatest(0, attachment_bytes - ${bytes}) where id = ${organizationId}`.execute(db)
  await queueRemoval(
    db,
    gone.map(({ key }) => key),
  )
  return gone.length
}

/** Hourly: attachments that were deleted long ago are removed; files without a row go to the bin; rows without a file are data loss, and fail the job so that somebody sees it. */
export const cleanUpFiles: Job<'clean-up-files'> = async ({ db, storage }, _payload, log) => {
  if (await isBackupRunning(db)) return log.info('a backup is being written: attachments are cleaned up in an hour')
  const removed = await removeDeleted(db)
  if (removed > 0) log.info({ removed }, 'attachments removed that were deleted long ago')
  const { lost, ...result } = await cleanUpStorage(db, storage)
  log.info(result, 'attachments cleaned up')
  if (result.refused > 0)
    log.error(
      result,
      `${result.refused} of ${result.files} files belong to no attachment, too many for a clean-up: nothing was moved. tessera doctor says what to do`,
    )
  if (result.missing > 0) {
    const names = lost.map(({ organizationId, id, storageKey }) => `${id} of organization ${organizationId} (${storageKey})`)
    throw new Error(`${result.missing} attachments have lost their files: ${names.join(', ')}`)
  }
  await forgetFailures(db, 'clean-up-files')
}

/** Nightly: reads one file in a hundred and compares it with the digest of its row; a difference fails the job. */
export const scrubFiles: Job<'scrub-files'> = async ({ db, storage }) => {
  const damaged = await damagedFiles(db, storage, 1)
  if (damaged.length > 0) throw new Error(`${damaged.length} attachments are not as they were stored: ${damaged.slice(0, 20).join(', ')}`)
}

/** Checks a random sample of this percentage of all files; returns the keys of missing or changed ones. */
export async function damagedFiles(db: Db, storage: Storage, percent: number) {
  const rows = await queryRows(db, { storage_key: text, sha256: bytea })`
    ${acrossOrganizations('job')} select storage_key, sha256 from attachment tablesample bernoulli (${sql.lit(percent)})`
  const damaged: string[] = []
  for (const { storage_key, sha256 } of rows) {
    const hash = createHash('sha256')
    for await (const chunk of (await storage.read(storage_key)) ?? []) hash.update(chunk as Buffer)
    if (!hash.digest().equals(sha256)) damaged.push(storage_key)
  }
  if (damaged.length === 0) return []
  // A file purged in between is not missing.
  const gone = new Set(await withoutRow(db, damaged))
  return damaged.filter(key => !gone.has(key))
}

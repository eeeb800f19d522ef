import { createHash } from 'node:crypto'
import { limits } from '@tessera/contract/limits'
import { sql } from 'kysely'
import { type Db, queryRows } from '../../../db/db.ts'
import { acrossOrganizations } from '../../../db/guard/across-organizations.ts'
import { bytea, int8, text } from '../../../db/shape.ts'
import { addJob, type Job } from '../../../lib/background/job-queue.ts'
import { inTransaction } from '../../../lib/transaction.ts'
import { belongingOf } from '../../../storage/belonging.ts'
import { cleanUpStorage, isBackupRunning } from '../../../storage/clean-up.ts'
import type { Storage } from '../../../storage/storage.ts'

/** Only if the storage belongs to this database: a copy of the database would delete the original's files. */
export const removeFiles: Job<'remove-files'> = async ({ db, storage }, { keys }) => {
  const { state, advice } = await belongingOf(db, storage)
  if (state !== 'own') throw new Error(`Files of purged tickets are not removed: ${advice}`)
  for (const key of keys) await storage.remove(key)
}

const filesOfJob = 500

/** Removes these files after the commit of this transaction, in which their rows go. */
export async function queueRemoval(db: Db, keys: readonly string[]) {
  for (let from = 0; from < keys.length; from += filesOfJob) await addJob(db, 'remove-files', { keys: keys.slice(from, from + filesOfJob) })
}

/** Attachments that were deleted long ago lose their rows, and their files by a job. Returns how many. */
export function removeDeleted(db: Db) {
  return inTransaction(db, async transaction => {
    const all = acrossOrganizations('job')
    const gone = await queryRows(transaction, { organization: int8, key: text, bytes: int8 })`
      ${all} delete from attachment where deleted_at < now() - make_interval(days => ${limits.deletedFileDays})
      returning organization_id as organization, storage_key as key, bytes`
    if (gone.length === 0) return 0
    await sql`
      ${all} update organization o set attachment_bytes = greatest(0, attachment_bytes - freed.bytes)
      from (select organization, sum(bytes)::bigint as bytes
        from unnest(${gone.map(({ organization }) => organization)}::bigint[], ${gone.map(({ bytes }) => bytes)}::bigint[]) gone (organization, bytes)
        group by organization) freed
      where o.id = freed.organization`.execute(transaction)
    await queueRemoval(
      transaction,
      gone.map(({ key }) => key),
    )
    return gone.length
  })
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
  if (lost.length > 0) {
    const names = lost.slice(0, 20).map(({ organizationId, id, storageKey }) => `${id} of organization ${organizationId} (${storageKey})`)
    throw new Error(`${lost.length} attachments have lost their files: ${names.join(', ')}`)
  }
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
  const still = await queryRows(db, { key: text })`
    ${acrossOrganizations('job')} select storage_key as key from attachment where storage_key = any(${damaged})`
  return still.map(({ key }) => key)
}

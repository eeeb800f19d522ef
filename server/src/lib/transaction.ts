import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../db/db.ts'
import { rowsMoved, sqlState } from '../db/sql-state.ts'

/**
 * A number outside its limits. PostgreSQL checks a row before it notices that somebody has changed it meanwhile: a ticket leaves its parent while its
 * state gets another phase, and the parent's counter of that phase is still 0.
 */
const outOfLimits = '23514'
const retried = new Set(['40001', '40P01', outOfLimits, rowsMoved])

/**
 * Retries work that failed with a deadlock or a serialization failure, on an outdated number, or because a cluster moved the rows, up to three
 * attempts. `work` must be a whole transaction.
 */
export async function retrying<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!retried.has(sqlState(error) ?? '') || attempt === 3) throw error
      await sleep(5 * attempt + Math.random() * 20 * attempt)
    }
  }
}

/** Runs the work in one transaction, with retries; inside an open transaction, as part of it. */
export async function inTransaction<T>(db: Db, work: (transaction: Db) => Promise<T>): Promise<T> {
  return db.isTransaction ? work(db) : retrying(() => db.transaction().execute(work))
}

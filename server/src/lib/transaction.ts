import { type Db, sqlState } from '../db/db.ts'

const retried = new Set(['40001', '40P01'])

/** Tries again, three times in all, what failed because of a deadlock or a serialization failure. `work` must be a whole transaction. */
export async function retrying<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!retried.has(sqlState(error) ?? '') || attempt === 3) throw error
      await new Promise(resolve => setTimeout(resolve, 5 * attempt + Math.random() * 20 * attempt))
    }
  }
}

/** One transaction, retried; within one that is open already, part of that. */
export async function inTransaction<T>(db: Db, work: (transaction: Db) => Promise<T>): Promise<T> {
  return db.isTransaction ? work(db) : retrying(() => db.transaction().execute(work))
}

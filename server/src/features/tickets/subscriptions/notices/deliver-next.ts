import { type RawBuilder, sql } from 'kysely'
import { type Db, queryRows } from '../../../../db/db.ts'
import { acrossOrganizations } from '../../../../db/guard/across-organizations.ts'
import { int8, type RowOf, type Shape } from '../../../../db/shape.ts'
import { inTransaction } from '../../../../lib/transaction.ts'

/** A table with a row for each ticket or change set that is still to be mailed. */
interface Notices<S extends Shape> {
  table: string
  /** With the organization its primary key. */
  key: string
  /** The time by which notices are ordered, and which is moved when one fails. */
  at: string
  due: RawBuilder<unknown>
  row: S
}

/**
 * Turns the next due notice into mails and removes it, in one transaction; false when there is none. Other processes skip rows that this
 * one has locked.
 */
export async function deliverNext<S extends Shape>(
  db: Db,
  { table, key, at, due, row }: Notices<S>,
  tell: (db: Db, notice: RowOf<S>) => Promise<void>,
): Promise<boolean> {
  const [notices, id, time] = [sql.table(table), sql.ref(key), sql.ref(at)]
  let held: RawBuilder<unknown> | undefined
  try {
    return await inTransaction(db, async transaction => {
      // A cluster locks rows of one organization at a time, so they are found first.
      const found = await queryRows(transaction, { organization_id: int8, id: int8 })`${acrossOrganizations('job')}
        select organization_id, ${id} as id from ${notices} where ${due} order by ${time} limit 20`
      for (const each of found) {
        const one = sql`organization_id = ${each.organization_id} and ${id} = ${each.id}`
        const [notice] = await queryRows(transaction, row)`
          select ${sql.join(Object.keys(row).map(name => sql.ref(name)))} from ${notices} where ${one} and ${due} for update skip locked`
        if (!notice) continue
        held = one
        await tell(transaction, notice)
        await sql`delete from ${notices} where ${one}`.execute(transaction)
        return true
      }
      return false
    })
  } catch (error) {
    // A notice that fails must not block the others: it is retried later.
    if (held) await sql`update ${notices} set ${time} = now() + interval '5 minutes' where ${held}`.execute(db)
    throw error
  }
}

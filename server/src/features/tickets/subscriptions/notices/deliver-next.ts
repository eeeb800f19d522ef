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
  /** The time by which notices of an organization are ordered, and which is moved when one fails. */
  at: string
  due: RawBuilder<unknown>
  row: S
  /** The table of what the notices are about: a row that somebody has locked may be about to get another change, and waits. */
  about?: string
}

/** Where the organizations' turns have arrived. Each process has its own, since they skip each other's notices. */
export interface Turn {
  after: number
}
export const firstTurn = (): Turn => ({ after: 0 })

/** An organization whose notices are many waits for the others after this number of its own. */
const perTurn = 5

/**
 * Turns a few due notices into mails, the oldest ones of the organization whose turn it is; false when there are none that no other process or
 * unfinished change has locked.
 */
export async function deliverNext<S extends Shape>(
  db: Db,
  notices: Notices<S>,
  turn: Turn,
  tell: (db: Db, notice: RowOf<S>) => Promise<void>,
): Promise<boolean> {
  let isSecondPass = turn.after === 0
  for (;;) {
    const found = await findDue(db, notices, turn.after)
    const last = found.at(-1)
    turn.after = last?.organization_id ?? 0
    let delivered = 0
    for (const one of found) if (await deliver(db, notices, one, tell)) delivered++
    if (delivered > 0) return true
    if (last) continue
    if (isSecondPass) return false
    isSecondPass = true
  }
}

interface Found {
  organization_id: number
  id: number
}

/** A cluster locks rows of one organization at a time, so they are found first. */
function findDue<S extends Shape>(db: Db, { table, key, at, due }: Notices<S>, after: number) {
  return queryRows(db, { organization_id: int8, id: int8 })`${acrossOrganizations('job')}
    select organization_id, ${sql.ref(key)} as id from ${sql.table(table)} where organization_id > ${after} and ${due}
    order by organization_id, ${sql.ref(at)} limit ${perTurn}`
}

/** Turns a notice into mails and removes it, in one transaction; false when somebody else has locked it. */
async function deliver<S extends Shape>(
  db: Db,
  { table, key, at, due, row, about }: Notices<S>,
  { organization_id, id }: Found,
  tell: (db: Db, notice: RowOf<S>) => Promise<void>,
) {
  const [notices, time] = [sql.table(table), sql.ref(at)]
  const one = sql`organization_id = ${organization_id} and ${sql.ref(key)} = ${id}`
  // A change that is still being written may have a lower id than those here. Its own notice would start there, and they would be mailed again.
  const subject = sql`from ${sql.table(about ?? table)} where organization_id = ${organization_id} and id = ${id}`
  const isIdle = about ? sql`(exists (select 1 ${subject} for no key update skip locked) or not exists (select 1 ${subject}))` : sql`true`
  let isHeld = false
  try {
    return await inTransaction(db, async transaction => {
      const [notice] = await queryRows(transaction, row)`
        delete from ${notices} where ${one} and ${sql.ref(key)} in (
          select ${sql.ref(key)} from ${notices} where ${one} and ${due} for update skip locked) and ${isIdle}
        returning ${sql.join(Object.keys(row).map(name => sql.ref(name)))}`
      if (!notice) return false
      isHeld = true
      await tell(transaction, notice)
      return true
    })
  } catch (error) {
    // A notice that fails must not block the others: it is retried later.
    if (isHeld) await sql`update ${notices} set ${time} = now() + interval '5 minutes' where ${one}`.execute(db)
    throw error
  }
}

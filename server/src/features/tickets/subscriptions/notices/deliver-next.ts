import { type RawBuilder, sql } from 'kysely'
import { type Db, queryRows } from '../../../../db/db.ts'
import { acrossOrganizations } from '../../../../db/guard/across-organizations.ts'
import { int8, type RowOf, type Shape } from '../../../../db/shape.ts'
import { inTransaction } from '../../../../lib/transaction.ts'

/** A table with a row for each ticket, burst or change set that is still to be mailed. */
export interface Notices {
  table: string
  /** With the organization its primary key. */
  key: string
  /** The time by which notices of an organization are ordered, and which is moved when one fails. */
  at: string
  due: RawBuilder<unknown>
}

/** Where the organizations' turns have arrived. Each process has its own, since they skip each other's notices. */
export interface Turn {
  after: number
}
export const firstTurn = (): Turn => ({ after: 0 })

export interface Found {
  organization_id: number
  id: number
}

/** An organization whose notices are many waits for the others after this number of its own. */
const perTurn = 5

/**
 * Delivers a few due notices, the oldest ones of the organization whose turn it is; false when there are none that no other process or
 * unfinished change has locked. `deliver` answers whether it could deliver any.
 */
export async function deliverNext(
  db: Db,
  notices: Notices,
  turn: Turn,
  deliver: (found: readonly Found[]) => Promise<boolean>,
): Promise<boolean> {
  let { after } = turn
  let isSecondPass = after === 0
  let held = 0
  for (;;) {
    const found = await findDue(db, notices, after, held)
    const last = found.at(-1)
    // Even if these fail, the next turn is another organization's.
    turn.after = last?.organization_id ?? 0
    // The next ones are of the same organization, as long as those before them are locked.
    if (last && !(await deliver(found))) held += found.length
    else {
      if (last) return true
      if (isSecondPass) return false
      isSecondPass = true
      after = 0
      held = 0
    }
  }
}

/** A cluster locks rows of one organization at a time, so they are found first. */
function findDue(db: Db, { table, key, at, due }: Notices, after: number, held: number) {
  return queryRows(db, { organization_id: int8, id: int8 })`${acrossOrganizations('job')}
    select organization_id, ${sql.ref(key)} as id from ${sql.table(table)} where organization_id > ${after} and ${due}
    order by organization_id, ${sql.ref(at)} offset ${held} limit ${perTurn}`
}

/** Turns each notice into mails and removes it, in a transaction of its own; answers whether there was any that nobody else has locked. */
export function oneByOne<S extends Shape>(db: Db, notices: Notices, row: S, tell: (db: Db, notice: RowOf<S>) => Promise<void>) {
  return async (found: readonly Found[]) => {
    let delivered = 0
    for (const one of found) if (await deliverOne(db, notices, row, one, tell)) delivered++
    return delivered > 0
  }
}

async function deliverOne<S extends Shape>(
  db: Db,
  { table, key, at, due }: Notices,
  row: S,
  { organization_id, id }: Found,
  tell: (db: Db, notice: RowOf<S>) => Promise<void>,
) {
  const [notices, time] = [sql.table(table), sql.ref(at)]
  const one = sql`organization_id = ${organization_id} and ${sql.ref(key)} = ${id}`
  let isHeld = false
  try {
    return await inTransaction(db, async transaction => {
      const [notice] = await queryRows(transaction, row)`
        delete from ${notices} where ${one} and ${sql.ref(key)} in (
          select ${sql.ref(key)} from ${notices} where ${one} and ${due} for update skip locked)
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

import { run, statement, unpreparedStatement } from '../../db/db.ts'
import { bool, int4 } from '../../db/shape.ts'
import { inTransaction } from '../../lib/transaction.ts'
import { type Turns, takeTurns } from '../../lib/turns.ts'
import type { System } from '../../process/system.ts'

// PostgreSQL puts the words of a saved ticket in a list beside the index and enters them together later: the list of pending entries of a GIN
// index. When it reaches its limit, whoever saves next enters all of them, which takes a second or more in an index of a million tickets. So
// they are entered here, before the limit is reached.

const limitTime = unpreparedStatement({}, `set local statement_timeout = '2min'`)
const takeTurn = statement(
  { mine: bool, citus: bool },
  `select pg_try_advisory_xact_lock(hashtextextended('pending words', 0)) as mine, to_regproc('run_command_on_workers') is not null as citus`,
)
const enter = `
  select coalesce(sum(gin_clean_pending_list(i.oid)), 0)::int as pages
  from pg_class i join pg_am method on method.oid = i.relam
  where method.amname = 'gin' and i.relkind = 'i' and i.relnamespace = current_schema()::regnamespace`
const enterHere = statement({ pages: int4 }, enter)
const enterOnWorkers = statement(
  { pages: int4 },
  `select coalesce(sum(result::int), 0)::int as pages from run_command_on_workers($$ ${enter} $$) where success`,
)

/** Enters the words that wait into the indexes of the search; as many pages of them. 0 when another process is doing it. */
export function enterOnce({ db }: System): Promise<number> {
  return inTransaction(db, async transaction => {
    await run(transaction, limitTime, [])
    const [turn] = await run(transaction, takeTurn, [])
    if (!turn?.mine) return 0
    const [here] = await run(transaction, enterHere, [])
    const [workers] = turn.citus ? await run(transaction, enterOnWorkers, []) : []
    return (here?.pages ?? 0) + (workers?.pages ?? 0)
  })
}

/** Enters them every two seconds, until stopped. */
export function enterWaitingWords(system: System, report: (error: unknown) => void): Turns {
  const enterAll = async () => {
    await enterOnce(system)
    return false
  }
  return takeTurns(enterAll, 2000, report)
}

import { usualSeconds } from '../../../db/connections/connect.ts'
import { type Db, run, unpreparedStatement } from '../../../db/db.ts'
import { sqlState } from '../../../db/sql-state.ts'
import { Failure } from '../../../lib/failure.ts'
import { inTransaction } from '../../../lib/transaction.ts'
import { inZone } from '../dates/zone.ts'
import { queryFailure } from './read-query.ts'

/** Runs a statement of a query; refused if the database works on it for too long. `advice` says what else helps than to narrow the query. */
export async function withinTime<T>(
  db: Db,
  query: string,
  work: (db: Db) => Promise<T>,
  { secondsAllowed = 2, advice = '' } = {},
): Promise<T> {
  try {
    return await inTransaction(db, async transaction => {
      await run(transaction, limitTime(secondsAllowed), [])
      const found = await inZone(() => work(transaction))
      // The rest of the caller's transaction has the usual time limit.
      if (db.isTransaction) await run(transaction, usualTime, [])
      return found
    })
  } catch (error) {
    throw refusedIfSlow(error, query, secondsAllowed, advice)
  }
}

/** The refusal for a statement that was canceled: without a query 422, else 400 with the whole query marked as the error. Other errors stay. */
function refusedIfSlow(error: unknown, query: string, secondsAllowed: number, advice: string) {
  // On a busy machine, the connection may be closed before the server has canceled the statement.
  const isSlow = sqlState(error) === '57014' || (error instanceof Error && error.message === 'Query read timeout')
  if (!isSlow) return error
  const message = `This took longer than ${secondsAllowed} seconds and was canceled: ${advice}narrow it by `
  if (query.trim() === '') return new Failure('rule', `${message}a filter or a query`)
  return queryFailure(`${message}a state, a label or another word`, 0, query.length, [])
}

/** The same for a statement without a query: it has the usual limit of a connection, which needs no transaction to set. */
export function withinUsualTime<T>(answer: Promise<T>, advice = ''): Promise<T> {
  return answer.catch(error => {
    throw refusedIfSlow(error, '', usualSeconds, advice)
  })
}

const limitTime = (seconds: number) => unpreparedStatement({}, `set local statement_timeout = '${seconds}s'`)
const usualTime = unpreparedStatement({}, 'set local statement_timeout to default')

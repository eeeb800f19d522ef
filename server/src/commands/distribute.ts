import { sql } from 'kysely'
import { distributionSteps, planDistribution } from '../db/schema/distribution.ts'
import { inTransaction } from '../lib/transaction.ts'
import { OperatorError } from '../operator-error.ts'
import { parseArguments } from '../process/arguments.ts'
import { onDatabase } from '../process/command.ts'

export const help = `tessera distribute [--plan]

Distributes the tables of an external database over the servers of a Citus cluster, by organization. DATABASE_URL names the coordinator; its database
must have the extension and know the workers (docs/scaling.md). Existing rows are moved. Stop the servers and make a backup first.

  --plan   only prints which table goes where, and the statements; needs no Citus`

export async function run(argv: string[]) {
  const { values } = parseArguments({
    args: argv,
    options: { plan: { type: 'boolean', default: false } },
  })
  return onDatabase(async ({ db, config }) => {
    const plan = await planDistribution(db)
    if (plan.faults.length > 0) throw new OperatorError(`This schema cannot be distributed: ${plan.faults.join('; ')}.`)
    const steps = distributionSteps(plan)
    if (values.plan) {
      console.log(`On every server:    ${plan.reference.join(', ')}`)
      console.log(`By organization_id: ${plan.distributed.join(', ')}`)
      console.log(`On the coordinator: ${plan.local.join(', ')}\n`)
      for (const { statement } of steps) console.log(`${statement};`)
      return 0
    }
    if (config.databaseUrl === undefined)
      throw new OperatorError('The bundled PostgreSQL is one server: set DATABASE_URL to the coordinator of a Citus cluster.')
    const { rows: extensions } = await sql`select 1 from pg_extension where extname = 'citus'`.execute(db)
    if (extensions.length === 0)
      throw new OperatorError(
        'The database has no Citus extension: install it on all servers, then "create extension citus" there and add the workers (docs/scaling.md).',
      )
    if (!plan.isFirst) {
      console.log('The tables are already distributed.')
      return 0
    }
    const distribute = inTransaction(db, async transaction => {
      let reported: string | undefined
      for (const { what, statement } of steps) {
        if (what !== reported) console.log(`${what} …`)
        reported = what
        await sql.raw(statement).execute(transaction)
      }
    })
    await distribute.catch((error: Error) => {
      throw new OperatorError(`Citus refused, and nothing was changed: ${error.message}`)
    })
    console.log(`Distributed ${plan.distributed.length} tables by organization; ${plan.reference.length} are on every server.`)
    return 0
  })
}

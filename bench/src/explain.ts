import { randomBytes } from 'node:crypto'
import { connect } from '@tessera/server/db/connections/connect'
import type { Connection } from '@tessera/server/db/embedded/connection'
import { CompiledQuery, sql } from 'kysely'
import { capture } from './ceiling.ts'
import type { Dataset } from './data.ts'
import { scenarios } from './scenarios.ts'

/** The plan of every statement of every call with what it really read, in Markdown. What a statement writes is rolled back. */
export async function explainAll(
  connection: Connection,
  data: string,
  dataset: Dataset,
  { session, stranger }: Record<'session' | 'stranger', Record<string, string>>,
) {
  const db = connect(connection, { poolSize: 1, prepare: false, noTimeLimits: true })
  const parts: string[] = []
  try {
    for (const scenario of scenarios) {
      const { sent } = await capture(connection, data, dataset, scenario, scenario.isPublic ? stranger : session)
      const statements = sent.filter(({ text }) => !/^\s*(begin|commit|rollback|\/\*.*\*\/ (set local|select set_config))/i.test(text))
      const plans: string[] = []
      for (const { text, values } of statements) {
        const lines = await db.connection().execute(async held => {
          await sql`begin`.execute(held)
          try {
            const { rows } = await held.executeQuery<{ 'QUERY PLAN': string }>(
              CompiledQuery.raw(`explain (analyze, buffers, timing off) ${text}`, fresh(text, values)),
            )
            return rows.map(row => row['QUERY PLAN'])
          } finally {
            await sql`rollback`.execute(held)
          }
        })
        plans.push(lines.join('\n'))
      }
      parts.push(
        `<details><summary><code>${scenario.name}</code>: ${statements.length} statement${statements.length === 1 ? '' : 's'}</summary>\n\n\`\`\`text\n${plans.join('\n\n')}\n\`\`\`\n\n</details>`,
      )
    }
  } finally {
    await db.destroy()
  }
  return `Plans at ${dataset.tickets.toLocaleString('en')} tickets.\n\n${parts.join('\n\n')}\n`
}

/** A session that was opened cannot be opened again. */
function fresh(text: string, values: readonly unknown[]) {
  return values.map(value => (Buffer.isBuffer(value) && /insert into session/.test(text) ? randomBytes(32) : value))
}

import { CompiledQuery } from 'kysely'
import type { Db } from '../../src/db/db.ts'
import { poolOf } from '../../src/db/db.ts'

/** A statement as it was sent. */
export interface Sent {
  text: string
  values: readonly unknown[]
}

/** Records the statements of a pool between `start()` and `stop()`. Call it before the pool opens a connection. */
export function recordStatements(db: Db) {
  let sent: Sent[] = []
  let isRecording = false
  poolOf(db).on('connect', client => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown
    client.query = ((text: string, values: unknown[], ...rest: unknown[]) => {
      if (isRecording) sent.push({ text, values: values ?? [] })
      return query(text, values, ...rest)
    }) as typeof client.query
  })
  return {
    start() {
      sent = []
      isRecording = true
    },
    stop() {
      isRecording = false
      return sent
    },
  }
}

interface PlanNode {
  'Relation Name'?: string
  'CTE Name'?: string
  'Actual Loops': number
  Plans?: PlanNode[]
}

function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)]
}

/** How often PostgreSQL goes through a table, or a part of the statement with this name, when it executes this read: for each place in the plan. */
export async function readsOf(db: Db, { text, values }: Sent, name: string) {
  const { rows } = await db.executeQuery<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
    CompiledQuery.raw(`explain (analyze, timing off, format json) ${text}`, [...values]),
  )
  return nodesOf(rows[0]?.['QUERY PLAN'][0]?.Plan as PlanNode)
    .filter(node => node['Relation Name'] === name || node['CTE Name'] === name)
    .map(node => node['Actual Loops'])
}

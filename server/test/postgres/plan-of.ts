import { CompiledQuery } from 'kysely'
import type { Db } from '../../src/db/db.ts'
import type { Sent } from './record-statements.ts'

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

import { CompiledQuery } from 'kysely'
import type { Db } from '../../src/db/db.ts'
import type { Sent } from './record-statements.ts'

/** A step of PostgreSQL's plan, as far as tests look at it. */
export interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'CTE Name'?: string
  'Actual Rows': number
  /** Pages of tables and indexes, with those of the steps below. */
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: PlanNode[]
}

/** The nodes of a plan. On a Citus cluster the plan of the worker is deep within that of the coordinator. */
function nodesOf(node: unknown): PlanNode[] {
  if (typeof node !== 'object' || node === null) return []
  const within = Object.values(node).flatMap(nodesOf)
  return 'Node Type' in node ? [node as PlanNode, ...within] : within
}

/** The table of a shard has the shard's number after its name. */
function isOf(name: string, found: string | undefined) {
  return found?.replace(/_\d+$/, '') === name
}

/** Executes the statement, and returns all steps of its plan with what they read. */
export async function explain(db: Db, { text, values }: Sent) {
  const { rows } = await db.executeQuery(CompiledQuery.raw(`explain (analyze, buffers, timing off, format json) ${text}`, [...values]))
  return nodesOf(rows)
}

/** How many rows a step that scans a table looks at, also in vain. */
export function rowsRead(node: PlanNode) {
  return (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)) * node['Actual Loops']
}

/** How often PostgreSQL goes through a table, or a part of the statement with this name, when it executes this read: for each place in the plan. */
export async function readsOf(db: Db, sent: Sent, name: string) {
  return (await explain(db, sent))
    .filter(node => isOf(name, node['Relation Name']) || isOf(name, node['CTE Name']))
    .map(node => node['Actual Loops'])
}

/** How many pages a statement reads, by all steps together. */
export function pagesRead([first]: readonly PlanNode[]) {
  return first ? first['Shared Hit Blocks'] + first['Shared Read Blocks'] : 0
}

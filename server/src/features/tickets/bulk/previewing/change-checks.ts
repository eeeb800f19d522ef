import { limits } from '@tessera/contract/limits'
import { type Db, run, statement } from '../../../../db/db.ts'
import { bool, int8, text } from '../../../../db/shape.ts'
import type { ProjectScope } from '../../../../lib/authorize.ts'
import { Failure, notFoundAt } from '../../../../lib/failure.ts'
import { problemOfValue } from '../../values/field-values.ts'
import type { BulkChange, BulkStored } from '../plan.ts'

// What a change of many tickets is refused for before it is planned.

const knownKeys = statement(
  { key: text },
  'select key from field where organization_id = $1 and project_id = $2 and key = any($3) and archived_at is null',
)
/** 404 for keys that no field of the project has, 400 for values that their fields do not take. */
export async function requireFittingValues(db: Db, scope: ProjectScope, tickets: readonly BulkStored[], { data = {} }: BulkChange) {
  const fields = new Map(tickets.flatMap(ticket => ticket.fields.map(field => [field.key, field])))
  const members = new Set(tickets[0]?.members)
  const strange = Object.keys(data).filter(key => !fields.has(key))
  const known = strange.length === 0 ? [] : await run(db, knownKeys, [scope.organizationId, scope.projectId, strange])
  const missing = strange.filter(key => !known.some(field => field.key === key))
  if (missing.length > 0) throw notFoundAt(missing.map(key => `Change.data.${key}`))
  for (const [key, value] of Object.entries(data)) {
    const field = fields.get(key)
    const problem = field && problemOfValue({ typeId: field.type_id, options: field.options }, value, id => members.has(id))
    if (problem) throw new Failure('invalid', `Field '${key}' ${problem}`, { fields: [{ path: `Change.data.${key}`, message: problem }] })
  }
}

const lengthStatement = statement(
  { bytes: int8 },
  `
  select coalesce(sum(octet_length(v.value)), 0)::bigint as bytes from field f
  join ticket_value v on v.organization_id = $1 and v.field_id = f.id and v.ticket_id = any($3)
  where f.organization_id = $1 and f.project_id = $2 and f.key = any($4)`,
)
/** 422 when there is too much text to plan at once: the text of the change, counted for each ticket, and the values that it replaces. */
export async function requireFewTexts(db: Db, scope: ProjectScope, ids: readonly number[], change: BulkChange) {
  const keys = Object.keys(change.data ?? {})
  const [replaced] = keys.length === 0 ? [] : await run(db, lengthStatement, [scope.organizationId, scope.projectId, ids, keys])
  if (Buffer.byteLength(JSON.stringify(change)) * ids.length + (replaced?.bytes ?? 0) <= limits.bulkBytes) return
  const most = Math.round(limits.bulkBytes / 2 ** 20)
  throw new Failure(
    'rule',
    `A change of many tickets writes and replaces at most ${most} MB in all: choose fewer tickets, or a shorter text`,
  )
}

const offeredLabels = statement(
  { id: int8, isCarried: bool },
  `
  select id, id in (select label_id from ticket_label where organization_id = $1 and ticket_id = any($3)) as "isCarried"
  from label where organization_id = $1 and (project_id = $2 or project_id is null) and id = any($4)`,
)
/** The change without removals of labels that none of the tickets carries: a replacement of all labels names every label that the project offers. */
export async function withoutIdleLabels(db: Db, scope: ProjectScope, ids: readonly number[], change: BulkChange): Promise<BulkChange> {
  if (!change.Labels?.some(({ Enabled }) => Enabled === 0)) return change
  // The last entry for a label counts.
  const wanted = new Map(change.Labels.map(({ idLabel, Enabled }) => [idLabel, Enabled]))
  const offered = await run(db, offeredLabels, [scope.organizationId, scope.projectId, ids, [...wanted.keys()]])
  // A label that the project does not have is refused with the rest of the change.
  if (offered.length < wanted.size) return change
  const idle = new Set(offered.filter(({ isCarried }) => !isCarried).map(({ id }) => id))
  const Labels = [...wanted].flatMap(([idLabel, Enabled]) => (Enabled === 0 && idle.has(idLabel) ? [] : [{ idLabel, Enabled }]))
  return { ...change, Labels }
}

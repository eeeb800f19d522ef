import { limits } from '@tessera/contract/limits'
import { typesWithOptions } from '@tessera/contract/projects/project-config'
import { type Db, run, statement } from '../../../../db/db.ts'
import { bool, int8, text } from '../../../../db/shape.ts'
import type { ProjectScope } from '../../../../lib/authorize.ts'
import { excerpt } from '../../../../lib/excerpt.ts'
import { Failure, notFoundAt } from '../../../../lib/failure.ts'
import { readableChanges } from '../../history/queries.ts'
import { problemOfValue } from '../../values/field-values.ts'
import type { BulkChange, BulkStored, History, Planned } from '../rules.ts'

// The limits of a preview, what is stored of it, and how it is shown.

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

/** A plan's tickets that change, as stored between preview and application. Long texts are cut, because the application plans again. */
export interface KeptTicket {
  id: number
  version: number
  parent: number | null
  history: History[]
}
export function keptTicket({ stored, history }: Planned): KeptTicket {
  // A list of options is stored whole: a part of it could not be parsed.
  const choices = new Set(stored.fields.filter(({ type_id }) => typesWithOptions.includes(type_id)).map(({ key }) => `data.${key}`))
  const cut = (row: History) => ({ ...row, before: shown(row.before), after: shown(row.after) })
  const short = history.map(row => (row.field.startsWith('data.') && !choices.has(row.field) ? cut(row) : row))
  return { id: stored.id, version: stored.version, parent: stored.parent_id, history: short }
}
function shown(text: string | null) {
  return text === null ? null : excerpt(text, limits.listedValue)
}

/** Rows of a preview in readable form; of long texts only the beginning. */
export async function readableRows(db: Db, scope: ProjectScope, tickets: readonly { id: number; history: readonly History[] }[]) {
  const readable = await readableChanges(
    db,
    scope,
    tickets.flatMap(({ id, history }) => history.map(row => ({ ...row, ticket: id }))),
  )
  let at = 0
  const watching = (text: string | null) => (text === null ? null : text === '1' ? 'Yes' : 'No')
  return tickets.map(({ id, history }) => ({
    id,
    Changes: history.map(({ field, before, after }) => {
      const { Label, Before, After } = readable[at++] as (typeof readable)[number]
      if (field === 'Watch') return { Field: 'Watch', Before: watching(before), After: watching(after) }
      return { Field: Label, Before: shown(Before), After: shown(After) }
    }),
  }))
}

import { limits } from '@tessera/contract/limits'
import { typesWithOptions } from '@tessera/contract/projects/project-config'
import type { Db } from '../../../../db/db.ts'
import type { ProjectScope } from '../../../../lib/authorize.ts'
import { isFieldPart } from '../../../../lib/changes.ts'
import { excerpt } from '../../../../lib/excerpt.ts'
import { readableChanges } from '../../history/readable-changes.ts'
import type { History, Planned } from '../plan.ts'

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
  const short = history.map(row => (isFieldPart(row.field) && !choices.has(row.field) ? cut(row) : row))
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
  return tickets.map(({ id, history }) => ({
    id,
    Changes: history.map(() => {
      const { Label, Before, After } = readable[at++] as (typeof readable)[number]
      return { Field: Label, Before: shown(Before), After: shown(After) }
    }),
  }))
}

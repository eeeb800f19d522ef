import * as contract from '@tessera/contract/projects/labels'
import { sql } from 'kysely'
import { type Db, queryRows } from '../../../db/db.ts'
import { bool, int8 } from '../../../db/shape.ts'
import { implementLong } from '../../../http/implement.ts'
import type { ProjectScope } from '../../../lib/authorize.ts'
import { type Change, recordChanges } from '../../../lib/changes.ts'
import { Failure, invalid } from '../../../lib/failure.ts'
import { labelReference } from '../../tickets/history/rules.ts'
import { requireAll } from '../queries.ts'
import { changeableLabels, findLabels, type Label, labelChanges, lockLabels } from './queries.ts'

export const deleteLabels = implementLong(contract.deleteLabels, async ({ db, scope: asked, input }) => {
  const { ids, idReplacement } = input
  if (idReplacement !== undefined && ids.includes(idReplacement)) throw invalid('idReplacement', 'is one of the labels to delete')
  const scope = await lockLabels(db, asked)
  const [replacement] = idReplacement === undefined ? [] : await findLabels(db, scope, [idReplacement])
  if (idReplacement !== undefined) requireAll(replacement ? [replacement] : [], [idReplacement])
  const labels = await changeableLabels(db, scope, ids)
  if (replacement && replacement.projectId !== null && labels.some(({ projectId }) => projectId === null))
    throw new Failure('rule', 'A label of the organization is replaced by another of the organization: other projects use it too')
  // Waits for those who are giving these labels to tickets, and keeps others from giving the replacement meanwhile.
  const locked = [...ids, ...(idReplacement === undefined ? [] : [idReplacement])]
  await sql`select 1 from label where organization_id = ${scope.organizationId} and id = any(${locked}) order by id for update`.execute(db)
  const taken = await takeOff(db, scope, labels, replacement)
  await sql`delete from label where organization_id = ${scope.organizationId} and id = any(${ids})`.execute(db)
  await recordChanges(db, scope, [...taken, ...labels.flatMap(label => labelChanges(label, false))])
  return { Success: 1 as const }
})

/** Replaces the labels on every ticket that carries them, or removes them if there is no replacement. */
async function takeOff(db: Db, { organizationId }: ProjectScope, labels: Label[], replacement: Label | undefined): Promise<Change[]> {
  const [ids, replacementId] = [labels.map(({ id }) => id), replacement?.id ?? null]
  const carrying = await queryRows(db, { ticketId: int8 })`
    select ticket_id as "ticketId" from ticket_label
    where organization_id = ${organizationId} and label_id = any(${ids}) order by ticket_id, label_id for update`
  // The triggers of the search for an update and for a deletion write some of its rows each: all are locked before, in one order.
  await sql`
    select 1 from ticket_search
    where organization_id = ${organizationId} and ticket_id = any(${carrying.map(({ ticketId }) => ticketId)}) order by ticket_id for no key update`.execute(
    db,
  )
  // On each ticket that does not carry the replacement, one of the labels becomes it. An update calls one trigger of the search, not two.
  const rows = await queryRows(db, { ticketId: int8, projectId: int8, labelId: int8, isNew: bool })`
    with held as materialized (
      select tl.ticket_id, tl.label_id, ${replacementId}::bigint is not null and carried.label_id is null as is_new,
        row_number() over (partition by tl.ticket_id order by tl.label_id) = 1 as is_first
      from ticket_label tl left join ticket_label carried
        on carried.organization_id = ${organizationId} and carried.ticket_id = tl.ticket_id and carried.label_id = ${replacementId}::bigint
      where tl.organization_id = ${organizationId} and tl.label_id = any(${ids})
    ), given as (
      update ticket_label tl set label_id = ${replacementId}::bigint from held
      where tl.organization_id = ${organizationId} and tl.ticket_id = held.ticket_id and tl.label_id = held.label_id
        and held.is_new and held.is_first
    ), taken as (
      delete from ticket_label tl using held
      where tl.organization_id = ${organizationId} and tl.ticket_id = held.ticket_id and tl.label_id = held.label_id
        and not (held.is_new and held.is_first)
    )
    select t.id as "ticketId", t.project_id as "projectId", held.label_id as "labelId", held.is_new as "isNew"
    from held join ticket t on t.organization_id = ${organizationId} and t.id = held.ticket_id
    order by t.id, held.label_id`
  const names = new Map(labels.map(({ id, name }) => [id, name]))
  // Tickets that carried the replacement before are left out: restoring the label must not remove it from them.
  return rows.map(({ ticketId, projectId, labelId, isNew }) => ({
    subject: 'ticket',
    subjectId: ticketId,
    projectId,
    ticketId,
    field: 'Label',
    before: labelReference(labelId, names.get(labelId) ?? ''),
    after: replacement && isNew ? labelReference(replacement.id, replacement.name) : null,
    quiet: true,
  }))
}

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
  // Waits for those who are giving these labels to tickets.
  await sql`select 1 from label where organization_id = ${scope.organizationId} and id = any(${ids}) order by id for update`.execute(db)
  const taken = await takeOff(db, scope, labels, replacement)
  await sql`delete from label where organization_id = ${scope.organizationId} and id = any(${ids})`.execute(db)
  await recordChanges(db, scope, [...taken, ...labels.flatMap(label => labelChanges(label, false))])
  return { Success: 1 as const }
})

/** Replaces the labels on every ticket that carries them, or removes them if there is no replacement. */
async function takeOff(db: Db, { organizationId }: ProjectScope, labels: Label[], replacement: Label | undefined): Promise<Change[]> {
  const rows = await queryRows(db, { ticketId: int8, projectId: int8, labelId: int8, isNew: bool })`
    with held as (
      delete from ticket_label where organization_id = ${organizationId} and label_id = any(${labels.map(({ id }) => id)})
      returning ticket_id, label_id
    ), given as (
      insert into ticket_label (organization_id, ticket_id, label_id)
      select distinct ${organizationId}::bigint, ticket_id, ${replacement?.id ?? null}::bigint from held
      where ${replacement?.id ?? null}::bigint is not null order by ticket_id
      on conflict (organization_id, ticket_id, label_id) do nothing
      returning ticket_id
    )
    select t.id as "ticketId", t.project_id as "projectId", held.label_id as "labelId", t.id in (select ticket_id from given) as "isNew"
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

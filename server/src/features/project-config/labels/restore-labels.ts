import { limits } from '@tessera/contract/limits'
import * as contract from '@tessera/contract/projects/labels'
import { sql } from 'kysely'
import { type Db, queryRows } from '../../../db/db.ts'
import { int8, nullable, text } from '../../../db/shape.ts'
import { implementWith } from '../../../http/implement.ts'
import type { ProjectScope } from '../../../lib/authorize.ts'
import { type Change, recordChanges, ticketChange } from '../../../lib/changes.ts'
import { type Rewritten, replaceQueries } from '../../views/renamed-words.ts'
import { lastDeletions } from '../deletions.ts'
import { requireAll } from '../ordered-rows.ts'
import { findLabels, type Label, labelChanges, lockLabels, nameTaken, requireFewerLabels, requireScope } from './queries.ts'

export const restoreLabels = implementWith(contract.restoreLabels, { takesLong: true }, async ({ db, scope: asked, input }) => {
  const scope = await lockLabels(db, asked)
  const { organizationId, projectId } = scope
  const existing = new Set((await findLabels(db, scope, input.ids)).map(({ id }) => id))
  const gone = input.ids.filter(id => !existing.has(id))
  const deletions = [
    ...(await lastDeletions(db, scope, 'label', gone)).map(deletion => ({ ...deletion, projectId })),
    ...(await lastDeletions(db, { organizationId, projectId: null }, 'label', gone)).map(deletion => ({ ...deletion, projectId: null })),
  ]
  requireAll(deletions, gone)
  for (const deletion of deletions) requireScope(scope, deletion)
  const labels = deletions.map(({ id, projectId, parts }): Label => ({ id, projectId, name: parts.Name ?? '', color: parts.Color ?? '' }))
  for (const [of, back] of Map.groupBy(labels, label => label.projectId)) await requireFewerLabels(db, scope, of, back.length)
  const made = await queryRows(db, { id: int8 })`
    insert into label (organization_id, id, project_id, name, color)
    select ${organizationId}::bigint, l.* from unnest(${labels.map(({ id }) => id)}::bigint[], ${labels.map(label => label.projectId)}::bigint[],
      ${labels.map(({ name }) => name)}::text[], ${labels.map(({ color }) => color)}::text[]) as l
    on conflict do nothing returning id`
  const ids = new Set(made.map(({ id }) => id))
  const taken = labels.find(({ id }) => !ids.has(id))
  if (taken) throw nameTaken(taken)
  // Joined by `concat`: `push` takes each as an argument, and a call may not have as many as there are tickets.
  let carried: Change[] = []
  const restored = labels.map(({ id }) => id)
  // The latest deletion first: what it replaced may itself have replaced an earlier one.
  for (const changeSetId of [...new Set(deletions.map(deletion => deletion.changeSetId))].sort((a, b) => b - a))
    carried = carried.concat(await putBack(db, scope, changeSetId, restored))
  const queries = deletions.flatMap(({ parts }): Rewritten[] => JSON.parse(parts.Queries ?? '[]'))
  const putBackQueries = await replaceQueries(
    db,
    organizationId,
    queries.map(({ before, after, ...query }) => ({ ...query, before: after, after: before })),
  )
  await recordChanges(db, scope, [...carried, ...labels.flatMap(label => labelChanges(label, 'added'))], {
    what: 'restore',
    projectId: scope.projectId,
  })
  return {
    Success: 1 as const,
    Tickets: new Set(carried.map(({ ticketId }) => ticketId)).size,
    ...(putBackQueries.size < queries.length && { QueriesKept: 1 as const }),
  }
})

/**
 * Tickets that still carry the replacement get the label again, and so do those that lost it and have room. Of labels with the same
 * replacement, one is exchanged for it; the others need room. If the replacement was deleted later, what replaced that counts. A ticket from
 * which somebody removed the replacement does not get the label.
 */
async function putBack(db: Db, { organizationId }: ProjectScope, changeSetId: number, ids: readonly number[]): Promise<Change[]> {
  await sql`
    select 1 from ticket where organization_id = ${organizationId} and id in (
      select ticket_id from change
      where organization_id = ${organizationId} and change_set_id = ${changeSetId} and subject = 'ticket' and field = 'Label')
    order by id for key share`.execute(db)
  // The last time that the ticket of `r` lost its replacement. Those that deletions and restorations of labels removed are quiet.
  const lastRemoval = sql`
    select c.id, c.after, c.quiet from change c
    where c.organization_id = ${organizationId} and c.ticket_id = r.ticket_id and c.id > r.change_id and c.field = 'Label'
      and case when c.field = 'Label' then (c.before::json ->> 'idLabel')::bigint end = r.replacement_id
    order by c.id desc limit 1`
  // The ticket of `r` carried the label only because it had replaced another one, which was restored before.
  const isBackInItsPlace = sql`
    select 1 from (
      select c.change_set_id, (c.before::json ->> 'idLabel')::bigint as label_id from change c
      where c.organization_id = ${organizationId} and c.ticket_id = r.ticket_id and c.change_set_id < ${changeSetId} and c.field = 'Label'
        and case when c.field = 'Label' then (c.after::json ->> 'idLabel')::bigint end = r.label_id
      order by c.id desc limit 1
    ) gain
    join change deletion on deletion.organization_id = ${organizationId} and deletion.change_set_id = gain.change_set_id
      and deletion.subject = 'label' and deletion.subject_id = gain.label_id and deletion.after is null
    join label l on l.organization_id = ${organizationId} and l.id = gain.label_id and l.id <> all(${ids})`
  // `+ 0` excludes the index of labels, as in a merge: without statistics of the replacement, all its tickets would be read for each ticket.
  const rows = await queryRows(db, { ticketId: int8, projectId: int8, before: nullable(text), after: text })`
    with change_set as materialized (
      select id, ticket_id, before, after, (before::json ->> 'idLabel')::bigint as label_id, (after::json ->> 'idLabel')::bigint as replacement_id
      from change
      where organization_id = ${organizationId} and change_set_id = ${changeSetId} and subject = 'ticket' and field = 'Label' and before is not null
    ), taken as materialized (
      select * from (
        with recursive replaced (change_id, ticket_id, before, after, label_id, replacement_id) as (
          select * from change_set where label_id = any(${ids})
          union all
          select removal.id, r.ticket_id, r.before, removal.after, r.label_id, (removal.after::json ->> 'idLabel')::bigint
          from replaced r cross join lateral (${lastRemoval}) removal
          where removal.quiet and not exists (select 1 from label l where l.organization_id = ${organizationId} and l.id = r.replacement_id)
        )
        select * from replaced
      ) r
      where replacement_id is null or exists (select 1 from label l where l.organization_id = ${organizationId} and l.id = r.replacement_id)
    ), returning_to as materialized (
      select * from (
        select back.*, row_number() over (partition by back.ticket_id, is_exchange order by label_id) + (
          select count(*) from ticket_label tl where tl.organization_id = ${organizationId} and tl.ticket_id = back.ticket_id) as number
        from (
          select r.*, t.project_id, carried.label_id is not null
            and row_number() over (partition by r.ticket_id, r.replacement_id order by r.label_id) = 1 as is_exchange
          from taken r join ticket t on t.organization_id = ${organizationId} and t.id = r.ticket_id
          left join ticket_label carried
            on carried.organization_id = ${organizationId} and carried.ticket_id = r.ticket_id and carried.label_id + 0 = r.replacement_id
          where (r.replacement_id is null or carried.label_id is not null or (select removal.quiet from (${lastRemoval}) removal))
            and not exists (${isBackInItsPlace})
        ) back
      ) numbered where is_exchange or number <= ${limits.labelsPerTicket}
    ), ended as (
      delete from ticket_label tl using returning_to back
      where tl.organization_id = ${organizationId} and tl.ticket_id = back.ticket_id and tl.label_id + 0 = back.replacement_id and back.is_exchange
    ), given as (
      insert into ticket_label (organization_id, ticket_id, label_id)
      select ${organizationId}::bigint, ticket_id, label_id from returning_to
      on conflict (organization_id, ticket_id, label_id) do nothing
    )
    select ticket_id as "ticketId", project_id as "projectId", case when is_exchange then after end as before, before as after from returning_to
    order by ticket_id, label_id`
  return rows.map(row => ({ ...ticketChange(row, 'Label', row.before, row.after), quiet: true }))
}

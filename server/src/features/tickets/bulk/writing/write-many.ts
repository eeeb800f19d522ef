import type { Db } from '../../../../db/db.ts'
import { int4 } from '../../../../db/shape.ts'
import type { ProjectScope } from '../../../../lib/authorize.ts'
import { namedStatement, runNamed } from '../../saving/named-statement.ts'
import { isMoved, type Planned } from '../plan.ts'

// The lists of values, assignments and labels have an entry for each ticket and what it gets or loses.
const write = namedStatement(
  { saved: int4 },
  `
  with saved as (
    update ticket t set version = t.version + 1, state_id = coalesce(s.state_id, t.state_id),
      template_id = coalesce(s.template_id, t.template_id),
      template_version = case when s.template_id is null then t.template_version else t.version + 1 end,
      state_version = case when s.state_id is null then t.state_version else t.version + 1 end,
      parent_id = case when s.moved then s.parent_id else t.parent_id end
    from unnest($tickets::bigint[], $templates::bigint[], $states::bigint[], $moved::boolean[], $parents::bigint[]) as s (id, template_id, state_id, moved, parent_id)
    where t.organization_id = $organization and t.project_id = $project and t.id = s.id
    returning t.id, t.project_id, t.version
  ), valued as (
    update ticket_value tv set value = v.value, version = saved.version
    from saved join unnest($valueTickets::bigint[], $valueFields::bigint[], $values::text[]) as v (ticket_id, field_id, value)
      on v.ticket_id = saved.id
    where tv.organization_id = $organization and tv.ticket_id = saved.id and tv.field_id = v.field_id
  ), valued_first as (
    insert into ticket_value (organization_id, ticket_id, field_id, value, version)
    select $organization, saved.id, v.field_id, v.value, saved.version
    from saved join unnest($firstTickets::bigint[], $firstFields::bigint[], $firstValues::text[]) as v (ticket_id, field_id, value)
      on v.ticket_id = saved.id
    on conflict (organization_id, ticket_id, field_id) do update set value = excluded.value, version = excluded.version
  ), assigned as (
    insert into assignment (organization_id, project_id, ticket_id, user_id, role_id)
    select $organization, saved.project_id, saved.id, a.user_id, a.role_id
    from saved join unnest($addedTickets::bigint[], $addedUsers::bigint[], $addedRoles::bigint[]) as a (ticket_id, user_id, role_id)
      on a.ticket_id = saved.id
    on conflict do nothing
  ), unassigned as (
    delete from assignment a
    using saved join unnest($removedTickets::bigint[], $removedUsers::bigint[], $removedRoles::bigint[]) as gone (ticket_id, user_id, role_id)
      on gone.ticket_id = saved.id
    where a.organization_id = $organization and a.ticket_id = saved.id and a.user_id = gone.user_id and a.role_id = gone.role_id
  ), labelling as (
    insert into ticket_label (organization_id, ticket_id, label_id)
    select $organization, saved.id, l.label_id
    from saved join unnest($labelledTickets::bigint[], $labelled::bigint[]) as l (ticket_id, label_id) on l.ticket_id = saved.id
    on conflict do nothing
  ), unlabelling as (
    delete from ticket_label tl
    using saved join unnest($unlabelledTickets::bigint[], $unlabelled::bigint[]) as gone (ticket_id, label_id) on gone.ticket_id = saved.id
    where tl.organization_id = $organization and tl.ticket_id = saved.id and tl.label_id = gone.label_id
  )
  select count(*)::int as saved from saved`,
)

/** Writes the changes of many locked tickets, but not their counters, history and notices. */
export async function writeMany(db: Db, { organizationId, projectId }: ProjectScope, saved: readonly Planned[]) {
  const rowsOf = <T>(list: (planned: Planned) => readonly T[]) =>
    saved.flatMap(planned => list(planned).map(item => ({ ticket: planned.stored.id, item })))
  const values = rowsOf(({ changes }) => changes.values.filter(({ isFirst }) => !isFirst))
  const firstValues = rowsOf(({ changes }) => changes.values.filter(({ isFirst }) => isFirst))
  const added = rowsOf(({ changes }) => changes.added)
  const removed = rowsOf(({ changes }) => changes.removed)
  const labelled = rowsOf(({ changes }) => changes.labelled)
  const unlabelled = rowsOf(({ changes }) => changes.unlabelled)
  await runNamed(db, write, {
    organization: organizationId,
    project: projectId,
    tickets: saved.map(({ stored }) => stored.id),
    templates: saved.map(({ changes }) => changes.templateId),
    states: saved.map(({ changes }) => changes.stateId),
    moved: saved.map(isMoved),
    parents: saved.map(({ wanted }) => wanted.idParent ?? null),
    valueTickets: values.map(({ ticket }) => ticket),
    valueFields: values.map(({ item }) => item.id),
    values: values.map(({ item }) => item.value),
    firstTickets: firstValues.map(({ ticket }) => ticket),
    firstFields: firstValues.map(({ item }) => item.id),
    firstValues: firstValues.map(({ item }) => item.value),
    addedTickets: added.map(({ ticket }) => ticket),
    addedUsers: added.map(({ item: [user] }) => user),
    addedRoles: added.map(({ item: [, role] }) => role),
    removedTickets: removed.map(({ ticket }) => ticket),
    removedUsers: removed.map(({ item: [user] }) => user),
    removedRoles: removed.map(({ item: [, role] }) => role),
    labelledTickets: labelled.map(({ ticket }) => ticket),
    labelled: labelled.map(({ item }) => item),
    unlabelledTickets: unlabelled.map(({ ticket }) => ticket),
    unlabelled: unlabelled.map(({ item }) => item),
  })
}

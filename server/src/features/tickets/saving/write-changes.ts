import { type Db, memoize } from '../../../db/db.ts'
import { int4 } from '../../../db/shape.ts'
import type { TicketScope } from '../../../lib/authorize.ts'
import { tallySlot } from '../counting/count-tickets.ts'
import type { Changes, Stored } from './decide-changes.ts'
import { namedStatement, runNamed } from './named-statement.ts'
import { definition } from './stored-ticket.ts'

// Everything a save writes, in one statement that is its own transaction. It consists of the parts that this save needs: PostgreSQL prepares and
// ends each part of a statement, and calls its triggers, whether it has rows or not. A title alone takes a third less time without the other parts.

const fittingFields = (name: string, fields: string, definitions: string) => `${name} as materialized (
        select id from field where organization_id = $organization and id = any($${fields}::bigint[])
          and ${definition('field')} = ($${definitions}::text[])[array_position($${fields}::bigint[], id)] order by id for key share
      )`

type Part = 'type' | 'state' | 'values' | 'firstValues' | 'people' | 'labels'
/** What may be changed besides the title: the CTEs before the ticket is written, the condition for writing it, and the CTEs after that. */
const parts: Record<Part, { before?: string; condition?: string; set?: string; after?: string }> = {
  // A type that is archived by now writes nothing.
  type: {
    before: `offered as materialized (
        select id from template where organization_id = $organization and project_id = $project and id = $newTemplate and archived_at is null
        for key share
      )`,
    condition: '(select count(*) from offered) = 1',
    set: 'template_id = $newTemplate, template_version = version + 1',
  },
  // For a new type as well, because tickets are counted by type and state. The states' rows are locked (as the foreign key would do anyway) so that
  // their phases cannot change before the parent is counted.
  state: {
    before: `phase as materialized (
        select id, phase from state where organization_id = $organization and project_id = $project and id in ($state::bigint, $newState::bigint)
        order by id for key share
      )`,
    condition: '(select count(*) from phase) >= 0',
    set: 'state_id = $newState, state_version = case when state_id = $newState then state_version else version + 1 end',
    after: `counted as (
        update ticket_subordinate c set
          proposed = c.proposed + (new.phase = 1)::int - (old.phase = 1)::int,
          active = c.active + (new.phase = 2)::int - (old.phase = 2)::int,
          inactive = c.inactive + (new.phase = 3)::int - (old.phase = 3)::int
        from saved, phase old, phase new
        where c.organization_id = $organization and c.ticket_id = $parent and old.id = $state and new.id = $newState and old.phase <> new.phase
        returning 1
      ), tallied as (
        insert into ticket_tally as c (organization_id, project_id, template_id, state_id, root, slot, tickets)
        select $organization, saved.project_id, d.template_id, d.state_id, $parent is null, ${tallySlot}, d.tickets
        from saved, (values ($template::bigint, $state::bigint, -1), ($newTemplate::bigint, $newState::bigint, 1)) as d (template_id, state_id, tickets)
        where (select count(*) from counted) >= 0 order by d.template_id, d.state_id
        on conflict (organization_id, project_id, template_id, state_id, root, slot) do update set tickets = c.tickets + excluded.tickets
      )`,
  },
  // A field that takes other values by now writes nothing. Rows that are there are updated, because an INSERT with ON CONFLICT calls the triggers of
  // both.
  values: {
    before: fittingFields('fitting', 'valueFields', 'definitions'),
    condition: '(select count(*) from fitting) = cardinality($valueFields::bigint[])',
    after: `valued as (
        update ticket_value tv set value = v.value, version = saved.version
        from saved, unnest($valueFields::bigint[], $values::text[]) as v (field_id, value)
        where tv.organization_id = $organization and tv.ticket_id = saved.id and tv.field_id = v.field_id
      )`,
  },
  firstValues: {
    before: fittingFields('fitting_first', 'firstFields', 'firstDefinitions'),
    condition: '(select count(*) from fitting_first) = cardinality($firstFields::bigint[])',
    after: `valued_first as (
        insert into ticket_value (organization_id, ticket_id, field_id, value, version)
        select $organization, saved.id, v.field_id, v.value, saved.version
        from saved, unnest($firstFields::bigint[], $firstValues::text[]) as v (field_id, value)
        on conflict (organization_id, ticket_id, field_id) do update set value = excluded.value, version = excluded.version
      )`,
  },
  // The removal of a person who has lost the role or the membership since is not written either.
  people: {
    before: `leaving as materialized (
        select user_id from assignment where organization_id = $organization and ticket_id = $ticket
          and array_positions($removedUsers::bigint[], user_id) && array_positions($removedRoles::bigint[], role_id) for update
      )`,
    condition: '(select count(*) from leaving) = cardinality($removedUsers::bigint[])',
    after: `assigned as (
        insert into assignment (organization_id, project_id, ticket_id, user_id, role_id)
        select $organization, saved.project_id, saved.id, a.user_id, a.role_id
        from saved, unnest($addedUsers::bigint[], $addedRoles::bigint[]) as a (user_id, role_id)
        on conflict do nothing
      ), unassigned as (
        delete from assignment a using saved, unnest($removedUsers::bigint[], $removedRoles::bigint[]) as gone (user_id, role_id)
        where a.organization_id = $organization and a.ticket_id = saved.id and a.user_id = gone.user_id and a.role_id = gone.role_id
      )`,
  },
  // The same holds for the removal of a label that is gone. Labels that are given are locked before anything else: a merge of labels waits for rows of
  // tickets, and a save that had written one would wait for the merge.
  labels: {
    before: `gaining as materialized (
        select id from label where organization_id = $organization and id = any($labelled::bigint[]) order by id for key share
      ), losing as materialized (
        select label_id from ticket_label where organization_id = $organization and ticket_id = $ticket and label_id = any($unlabelled::bigint[])
          and (select count(*) from gaining) >= 0 for update
      )`,
    condition: `(select count(*) from gaining) = cardinality($labelled::bigint[])
        and (select count(*) from losing) = cardinality($unlabelled::bigint[])`,
    after: `labelling as (
        insert into ticket_label (organization_id, ticket_id, label_id)
        select $organization, saved.id, l.id from saved, unnest($labelled::bigint[]) as l (id)
        on conflict do nothing
      ), unlabelling as (
        delete from ticket_label tl using saved
        where tl.organization_id = $organization and tl.ticket_id = saved.id and tl.label_id = any($unlabelled::bigint[])
      )`,
  },
}

/** Lock order: states and labels, ticket, ticket_subordinate, ticket_tally. A save increments the version, so nothing is written if the ticket has changed since it was read. */
const writing = memoize((...needed: Part[]) => {
  const chosen = needed.map(name => parts[name])
  const settings = chosen.flatMap(({ set }) => (set ? [`, ${set}`] : []))
  const text = `
    with ${chosen.map(({ before }) => (before ? `${before}, ` : '')).join('')}saved as (
      update ticket set version = version + 1, title = coalesce($title::text, title),
        title_version = case when $title::text is null then title_version else version + 1 end${settings.join('')}
      where organization_id = $organization and project_id = $project and id = $ticket and version = $version and state_id = $state
        and parent_id is not distinct from $parent::bigint and trashed_at is null${chosen.map(({ condition }) => (condition ? ` and ${condition}` : '')).join('')}
      returning id, project_id, version
    ), ${chosen.map(({ after }) => (after ? `${after}, ` : '')).join('')}change_set as (
      select nextval('change_set_id') as id
    ), changed as (
      insert into change (organization_id, change_set_id, subject, subject_id, project_id, ticket_id, field, before, after, user_id)
      select $organization, change_set.id, 'ticket', saved.id, saved.project_id, saved.id, c.field, c.before, c.after, $user
      from saved, change_set, unnest($fields::text[], $befores::text[], $afters::text[]) as c (field, before, after)
      returning id
    ), noticed as (
      insert into ticket_notice (organization_id, ticket_id, first_change_id) select $organization, $ticket, min(id) from changed having count(*) > 0
      on conflict (organization_id, ticket_id) do update set first_change_id = least(ticket_notice.first_change_id, excluded.first_change_id)
    )
    select version from saved`
  return namedStatement({ version: int4 }, text)
})

/** Writes the changes; undefined, with nothing written, if the ticket is no longer as it was read. */
export async function writeChanges(
  db: Db,
  { organizationId, ticketId, projectId, userId }: TicketScope,
  stored: Stored & { version: number },
  changes: Changes,
) {
  const needed: Part[] = []
  if (changes.templateId !== null) needed.push('type')
  if (changes.templateId !== null || changes.stateId !== null) needed.push('state')
  const values = changes.values.filter(({ isFirst }) => !isFirst)
  const firstValues = changes.values.filter(({ isFirst }) => isFirst)
  if (values.length > 0) needed.push('values')
  if (firstValues.length > 0) needed.push('firstValues')
  if (changes.added.length + changes.removed.length > 0) needed.push('people')
  if (changes.labelled.length + changes.unlabelled.length > 0) needed.push('labels')
  const [saved] = await runNamed(db, writing(...needed), {
    organization: organizationId,
    ticket: ticketId,
    project: projectId,
    user: userId,
    version: stored.version,
    state: stored.state_id,
    parent: stored.parent_id,
    title: changes.title,
    fields: changes.history.map(({ field }) => field),
    befores: changes.history.map(({ before }) => before),
    afters: changes.history.map(({ after }) => after),
    template: stored.template_id,
    newTemplate: changes.templateId ?? stored.template_id,
    newState: changes.stateId ?? stored.state_id,
    valueFields: values.map(({ id }) => id),
    values: values.map(({ value }) => value),
    definitions: values.map(({ definition }) => definition),
    firstFields: firstValues.map(({ id }) => id),
    firstValues: firstValues.map(({ value }) => value),
    firstDefinitions: firstValues.map(({ definition }) => definition),
    addedUsers: changes.added.map(([user]) => user),
    addedRoles: changes.added.map(([, role]) => role),
    removedUsers: changes.removed.map(([user]) => user),
    removedRoles: changes.removed.map(([, role]) => role),
    labelled: changes.labelled,
    unlabelled: changes.unlabelled,
  })
  return saved
}

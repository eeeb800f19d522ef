import { limits } from '@tessera/contract/limits'
import type { Phase } from '@tessera/contract/scalars'
import { sql } from 'kysely'
import { queryRows } from '../../db/db.ts'
import { as, int2, int4, int8, text } from '../../db/shape.ts'
import { OperatorError } from '../../operator-error.ts'
import type { Plan } from '../export/plan.ts'
import { type ImportContext, record } from './context.ts'
import { defaultWorkflow } from './workflow.ts'

// The database compares the names, because it ignores case differently from JavaScript.

interface Found {
  given: string
  id: number
  name: string
}

/** The ids of the export's statuses; a project without any state gets a workflow too. */
export async function importStates(context: ImportContext, { statuses }: Plan) {
  const { db, organizationId, projectId } = context
  const names = statuses.map(({ name }) => name)
  const { rows: before } = await sql`
    select 1 from state where organization_id = ${organizationId} and project_id = ${projectId} limit 1`.execute(db)
  const made = await queryRows(db, { id: int8, name: text, phase: as<Phase>(int2) })`
    insert into state (organization_id, project_id, name, phase, position)
    select ${organizationId}::bigint, ${projectId}::bigint, fresh.name, fresh.phase, coalesce((
        select max(s.position) + 1 from state s where s.organization_id = ${organizationId} and s.project_id = ${projectId}), 0)
      + row_number() over (order by fresh.phase, fresh.place) - 1
    from (
      select distinct on (lower(given.name)) given.name, given.phase, given.place
      from unnest(${names}::text[], ${statuses.map(({ phase }) => phase)}::int[]) with ordinality as given (name, phase, place)
      where not exists (select 1 from state s where s.organization_id = ${organizationId} and s.project_id = ${projectId} and lower(s.name) = lower(given.name))
      order by lower(given.name), given.place
    ) fresh order by fresh.phase, fresh.place
    returning id, name, phase`
  await record(
    context,
    made.map(({ id, name }) => ({ subject: 'state', id, field: 'State', after: name })),
  )
  if (before.length === 0) await importWorkflow(context, made)
  const found = await queryRows(db, { given: text, id: int8, name: text })`
    select given.name as given, s.id, s.name from state s join unnest(${names}::text[]) as given (name) on lower(given.name) = lower(s.name)
    where s.organization_id = ${organizationId} and s.project_id = ${projectId}`
  return idsOf(context, 'Status', found, statuses)
}

async function importWorkflow(context: ImportContext, states: { id: number; name: string; phase: Phase }[]) {
  const { db, organizationId, projectId, problems } = context
  const moves = states.length ** 2 > limits.list ? [] : defaultWorkflow(states)
  if (states.length > 1 && moves.length === 0)
    problems.push({ rows: [], column: 'Status', text: 'has too many names for a workflow: every move is allowed' })
  if (moves.length === 0) return
  await sql`
    insert into state_transition (organization_id, project_id, from_state_id, to_state_id)
    select ${organizationId}::bigint, ${projectId}::bigint, "from", "to"
    from unnest(${moves.map(({ from }) => from)}::bigint[], ${moves.map(({ to }) => to)}::bigint[]) as w ("from", "to")`.execute(db)
  await record(context, [{ subject: 'workflow', id: projectId, field: 'Workflow', after: `${moves.length} moves` }])
}

/** The ids of the export's issue types; new ones start in a state whose name suggests a start. */
export async function importTemplates(context: ImportContext, { types, statuses }: Plan, states: ReadonlyMap<string, number>) {
  const { db, organizationId, projectId } = context
  const names = types.map(({ name }) => name)
  const byPhase = statuses.toSorted((a, b) => a.phase - b.phase)
  const first = byPhase.find(({ name }) => /^open$|to ?do|new/i.test(name)) ?? byPhase[0]
  const entry = states.get(first?.name ?? '') as number
  const made = await queryRows(db, { id: int8, name: text })`
    insert into template (organization_id, project_id, name, entry_state_id, position)
    select ${organizationId}::bigint, ${projectId}::bigint, fresh.name, ${entry}::bigint, coalesce((
        select max(t.position) + 1 from template t where t.organization_id = ${organizationId} and t.project_id = ${projectId}), 0)
      + row_number() over (order by fresh.place) - 1
    from (
      select distinct on (lower(given.name)) given.name, given.place from unnest(${names}::text[]) with ordinality as given (name, place)
      where not exists (select 1 from template t where t.organization_id = ${organizationId} and t.project_id = ${projectId} and lower(t.name) = lower(given.name))
      order by lower(given.name), given.place
    ) fresh order by fresh.place
    returning id, name`
  await record(
    context,
    made.map(({ id, name }) => ({ subject: 'template', id, field: 'Template', after: name })),
  )
  const found = await queryRows(db, { given: text, id: int8, name: text })`
    select given.name as given, t.id, t.name from template t join unnest(${names}::text[]) as given (name) on lower(given.name) = lower(t.name)
    where t.organization_id = ${organizationId} and t.project_id = ${projectId}`
  return idsOf(context, 'Issue Type', found, types)
}

/** Refuses an import that would exceed one of the project's limits, unless it adds nothing of that kind. */
export async function requireWithinLimits({ db, organizationId, projectId, changeSetId }: ImportContext) {
  const rows = await queryRows(db, { kind: text, count: int4 })`
    select kind, count(*)::int as count from (
      select 'state' as kind from state where organization_id = ${organizationId} and project_id = ${projectId}
      union all select 'template' from template where organization_id = ${organizationId} and project_id = ${projectId}
      union all select 'field' from field where organization_id = ${organizationId} and project_id = ${projectId}) each_one
    where exists (
      select 1 from change c where c.organization_id = ${organizationId} and c.change_set_id = ${changeSetId} and c.subject = kind)
    group by kind having count(*) > ${limits.perProject}`
  const [most] = rows
  if (most)
    throw new OperatorError(
      `The project would have ${most.count} ${most.kind}s, and it may have ${limits.perProject}. Nothing was imported.`,
    )
}

/** Reports names that are imported with another spelling. */
function idsOf({ problems }: ImportContext, column: string, found: Found[], named: Plan['types']) {
  const rowsOf = new Map(named.map(({ name, rows }) => [name, rows]))
  for (const { given, name } of found) {
    const text = `'${given}' differs from '${name}' in case only: it is imported as '${name}'`
    if (given !== name) problems.push({ rows: rowsOf.get(given) ?? [], column, text })
  }
  return new Map(found.map(({ given, id }) => [given, id]))
}

import { limits } from '@tessera/contract/limits'
import { copyProjectSetUp } from '@tessera/contract/projects/project-set-up'
import { createProject } from '@tessera/contract/projects/projects'
import { expect, test } from 'vitest'
import { makeProject } from '../../../../test/fixtures/factories.ts'
import { peopledProject } from '../../../../test/fixtures/worlds/peopled-project.ts'
import { serverOfFile } from '../../../../test/servers/server.ts'

const server = await serverOfFile()

// Each statement must end within six seconds.
test('a project with as many states, fields, templates and transitions as there may be is copied', async () => {
  const { organization, project, idProject: idFrom, someone } = await peopledProject(server)
  const admin = await someone('all', { admin: true })
  const { open } = project.states
  const more = (made: number) => limits.perProject - made
  await server.sql`
    insert into state (organization_id, project_id, name, phase, position)
    select ${organization}, ${idFrom}, 's' || i, 1, i + 3 from generate_series(1, ${more(3)}::int) i`
  await server.sql`
    insert into field (organization_id, project_id, key, label, type_id, position)
    select ${organization}, ${idFrom}, 'k' || i, 'k' || i, 3, i + 2 from generate_series(1, ${more(2)}::int) i`
  await server.sql`
    insert into template (organization_id, project_id, name, entry_state_id, position)
    select ${organization}, ${idFrom}, 't' || i, ${open}, i + 2 from generate_series(1, ${more(2)}::int) i`
  await server.sql`
    insert into template_field (organization_id, project_id, template_id, field_id, position)
    select t.organization_id, t.project_id, t.id, f.id, f.position from template t
    join field f on f.organization_id = t.organization_id and f.project_id = t.project_id and f.position between 3 and 12
    where t.organization_id = ${organization} and t.project_id = ${idFrom}`
  await server.sql`
    insert into state_transition (organization_id, project_id, from_state_id, to_state_id)
    select a.organization_id, a.project_id, a.id, b.id from state a
    join state b on b.organization_id = a.organization_id and b.project_id = a.project_id and b.id <> a.id
    where a.organization_id = ${organization} and a.project_id = ${idFrom} limit ${limits.list}`
  const { idProject } = (await server.as(admin, createProject, { Title: 'New', ShortCode: 'NEW' })).body
  const other = await makeProject(server.db, organization)
  await server.sql`update project set blockers_hold = true where organization_id = ${organization} and id = ${idFrom}`
  const each = limits.perProject
  expect((await server.as(admin, copyProjectSetUp, { idProject, idFrom })).body).toEqual({
    ...{ Success: 1, States: each, Transitions: limits.list, Fields: each, Templates: each, Roles: 3, Labels: 0 },
  })
  const rows = await server.sql<{ fields: number }>`
    select count(*)::int as fields from template_field where organization_id = ${organization} and project_id = ${idProject}`
  expect(rows[0]?.fields).toBe(10 * each + 4)
  // Third projects keep their settings.
  expect(await server.sql`select id from project where organization_id = ${organization} and not blockers_hold`).toEqual([
    { id: other.projectId },
  ])
})

test('a set-up is not copied if the project would have more labels than it may', async () => {
  const { organization, idProject: idFrom, someone } = await peopledProject(server)
  const admin = await someone('all', { admin: true })
  const { idProject } = (await server.as(admin, createProject, { Title: 'Full', ShortCode: 'FULL' })).body
  for (const id of [idFrom, idProject])
    await server.sql`
      insert into label (organization_id, project_id, name, color)
      select ${organization}, ${id}, ${id}::text || i, '#336699' from generate_series(1, ${limits.labels / 2 + 1}::int) i`
  expect(await server.as(admin, copyProjectSetUp, { idProject, idFrom })).toMatchObject({
    status: 422,
    body: { error: expect.stringContaining(`at most ${limits.labels} labels`) },
  })
})

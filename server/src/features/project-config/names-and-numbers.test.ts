import { createOrganization, setOrganizationData } from '@tessera/contract/people/organizations'
import {
  createNewState,
  createNewTemplate,
  createNewTicketField,
  deleteTicketFields,
  restoreTicketFields,
  setTicketField,
  setTicketState,
  setTicketTemplate,
} from '@tessera/contract/projects/project-config'
import { createProject, createProjectRole, setProjectData, setProjectRole } from '@tessera/contract/projects/projects'
import { createNewTicket, setTicketData } from '@tessera/contract/tickets/tickets'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeTicket } from '../../../test/fixtures/factories.ts'
import { databaseDigest } from '../../../test/fixtures/refusals.ts'
import { peopledProject } from '../../../test/fixtures/worlds/peopled-project.ts'
import { serverOfFile } from '../../../test/servers/server.ts'

const server = await serverOfFile()

test('no title and no label has line breaks or control characters', async () => {
  const { organization: idOrganization, project, idProject, someone } = await peopledProject(server)
  const ann = await someone('all', { admin: true, super: true })
  const { states, templates, fields, roles } = project
  const idTicket = await makeTicket(server.db, idOrganization, project)
  const before = await databaseDigest(server.db)
  for (const odd of ['a\nb', 'a\r\nb', 'a\tb', 'a\u2028b', 'a\u0085b', 'a\u001bb', 'a\u007fb']) {
    const options = [
      { value: 's', label: 'Small' },
      { value: 'l', label: odd },
    ]
    for (const [call, input, path] of [
      [createNewTicket, { idProject, idTemplate: templates.bug, Title: odd }, 'Title'],
      [setTicketData, { idTicket, Title: odd }, 'Title'],
      [createProject, { Title: odd, ShortCode: 'ODD' }, 'Title'],
      [setProjectData, { idProject, Title: odd }, 'Title'],
      [createOrganization, { Title: odd }, 'Title'],
      [setOrganizationData, { idOrganization, Title: odd }, 'Title'],
      [createNewState, { idProject, State: odd, idPhase: 1 }, 'State'],
      [setTicketState, { idProject, idState: states.open, State: odd }, 'State'],
      [createNewTemplate, { idProject, Label: odd, idEntryState: states.open, Fields: [] }, 'Label'],
      [setTicketTemplate, { idProject, idTicketTemplate: templates.bug, Label: odd }, 'Label'],
      [createNewTicketField, { idProject, Label: odd, DbKey: 'odd', idControlType: 3 }, 'Label'],
      [setTicketField, { idProject, idField: fields.note, Label: odd }, 'Label'],
      [setTicketField, { idProject, idField: fields.size, FieldProps: options }, 'FieldProps.1.label'],
      [createProjectRole, { idProject, Role: odd }, 'Role'],
      [setProjectRole, { idProject, idRole: roles.assignee, Role: odd }, 'Role'],
    ] as const) {
      const message = 'must not have line breaks or other control characters'
      expect(await server.as(ann, call, input), call.name).toMatchObject({ status: 400, body: { fields: [{ path, message }] } })
    }
  }
  expect(await databaseDigest(server.db)).toBe(before)
})

test('a project has at most 500 states, fields, templates and roles, also after a restore', async () => {
  const { organization, project, idProject, someone } = await peopledProject(server)
  const ann = await someone('all')
  const rows = await server.sql<{ id: number }>`
    insert into field (organization_id, project_id, key, label, type_id, position)
    select ${organization}::bigint, ${idProject}::bigint, 'k' || n, 'Field ' || n, 3, n from generate_series(3, 500) n returning id`
  for (const [table, column, made] of [
    ['state', 'phase', 3],
    ['role', null, 3],
    ['template', 'entry_state_id', 2],
  ] as const) {
    const value = column === 'phase' ? 1 : project.states.open
    await server.sql`
      insert into ${sql.table(table)} (organization_id, project_id, name, position ${sql.raw(column ? `, ${column}` : '')})
      select ${organization}::bigint, ${idProject}::bigint, 'Number ' || n, n ${column ? sql`, ${value}` : sql``}
      from generate_series(${made + 1}::int, 500) n`
  }
  const newField = (DbKey: string) => server.as(ann, createNewTicketField, { idProject, Label: DbKey, DbKey, idControlType: 3 })
  const tooMany = (error: string) => ({ status: 422, body: { Success: 0, code: 'rule', error } })
  const before = await databaseDigest(server.db)
  expect(await newField('one_more')).toMatchObject(tooMany('A project has at most 500 fields, archived ones included'))
  const template = { idProject, Label: 'One more', idEntryState: project.states.open, Fields: [] }
  expect(await server.as(ann, createNewTemplate, template)).toMatchObject(
    tooMany('A project has at most 500 templates, archived ones included'),
  )
  expect(await server.as(ann, createNewState, { idProject, State: 'One more', idPhase: 1 })).toMatchObject(
    tooMany('A project has at most 500 states'),
  )
  expect(await server.as(ann, createProjectRole, { idProject, Role: 'One more' })).toMatchObject(tooMany('A project has at most 500 roles'))
  expect(await databaseDigest(server.db)).toBe(before)

  const ids = [rows[0]?.id as number]
  expect(await server.as(ann, deleteTicketFields, { idProject, ids })).toMatchObject({ body: { Deleted: ids } })
  expect(await newField('instead')).toMatchObject({ status: 200 })
  expect(await server.as(ann, restoreTicketFields, { idProject, ids })).toMatchObject({ status: 422, body: { code: 'rule' } })
})

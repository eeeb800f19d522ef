import { expect, test } from 'vitest'
import { makeOrganization, makeProject, makeTickets } from '../../../../test/fixtures/factories.ts'
import { serverOfFile } from '../../../../test/servers/server.ts'
import { readsOf } from '../../../../test/statements/explain.ts'
import { recordStatements, type Sent } from '../../../../test/statements/record-statements.ts'
import { connect, poolOf } from '../../../db/connections/connect.ts'
import type { ProjectScope } from '../../../lib/authorize.ts'
import { templateUsage } from './queries.ts'

const server = await serverOfFile()

test('the usage of many templates reads the trash once, not once for each template', async () => {
  const organizationId = await makeOrganization(server.db)
  const project = await makeProject(server.db, organizationId)
  await makeTickets(server.db, organizationId, project, 300, 'Trashed')
  await server.sql`update ticket set trashed_at = now(), trash_root_id = id where organization_id = ${organizationId}`
  await server.sql`update ticket_tally set tickets = 0 where organization_id = ${organizationId}`
  await server.sql`
    insert into template (organization_id, project_id, name, entry_state_id, position)
    select ${organizationId}, ${project.projectId}, 'Type ' || n, ${project.states.open}, n from generate_series(2, 40) n`
  const templates = await server.db.selectFrom('template').select('id').where('organization_id', '=', organizationId).execute()

  const db = connect(poolOf(server.db).options, { poolSize: 1 })
  const recorder = recordStatements(db)
  recorder.start()
  const scope = { organizationId, projectId: project.projectId } as ProjectScope
  const ids = templates.map(({ id }) => id)
  const usage = await templateUsage(db, scope, ids)
  const [sent] = recorder.stop() as [Sent]
  await db.destroy()
  expect(usage.filter(({ Tickets }) => Tickets > 0)).toEqual([{ id: project.templates.bug, Tickets: 300 }])
  expect(await readsOf(server.db, sent, 'ticket')).toEqual([1])
})

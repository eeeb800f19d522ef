import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeOrganization, makeProject, makeTicket } from '../../test/fixtures/factories.ts'
import { startServer } from '../../test/servers/server.ts'
import { queryRows } from '../db/db.ts'
import { bool } from '../db/shape.ts'
import { attachText } from './steps/attach.ts'
import { importLabels } from './steps/labels.ts'

test('uploads and changes of labels in the organization do not wait for an import that has attached a text and made labels', async () => {
  await using server = await startServer()
  const { db, system } = server
  const organizationId = await makeOrganization(db)
  const { projectId, ...project } = await makeProject(db, organizationId)
  const ticketId = await makeTicket(db, organizationId, { projectId, ...project })
  await db.transaction().execute(async transaction => {
    const context = { db: transaction, organizationId, projectId, changeSetId: 1, importerId: null, problems: [] }
    const size = await attachText(context, system.storage, { ticketId, name: 'Description.txt', text: 'a long text' }, [])
    expect(size).toBe(11)
    await importLabels(context, new Map([['red', { name: 'Red', count: 1 }]]))
    // What an upload locks.
    await sql`select 1 from organization where id = ${organizationId} for no key update nowait`.execute(db)
    // What every change of labels locks.
    const [labels] = await queryRows(db, { free: bool })`
      select pg_try_advisory_xact_lock(hashtextextended('labels', ${organizationId}::bigint)) as free`
    expect(labels?.free).toBe(true)
  })
})

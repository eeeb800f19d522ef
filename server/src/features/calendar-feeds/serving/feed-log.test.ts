import { permission } from '@tessera/contract/permissions'
import { createCalendarFeed } from '@tessera/contract/projects/calendar-feeds'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeField } from '../../../../test/fixtures/factories.ts'
import { peopledProject } from '../../../../test/fixtures/worlds/peopled-project.ts'
import { addressOf, startProcess } from '../../../../test/servers/process.ts'
import { executeUnlimited, startServer } from '../../../../test/servers/server.ts'

test('the log has each fetch of a feed and who owns it, but never the address, also when the fetch fails', { tags: ['long'] }, async () => {
  await using server = await startServer()
  const { organization, project, idProject, someone } = await peopledProject(server)
  await makeField(server.db, organization, project, 'due', 'DATE')
  const ann = await someone([permission.viewTickets])
  const { Address } = (await server.as(ann, createCalendarFeed, { idProject, Name: 'Due', Field: 'due' })).body
  await using node = startProcess({ DATABASE_URL: addressOf(server), TESSERA_DATA: server.system.config.data, LOG_LEVEL: 'debug' })
  const base = await node.ready()
  const { pathname } = new URL(Address)
  const secret = /-([\w-]+)\.ics$/.exec(pathname)?.[1] as string
  const wrong = secret.split('').reverse().join('')
  const status = async (path: string) => (await fetch(base + path)).status

  expect([await status(pathname), await status(pathname.replace(secret, wrong)), await status(`${pathname}/more%`)]).toEqual([
    200, 404, 404,
  ])
  await executeUnlimited(server, sql`alter table state rename to lost`)
  expect(await status(pathname)).toBe(500)
  await node[Symbol.asyncDispose]()
  const lines = node.output.split('\n').filter(line => line.includes('"calendar-feed"'))
  expect(lines.map(line => JSON.parse(line))).toMatchObject([
    { status: 200, userId: ann.idUser, organizationId: organization },
    { status: 404 },
    { status: 500, userId: ann.idUser },
  ])
  expect(node.output).toContain('defect')
  for (const text of [secret, wrong]) expect(node.output).not.toContain(text)
})

import { deleteLabels, restoreLabels, setLabel } from '@tessera/contract/projects/labels'
import { sql } from 'kysely'
import { expect, inject, test, vi } from 'vitest'
import { peopledProject } from '../../../../test/fixtures/worlds/peopled-project.ts'
import { administrationOf } from '../../../../test/postgres/databases.ts'
import { executeUnlimited, startServer } from '../../../../test/servers/server.ts'
import { poolOf } from '../../../db/connections/connect.ts'
import { acrossOrganizations } from '../../../db/guard/across-organizations.ts'

test('many tickets get another label in steps of one change set, also after an interruption; a restoration that is stopped says what to do, and changes nothing', {
  tags: ['long'],
}, async () => {
  await using server = await startServer()
  const { organization, idProject, project, someone } = await peopledProject(server)
  const caller = await someone([1, 3, 8])
  const [o, p, type, state] = [organization, idProject, project.templates.bug, project.states.open].map(value => sql`${value}::bigint`)
  const labelNamed = async (Label: string) => (await server.as(caller, setLabel, { idProject, Label })).body.idLabel
  const [bug, defect] = [await labelNamed('Bug'), await labelNamed('Defect')]
  await executeUnlimited(
    server,
    sql`
      insert into ticket (organization_id, id, project_id, template_id, state_id, title)
      select ${o}, 1000000 + i, ${p}, ${type}, ${state}, 'Ticket' from generate_series(1, 1001) i`,
  )
  await executeUnlimited(
    server,
    sql`
      insert into ticket_label (organization_id, ticket_id, label_id)
      select ${o}, 1000000 + i, ${bug}::bigint from generate_series(1, 1001) i`,
  )
  const carriers = async () => {
    const rows = await server.sql`
        select label_id as id, count(*)::int as tickets from ticket_label where organization_id = ${organization} group by 1 order by 1`
    return rows
  }
  const merge = async () => (await server.as(caller, deleteLabels, { idProject, ids: [bug], idReplacement: defect })).status
  // A step that takes too long is the last one of the call.
  const clock = vi.spyOn(performance, 'now')
  let now = 0
  clock.mockImplementation(() => (now += 100_000))
  const publish = vi.spyOn(server.system.live, 'publish')
  const tooLong = server.as(caller, deleteLabels, { idProject, ids: [bug], idReplacement: defect })
  expect(await tooLong).toMatchObject({ status: 422, body: { error: expect.stringContaining('Repeat this to continue') } })
  expect(publish).toHaveBeenCalledOnce()
  clock.mockRestore()
  expect(await carriers()).toEqual([
    { id: bug, tickets: 501 },
    { id: defect, tickets: 500 },
  ])
  await server.sql`${acrossOrganizations('operator')} create function refuse() returns trigger language plpgsql as $$
    begin raise 'busy' using errcode = '55P03'; end $$`
  await server.sql`${acrossOrganizations('operator')} create trigger refuse before delete on label for each row execute function refuse()`
  expect(await merge()).toBe(503)
  expect(await carriers()).toEqual([
    { id: bug, tickets: 1 },
    { id: defect, tickets: 1000 },
  ])
  await server.sql`${acrossOrganizations('operator')} drop trigger refuse on label`
  expect(await merge()).toBe(200)
  expect(await carriers()).toEqual([{ id: defect, tickets: 1001 }])

  await server.sql`${acrossOrganizations('operator')} create function sleep_long() returns trigger language plpgsql as $$
    begin perform pg_sleep(30); return new; end $$`
  await server.sql`${acrossOrganizations('operator')} create trigger sleep_long before insert on label for each row execute function sleep_long()`
  const answer = server.as(caller, restoreLabels, { idProject, ids: [bug] })
  // As PostgreSQL itself does after 100 s.
  const canceled = async () => {
    const { database } = poolOf(server.db).options
    const sleepers = sql`select pg_cancel_backend(pid) from pg_stat_activity where datname = ${database} and wait_event = 'PgSleep'`
    const answers = await Promise.all(inject('servers').map(one => sleepers.execute(administrationOf(one))))
    return answers.flatMap(({ rows }) => rows).length
  }
  await expect.poll(canceled).toBe(1)
  const refusal = await answer
  expect(refusal.status).toBe(422)
  expect(refusal.body).toMatchObject({
    error: expect.stringMatching(/^This would change too many tickets at once\. Nothing was restored/),
  })
  expect(await carriers()).toEqual([{ id: defect, tickets: 1001 }])
  await server.sql`${acrossOrganizations('operator')} drop trigger sleep_long on label`
  expect((await server.as(caller, restoreLabels, { idProject, ids: [bug] })).body).toEqual({ Success: 1, Tickets: 1001 })
  expect(await carriers()).toEqual([{ id: bug, tickets: 1001 }])
})

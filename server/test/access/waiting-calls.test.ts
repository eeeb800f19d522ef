import type { Call } from '@tessera/contract/call'
import { setLabel } from '@tessera/contract/labels'
import { allPermissions } from '@tessera/contract/permissions'
import { createNewState } from '@tessera/contract/project-config'
import { trashTicket } from '@tessera/contract/tickets'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeTicket } from '../fixtures/factories.ts'
import { peopledProject } from '../fixtures/worlds/peopled-project.ts'
import { startServer } from '../servers/server.ts'

const calls: [lock: string, Call, input: (place: { idProject: number; idTicket: number }) => object][] = [
  ['project configuration', createNewState, ({ idProject }) => ({ idProject, State: 'Late', idPhase: 1 })],
  ['labels', setLabel, ({ idProject }) => ({ idProject, Label: 'late' })],
  ['tickets', trashTicket, ({ idTicket }) => ({ idTicket })],
]

for (const [left, status] of [
  ['View tickets', 422],
  ['nothing', 404],
] as const) {
  test.each(calls)(`a permission is read under the lock: with ${left} left, waiting for the lock of the %s`, async (lock, call, input) => {
    await using server = await startServer()
    const { organization, project, someone } = await peopledProject(server)
    const { projectId: idProject } = project
    const caller = await someone(allPermissions)
    const idTicket = await makeTicket(server.db, organization, project)

    const late = await server.db.transaction().execute(async transaction => {
      const subject = lock === 'labels' ? organization : idProject
      await sql`select pg_advisory_xact_lock(hashtextextended(${lock}, ${subject}::bigint))`.execute(transaction)
      const answer = server.as(caller, call, input({ idProject, idTicket }) as never)
      await expect
        .poll(async () => {
          const { rows } = await sql`
            select 1 from pg_locks where locktype = 'advisory' and not granted and database = (
              select oid from pg_database where datname = current_database())`.execute(server.db)
          return rows.length
        })
        .toBe(1)
      await sql`
        update project_member set permissions = ${left === 'nothing' ? 0 : 1}
        where organization_id = ${organization} and project_id = ${idProject} and user_id = ${caller.idUser}`.execute(transaction)
      return { answer }
    })
    expect((await late.answer).status).toBe(status)
  })
}

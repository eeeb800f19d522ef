import type { Call } from '@tessera/contract/call'
import { getOrganizationData } from '@tessera/contract/people/organizations'
import { getUserList } from '@tessera/contract/people/users'
import { getUserPermissions } from '@tessera/contract/projects/project-config'
import { getProjectMemberCandidates, getProjectMembers } from '@tessera/contract/projects/projects'
import { getProjectUserList } from '@tessera/contract/tickets/assignees'
import { suggestSearch } from '@tessera/contract/tickets/search'
import { getMentionableUsers } from '@tessera/contract/tickets/watchers'
import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { buildApp } from '../src/app.ts'
import { connect, poolOf } from '../src/db/connections/connect.ts'
import { closeSystem, createSystem } from '../src/process/system.ts'
import { makeTicket } from './fixtures/factories.ts'
import { peopledProject } from './fixtures/worlds/peopled-project.ts'
import { executeUnlimited, startServer } from './servers/server.ts'

// A cluster's workers count what they read.
const isCluster = inject('servers').length > 1

test.skipIf(isCluster)(
  'lists of people read the accounts at once, also in an organization that is much larger than the others',
  { tags: ['long'] },
  async () => {
    await using server = await startServer()
    const { organization, project, idProject, someone } = await peopledProject(server)
    const idTicket = await makeTicket(server.db, organization, project)
    const caller = await someone('all', { admin: true })
    // 300 organizations with a project and two members each, and 2,000 more members here, every second of them in the project.
    await executeUnlimited(
      server,
      sql`
    with made as (insert into organization (title) select 'Small ' || n from generate_series(1, 300) n returning id),
    projects as (insert into project (organization_id, title, short_code) select id, 'Only', 'P' || id from made returning organization_id, id),
    people as (insert into user_account (login, full_name) select 'p' || n, 'Person ' || n from generate_series(1, 2600) n returning id),
    numbered as (select id, row_number() over (order by id) as n from people),
    places as (
      select numbered.id as user_id, n, coalesce(small.organization_id, ${organization}) as organization_id, coalesce(small.id, ${idProject}) as project_id
      from numbered left join (select *, row_number() over (order by id) as place from projects) small on small.place = (n + 1) / 2
    ), members as (insert into organization_member (organization_id, user_id) select organization_id, user_id from places)
    insert into project_member (organization_id, project_id, user_id, permissions)
    select organization_id, project_id, user_id, 1 from places where n <= 600 or n % 2 = 0`,
    )
    for (const table of ['user_account', 'organization_member', 'project_member']) await sql`analyze ${sql.table(table)}`.execute(server.db)

    const calls: [Call, unknown][] = [
      [getUserList, {}],
      [getOrganizationData, { idOrganization: organization }],
      [getProjectMembers, { idProject }],
      [getProjectMemberCandidates, { idProject }],
      [getUserPermissions, { idProject }],
      [getProjectUserList, { idTicket }],
      [getProjectUserList, { idTicket, Recent: 1 }],
      [getMentionableUsers, { idTicket, Text: 'p' }],
      [suggestSearch, { idProject, Query: 'assignee:p', Caret: 10 }],
    ]
    const db = connect(poolOf(server.db).options, { poolSize: 1 })
    const system = await createSystem(server.system.config, db)
    const app = await buildApp(system)
    /** How often accounts were looked up by an index, and how often texts were folded, since the database was made. */
    const counted = async () => {
      await sql`select pg_stat_force_next_flush()`.execute(db)
      const { rows } = await sql<{ lookups: number; folded: number }>`
      select idx_scan::int as lookups, coalesce((select calls::int from pg_stat_user_functions where funcname = 'search_fold'), 0) as folded
      from pg_stat_user_tables where relname = 'user_account'`.execute(server.db)
      return rows[0] ?? { lookups: Number.NaN, folded: Number.NaN }
    }
    try {
      await sql`set track_functions = 'pl'`.execute(db)
      for (const [call, input] of calls) {
        // After five executions PostgreSQL may use the plan of a prepared statement that suits an organization of average size.
        for (let n = 0; n < 6; n++) expect((await server.as(caller, call, input, {}, app)).status, call.path).toBe(200)
        // Other connections may report what they did before at any time, so the least of three counts.
        const lookups: number[] = []
        const folded: number[] = []
        for (let n = 0; n < 3; n++) {
          const before = await counted()
          await server.as(caller, call, input, {}, app)
          const after = await counted()
          lookups.push(after.lookups - before.lookups)
          folded.push(after.folded - before.folded)
        }
        // The session's own account is looked up.
        expect(Math.min(...lookups), call.path).toBeGreaterThan(0)
        expect(Math.min(...lookups), call.path).toBeLessThan(10)
        // The login and the name of each of the 1,001 members who are offered, and not of the other 1,600 people.
        expect(Math.min(...folded), call.path).toBeLessThan(2100)
      }
    } finally {
      await app.close()
      await closeSystem(system)
    }
  },
)

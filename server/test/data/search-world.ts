import { searchTickets } from '@tessera/contract/search'
import { expect } from 'vitest'
import { makeMember, makeOrganization, makeProject, makeTicket, makeUser } from './factories.ts'
import type { Caller, TestServer } from '../servers/server.ts'

/** Ada in the project OPS, beside a project that she does not see. */
export async function searchWorld(server: TestServer) {
  const organization = await makeOrganization(server.db)
  const project = await makeProject(server.db, organization, { shortCode: 'OPS', title: 'Operations' })
  const hidden = await makeProject(server.db, organization, { shortCode: 'HID' })
  const user = await makeUser(server.db, organization, { login: `ada-${organization}`, fullName: 'Ada Lovelace' })
  await makeMember(server.db, organization, project.projectId, user, 'all')
  const caller = await server.signedIn(user, organization)
  const make = (title: string, options: Parameters<typeof makeTicket>[3] = {}) =>
    makeTicket(server.db, organization, project, { title, ...options })
  const search = async (Query: string, more: object = {}, who: Caller = caller) => {
    const answer = await server.as(who, searchTickets, { Query, ...more })
    expect({ query: Query, status: answer.status, body: answer.status === 200 ? undefined : answer.body }).toMatchObject({ status: 200 })
    return answer.body
  }
  const titles = async (query: string, more: object = {}) => (await search(query, more)).Tickets.map(({ Title }) => Title)
  return { organization, project, hidden, user, caller, make, search, titles }
}

import { randomBytes } from 'node:crypto'
import type { Call } from '@tessera/contract/call'
import {
  getOrganizationData,
  removeOrganizationMember,
  setOrganizationData,
  setOrganizationMember,
} from '@tessera/contract/people/organizations'
import { resetPasswordActivate } from '@tessera/contract/people/password-reset'
import { changePassword, getUserData } from '@tessera/contract/people/profile'
import { authenticate, connstate } from '@tessera/contract/people/session'
import { permissionTypes } from '@tessera/contract/permissions'
import * as config from '@tessera/contract/projects/project-config'
import { removeProjectMember, setProjectData } from '@tessera/contract/projects/projects'
import { setTicketComment } from '@tessera/contract/tickets/comments'
import { trashTicket } from '@tessera/contract/tickets/moving'
import * as tickets from '@tessera/contract/tickets/tickets'
import { expect, test } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { digest } from '../../src/http/session-cookie.ts'
import { hashPassword } from '../../src/lib/passwords/passwords.ts'
import { closeSystem, createSystem } from '../../src/process/system.ts'
import { isOwnStorage } from '../../src/storage/belonging.ts'
import { inputs } from '../access/inputs.ts'
import { makePlace, type Place } from '../access/world.ts'
import { makeMember, makeOrganization, makeUser } from '../fixtures/factories.ts'
import { jpeg } from '../fixtures/pictures.ts'
import { solveCaptcha } from '../servers/captcha.ts'
import { type Caller, startServer, type TestServer } from '../servers/server.ts'
import { upload } from '../servers/upload.ts'
import { rounds } from './tools/product.ts'

/** Two nodes on one database: what one revokes, the other refuses at the very next request. */
async function setUp() {
  const server = await startServer()
  const system = await createSystem(server.system.config, server.db)
  const other = await buildApp(system)
  // An empty storage is adopted; one with files that nobody owns is not.
  await isOwnStorage(server.db, system.storage)
  const place = await makePlace(server, await makeOrganization(server.db))
  const admin = await server.signedIn(await makeUser(server.db, place.organizationId, { admin: true, super: true }), place.organizationId)
  return {
    server,
    other,
    place,
    admin,
    async [Symbol.asyncDispose]() {
      await other.close()
      closeSystem(system)
      await server[Symbol.asyncDispose]()
    },
  }
}
type World = Awaited<ReturnType<typeof setUp>>

/** What each permission opens: the call that stands for it. */
function openedBy(id: number, { place: { ticketId, project } }: World): [Call, (place: Place, server: TestServer) => unknown] {
  const named = (call: Call, name: string): [Call, (place: Place, server: TestServer) => unknown] => [call, inputs[name] as never]
  const choices: Record<number, [Call, (place: Place, server: TestServer) => unknown]> = {
    1: named(tickets.getTicketData, 'get-ticket-data'),
    2: named(tickets.createNewTicket, 'create-new-ticket'),
    3: named(tickets.setTicketData, 'set-ticket-data'),
    4: [tickets.setTicketData, () => ({ idTicket: ticketId, State: project.states.doing })],
    5: [tickets.setTicketData, () => ({ idTicket: ticketId, TicketAssign: [] })],
    6: named(setTicketComment, 'set-ticket-comment'),
    8: named(config.createNewTicketField, 'create-new-ticket-field'),
    9: named(config.createNewState, 'create-new-state'),
    10: named(config.createNewTemplate, 'create-new-template'),
    11: named(config.getUserPermissions, 'get-user-permissions'),
    12: named(trashTicket, 'trash-ticket'),
    13: named(setProjectData, 'set-project-data'),
  }
  return choices[id] as [Call, (place: Place, server: TestServer) => unknown]
}

async function memberOf({ server, place }: World) {
  const idUser = await makeUser(server.db, place.organizationId)
  const idProjectMember = await makeMember(server.db, place.organizationId, place.project.projectId, idUser, 'all')
  return { idUser, idProjectMember, caller: await server.signedIn(idUser, place.organizationId) }
}

test('a permission that is revoked during a session is missing from the next request on, on another node too', {
  timeout: 600_000,
}, async () => {
  await using world = await setUp()
  const { server, other, place, admin } = world
  let ways = 0
  for (let round = 0; round < rounds(1); round++) {
    for (const { id } of permissionTypes) {
      const { caller, idProjectMember } = await memberOf(world)
      const attempt = async () => {
        if (id === 7) return (await upload({ ...server, app: other }, caller, place.ticketId, { name: 'a.jpg', content: jpeg() })).status
        const [call, input] = openedBy(id, world)
        return (await server.as(caller, call, await input(place, server), {}, other)).status
      }
      expect({ id, status: await attempt() }).toEqual({ id, status: 200 })
      const { projectId } = place.project
      const revoked = await server.as(admin, config.setUserPermission, {
        idProject: projectId,
        idProjectMember,
        idPermission: id,
        Enabled: 0,
      })
      expect(revoked.status).toBe(200)
      expect({ id, status: await attempt() }).toEqual({ id, status: id === 1 ? 404 : 422 })
      ways++
    }
  }
  console.log(`sessions: ${ways} × a permission taken away mid-session, each gone with the next request on the other node`)
})

test('the loss of membership, administrator or manager rights, account or organization takes effect with the next request', {
  timeout: 600_000,
}, async () => {
  await using world = await setUp()
  const { server, other, place, admin } = world
  const { organizationId, project } = place
  const idOrganization = organizationId
  const status = async (caller: Caller, call: Call, input: unknown) => (await server.as(caller, call, input, {}, other)).status
  const sees = (caller: Caller) => status(caller, tickets.getTicketData, { idTicket: place.ticketId })
  const rename = (caller: Caller) => status(caller, setOrganizationData, { idOrganization, Title: `Renamed ${caller.idUser}` })
  const look = (caller: Caller) => status(caller, getOrganizationData, { idOrganization })
  const done = async (call: Call, input: unknown) => expect((await server.as(admin, call, input)).status).toBe(200)

  const member = await memberOf(world)
  expect(await sees(member.caller)).toBe(200)
  await done(removeProjectMember, { idProject: project.projectId, idProjectMember: member.idProjectMember })
  expect(await sees(member.caller)).toBe(404)

  const second = await makeUser(server.db, organizationId, { admin: true })
  const administrator = await server.signedIn(second, organizationId)
  expect([await sees(administrator), await rename(administrator)]).toEqual([200, 200])
  await done(setOrganizationMember, { idOrganization, idUser: second, Admin: 0 })
  expect([await sees(administrator), await rename(administrator)]).toEqual([404, 404])

  const third = await makeUser(server.db, organizationId, { manager: true })
  const manager = await server.signedIn(third, organizationId)
  expect(await look(manager)).toBe(200)
  await done(setOrganizationMember, { idOrganization, idUser: third, Manager: 0 })
  expect(await look(manager)).toBe(404)

  const disabled = await memberOf(world)
  expect(await sees(disabled.caller)).toBe(200)
  await server.sql`update user_account set disabled = true where id = ${disabled.idUser}`
  expect(await sees(disabled.caller)).toBe(403)

  const leaver = await memberOf(world)
  expect(await sees(leaver.caller)).toBe(200)
  await done(removeOrganizationMember, { idOrganization, idUser: leaver.idUser })
  expect(await sees(leaver.caller)).toBe(403)
})

test('a changed or reset password ends the other sessions with the next request', async () => {
  await using world = await setUp()
  const { server, other, place } = world
  const passwordHash = await hashPassword('correct horse battery')
  const idUser = await makeUser(server.db, place.organizationId, { passwordHash })
  const live = async (caller: Caller) => (await server.as(caller, getUserData, {}, {}, other)).status

  const [desk, phone] = [await server.signedIn(idUser, place.organizationId), await server.signedIn(idUser, place.organizationId)]
  expect([await live(desk), await live(phone)]).toEqual([200, 200])
  const changed = await server.as(desk, changePassword, { pass: 'correct horse battery', newpass: 'another long phrase' })
  expect(changed).toMatchObject({ status: 200, body: { Success: 1 } })
  expect(await live(phone)).toBe(403)

  const again = await server.signedIn(idUser, place.organizationId)
  expect(await live(again)).toBe(200)
  const [code, device] = [randomBytes(32).toString('base64url'), randomBytes(32).toString('base64url')]
  await server.sql`
    insert into reset_code (code_hash, user_id, device_hash, expires_at)
    values (${digest(code)}, ${idUser}, ${digest(device)}, ${new Date(Date.now() + 60_000)})`
  const stranger = await server.stranger()
  const browser: Caller = { idUser: 0, orgid: 0, headers: stranger.headers, cookies: { ...stranger.cookies, dev: device } }
  const reset = await server.as(browser, resetPasswordActivate, {
    password: 'a third long phrase',
    captcha: await solveCaptcha(server),
    verifycode: code,
  })
  expect(reset).toMatchObject({ status: 200, body: { Success: 1 } })
  expect(await live(again)).toBe(403)
})

test('two tabs of one browser with different users: the tab that believes in the first saves nothing as the second', async () => {
  await using world = await setUp()
  const { server, place } = world
  const passwordHash = await hashPassword('correct horse battery')
  const people = await Promise.all(
    ['ann', 'bob'].map(async login => {
      const idUser = await makeUser(server.db, place.organizationId, { login, passwordHash })
      await makeMember(server.db, place.organizationId, place.project.projectId, idUser, 'all')
      return idUser
    }),
  )
  const jar: Caller = { idUser: 0, orgid: 0, ...(await server.stranger()) }
  const signIn = async (user: string) => {
    const answer = await server.as(jar, authenticate, { user, pass: 'correct horse battery' })
    expect(answer.body).toMatchObject({ auth: 1 })
    for (const { name, value } of answer.cookies) jar.cookies[name] = value
    jar.headers['x-xsrf-token'] = jar.cookies['XSRF-TOKEN'] ?? ''
  }
  await signIn('ann')
  await signIn('bob')
  const asAnn = { 'x-session-user': String(people[0]) }
  const input = { idTicket: place.ticketId, Title: "Ann's text" }
  expect(await server.as(jar, tickets.setTicketData, input, asAnn)).toMatchObject({
    status: 409,
    body: { code: 'identity_changed', idUser: people[1] },
  })
  expect((await server.as(jar, tickets.getTicketData, { idTicket: place.ticketId })).body.Title).not.toBe(input.Title)
  expect((await server.as(jar, connstate, {})).body).toMatchObject({ auth: 1, idUser: people[1] })
})

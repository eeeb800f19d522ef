import { allPermissions as all } from '@tessera/contract/permissions'
import { sql } from 'kysely'
import { marker } from '../../src/db/guard/across-organizations.ts'
import { storeAttachment } from '../../src/features/tickets/attachments/store-attachment.ts'
import { requireOwnStorage } from '../../src/storage/belonging.ts'
import { type MadeProject, makeAssignment, makeMember, makeOrganization, makeProject, makeTicket, makeUser } from '../fixtures/factories.ts'
import type { Caller, TestServer } from '../servers/server.ts'
import { freshCalendarFeed, freshChangeSet, freshPreview } from './fresh.ts'

/** Every kind of caller of the access matrix. */
export const actors = [
  'anonymous',
  'timed-out session',
  'revoked session',
  'disabled user',
  'member of other org',
  'admin of other org',
  'manager of other org',
  'same person signed in to another org',
  'org member outside the project',
  'project member with no permission',
  'project member View only',
  'project member all but 11 (Manage permissions)',
  'project member with every permission',
  'org admin',
  'org manager',
  'super in this org',
  'super signed in to another org',
] as const
export type Actor = (typeof actors)[number]

/** One of everything that an id can name, in one organization. */
export interface Place {
  organizationId: number
  project: MadeProject
  ticketId: number
  childId: number
  commentId: number
  attachmentId: number
  labelId: number
  linkId: number
  viewId: number
  searchId: number
  feedId: number
  previewId: number
  changeSetId: number
  userId: number
  memberId: number
}

/** Fills a project so that every table has a row of it; every text carries the canary. */
export async function makePlace(server: TestServer, organizationId: number, canary = ''): Promise<Place> {
  const { db } = server
  const project = await makeProject(db, organizationId, { title: `Project ${canary}` })
  const userId = await makeUser(db, organizationId, { fullName: `Person ${canary}` })
  const memberId = await makeMember(db, organizationId, project.projectId, userId, all)
  const ticketId = await makeTicket(db, organizationId, project, { title: `Ticket ${canary}` })
  const childId = await makeTicket(db, organizationId, project, { title: `Child ${canary}`, parentId: ticketId })
  await server.sql`
    insert into ticket_value (organization_id, ticket_id, field_id, value)
    values (${organizationId}, ${ticketId}, ${project.fields.note}, ${`Note ${canary}`})`
  await makeAssignment(db, organizationId, project, ticketId, userId)
  const commentId = await idOf(server.sql`
    insert into comment (organization_id, ticket_id, author_id, text, versions)
    values (${organizationId}, ${ticketId}, ${userId}, ${`Comment ${canary}`}, 2) returning id`)
  await server.sql`
    insert into comment_version (organization_id, comment_id, version, text, written_at)
    values (${organizationId}, ${commentId}, 1, ${`Before ${canary}`}, now())`
  await server.sql`
    insert into original_text (organization_id, ticket_id, comment_id, field_id, text)
    values (${organizationId}, ${ticketId}, ${commentId}, 0, ${`Original ${canary}`})`
  // A database takes an empty storage only.
  await requireOwnStorage(db, server.system.storage)
  const attachmentId = await storeAttachment(db, server.system.storage, {
    organizationId,
    projectId: project.projectId,
    ticketId,
    userId,
    name: `file ${canary}.txt`,
    contentType: 'text/plain',
    content: 'text',
  })
  const labelId = await idOf(server.sql`
    insert into label (organization_id, project_id, name, color)
    values (${organizationId}, ${project.projectId}, ${`Label ${canary}`}, '#c0ffee') returning id`)
  const linkId = await idOf(server.sql`
    insert into ticket_link (organization_id, from_ticket_id, to_ticket_id, kind)
    values (${organizationId}, ${childId}, ${ticketId}, 'precedes') returning id`)
  const viewId = await idOf(server.sql`
    insert into ticket_view (organization_id, project_id, owner_id, name, query, layout, shared)
    values (${organizationId}, ${project.projectId}, ${userId}, ${`View ${canary}`}, ${canary}, 'list', true) returning id`)
  const searchId = await idOf(server.sql`
    insert into saved_search (organization_id, owner_id, name, query, shared)
    values (${organizationId}, ${userId}, ${`Search ${project.projectId} ${canary}`}, ${canary}, true) returning id`)
  await server.sql`insert into ticket_label (organization_id, ticket_id, label_id) values (${organizationId}, ${ticketId}, ${labelId})`
  await server.sql`
    insert into comment_reaction (organization_id, comment_id, reaction, user_id) values (${organizationId}, ${commentId}, 'eyes', ${userId})`
  await server.sql`
    insert into subscription (organization_id, ticket_id, user_id, enabled) values (${organizationId}, ${ticketId}, ${userId}, true)`
  await server.sql`
    insert into change (organization_id, change_set_id, subject, subject_id, ticket_id, field, before, user_id)
    values (${organizationId}, 1, 'ticket', ${ticketId}, ${ticketId}, 'Title', ${`Was ${canary}`}, ${userId})`
  const feedId = await freshCalendarFeed({ organizationId, project, userId }, server)
  const ids = { ticketId, childId, commentId, attachmentId, labelId, linkId, viewId, searchId, feedId, userId, memberId }
  const place = { organizationId, project, ...ids }
  const previewId = await freshPreview(place, server)
  const changeSetId = await freshChangeSet(place, server)
  if (canary !== '') await plantCanaries(server, organizationId, canary)
  return { ...place, previewId, changeSetId }
}

async function idOf(inserted: Promise<{ id: number }[]>) {
  return (await inserted)[0]?.id as number
}

/** Texts that no person wrote, and those of somebody's own sign-in, which no call about something else reads. */
const withoutCanary = new Set([
  'attachment.storage_key',
  'change.field',
  'change.subject',
  'idempotency_key.call',
  'label.color',
  'comment_reaction.reaction',
  'ticket_link.kind',
  'ticket_view.lanes',
  'ticket_view.layout',
  'change_set_summary.what',
])
const textsOfSession = /^session\./

/** Every column of text that belongs to an organization or its people, with the condition for one organization's rows. */
export async function textColumns({ db }: TestServer, organizationId: number) {
  const { rows } = await sql<{ table: string; column: string }>`
    select c.relname as table, a.attname as column from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and a.atttypid = 'text'::regtype and not a.attisdropped
      and (c.relname in ('organization', 'user_account')
        or exists (select 1 from pg_attribute o where o.attrelid = c.oid and o.attname = 'organization_id'))
    order by 1, 2`.execute(db)
  const { rows: people } = await sql<{ id: number }>`
    select user_id as id from organization_member where organization_id = ${organizationId}`.execute(db)
  const ids: Record<string, string> = {
    organization: `id = ${organizationId}`,
    user_account: `id = any('{${people.map(({ id }) => id)}}')`,
  }
  return rows
    .map(row => ({ ...row, name: `${row.table}.${row.column}`, ours: ids[row.table] ?? `organization_id = ${organizationId}` }))
    .filter(({ name }) => !withoutCanary.has(name) && !textsOfSession.test(name))
}

async function plantCanaries(server: TestServer, organizationId: number, canary: string) {
  const others: Record<string, string> = { 'project.short_code': `'${canary}'`, 'ticket.external_id': `'${canary}' || id` }
  for (const { table, column, name, ours } of await textColumns(server, organizationId)) {
    const text = others[name] ?? `coalesce(${column}, '') || '${canary}'`
    await sql.raw(`${marker('operator')} update ${table} set ${column} = ${text} where ${ours}`).execute(server.db)
  }
  const options = JSON.stringify([{ value: canary, label: canary }])
  await server.sql`update template set defaults = ${JSON.stringify({ Title: canary })}::jsonb where organization_id = ${organizationId}`
  await server.sql`update field set options = ${options}::jsonb where organization_id = ${organizationId}`
}

/** Two organizations and everybody who might call. `home` is where the calls aim, `neighbor` another project beside it. */
export async function makeWorld(server: TestServer, canary = '') {
  const { db } = server
  const home = await makePlace(server, await makeOrganization(db, `Home ${canary}`), canary)
  const neighbor = await makePlace(server, home.organizationId)
  const away = await makePlace(server, await makeOrganization(db))
  const { projectId } = home.project
  const person = async (place: Place, options: Parameters<typeof makeUser>[2] = {}) => makeUser(db, place.organizationId, options)
  const inProject = async (permissions: readonly number[]) => {
    const id = await person(home)
    await makeMember(db, home.organizationId, projectId, id, permissions)
    return id
  }
  const callerOf = async (idUser: number, place: Place) => server.signedIn(idUser, place.organizationId)

  const both = await inProject(all)
  await db.insertInto('organization_member').values({ organization_id: away.organizationId, user_id: both }).execute()
  await makeMember(db, away.organizationId, away.project.projectId, both, all)
  const awayMember = await person(away)
  await makeMember(db, away.organizationId, away.project.projectId, awayMember, all)
  const outsider = await person(home)
  await makeMember(db, home.organizationId, neighbor.project.projectId, outsider, all)
  const superUser = await makeUser(db, null, { super: true })

  const timedOut = await callerOf(await inProject(all), home)
  await sql`update session set last_seen_at = now() - interval '1 day' where organization_id = ${home.organizationId} and user_id = ${timedOut.idUser}`.execute(
    db,
  )
  const revoked = await callerOf(await inProject(all), home)
  await sql`update session set ended_at = now(), end_reason = 'revoked' where organization_id = ${home.organizationId} and user_id = ${revoked.idUser}`.execute(
    db,
  )
  const disabled = await callerOf(await inProject(all), home)
  await db.updateTable('user_account').set({ disabled: true }).where('id', '=', disabled.idUser).execute()

  const callers: Record<Actor, Caller | null> = {
    anonymous: null,
    'timed-out session': timedOut,
    'revoked session': revoked,
    'disabled user': disabled,
    'member of other org': await callerOf(awayMember, away),
    'admin of other org': await callerOf(await person(away, { admin: true }), away),
    'manager of other org': await callerOf(await person(away, { manager: true }), away),
    'same person signed in to another org': await callerOf(both, away),
    'org member outside the project': await callerOf(outsider, home),
    'project member with no permission': await callerOf(await inProject([]), home),
    'project member View only': await callerOf(await inProject([1]), home),
    'project member all but 11 (Manage permissions)': await callerOf(await inProject(all.filter(id => id !== 11)), home),
    'project member with every permission': await callerOf(await inProject(all), home),
    'org admin': await callerOf(await person(home, { admin: true }), home),
    'org manager': await callerOf(await person(home, { manager: true }), home),
    'super in this org': await callerOf(superUser, home),
    'super signed in to another org': await callerOf(superUser, away),
  }
  const holders = new Map<string, Caller>()
  /** A project member of home with exactly these permissions, the same one each time. */
  const withPermissions = async (permissions: readonly number[]) => {
    const holder = holders.get(String(permissions)) ?? (await callerOf(await inProject(permissions), home))
    holders.set(String(permissions), holder)
    return holder
  }
  return { home, neighbor, away, callers, holders, withPermissions }
}
export type World = Awaited<ReturnType<typeof makeWorld>>

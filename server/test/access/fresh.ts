import { randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { signedToken } from '../../src/mail/signed-link.ts'
import { makeField, makeMember, makeTicket, makeUser } from '../fixtures/factories.ts'
import type { TestServer } from '../servers/server.ts'
import type { Place } from './world.ts'

// Creates what a call of inputs.ts consumes, just before the call.

export const name = (prefix: string) => `${prefix} ${randomUUID().slice(0, 8)}`
export const inProject = ({ project }: Place) => ({ idProject: project.projectId })
export const onTicket = ({ ticketId }: Place) => ({ idTicket: ticketId })

export async function freshState({ organizationId, project }: Place, { db }: TestServer) {
  const values = { organization_id: organizationId, project_id: project.projectId, name: name('State'), phase: 1, position: 90 }
  return (await db.insertInto('state').values(values).returning('id').executeTakeFirstOrThrow()).id
}
export async function freshField({ organizationId, project }: Place, { db }: TestServer, archived = false) {
  const key = `k${randomUUID().replaceAll('-', '')}`
  const values = {
    organization_id: organizationId,
    project_id: project.projectId,
    key,
    label: key,
    type_id: 1,
    position: 90,
    archived_at: archived ? new Date() : null,
  }
  return (await db.insertInto('field').values(values).returning('id').executeTakeFirstOrThrow()).id
}
export async function freshTemplate({ organizationId, project }: Place, { db }: TestServer, archived = false) {
  const values = {
    organization_id: organizationId,
    project_id: project.projectId,
    name: name('Template'),
    entry_state_id: project.states.open,
    position: 90,
    archived_at: archived ? new Date() : null,
  }
  return (await db.insertInto('template').values(values).returning('id').executeTakeFirstOrThrow()).id
}
export async function freshRole({ organizationId, project }: Place, { db }: TestServer) {
  const values = { organization_id: organizationId, project_id: project.projectId, name: name('Role'), position: 90 }
  return (await db.insertInto('role').values(values).returning('id').executeTakeFirstOrThrow()).id
}
export async function freshMember(place: Place, { db }: TestServer, permissions?: readonly number[]) {
  const idUser = await makeUser(db, place.organizationId)
  return makeMember(db, place.organizationId, place.project.projectId, idUser, permissions)
}
export async function trashed(place: Place, { db }: TestServer) {
  const { organizationId, project } = place
  const values = {
    organization_id: organizationId,
    project_id: project.projectId,
    template_id: project.templates.bug,
    state_id: project.states.open,
    title: 'In the trash',
  }
  const { id } = await db.insertInto('ticket').values(values).returning('id').executeTakeFirstOrThrow()
  await db
    .updateTable('ticket')
    .set({ trashed_at: new Date(), trash_root_id: id })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute()
  return id
}

/** A project without any configuration, whose members have what they have in the place's. */
export async function emptyProject({ organizationId, project }: Place, { db }: TestServer) {
  const values = { organization_id: organizationId, title: name('Project'), short_code: name('P').replaceAll(/[^A-Za-z0-9]/g, '') }
  const { id } = await db.insertInto('project').values(values).returning('id').executeTakeFirstOrThrow()
  await db.transaction().execute(async held => {
    // Somebody may be removed from the organization at the same time.
    const { rows } = await sql<{ user_id: number; permissions: number }>`
      select pm.user_id, pm.permissions from project_member pm
      join organization_member om on om.organization_id = pm.organization_id and om.user_id = pm.user_id
      where pm.organization_id = ${organizationId} and pm.project_id = ${project.projectId}
      for key share of om`.execute(held)
    if (rows.length === 0) return
    const members = rows.map(row => ({ ...row, organization_id: organizationId, project_id: id }))
    await held.insertInto('project_member').values(members).execute()
  })
  return id
}

export async function freshView({ organizationId, project, userId }: Place, { db }: TestServer) {
  const values = {
    organization_id: organizationId,
    project_id: project.projectId,
    owner_id: userId,
    name: name('View'),
    query: '',
    layout: 'list',
    shared: true,
  }
  return (await db.insertInto('ticket_view').values(values).returning('id').executeTakeFirstOrThrow()).id
}

export async function freshSearch({ organizationId, userId }: Place, { db }: TestServer, deleted_at: Date | null = null) {
  const values = { organization_id: organizationId, owner_id: userId, name: name('Search'), query: '', shared: true, deleted_at }
  return (await db.insertInto('saved_search').values(values).returning('id').executeTakeFirstOrThrow()).id
}

export async function deletedView(place: Place, server: TestServer) {
  const id = await freshView(place, server)
  await server.sql`update ticket_view set deleted_at = now() where organization_id = ${place.organizationId} and id = ${id}`
  return id
}

/** Returns the field's key. */
export async function freshDateField({ organizationId, project }: Place, { db }: TestServer) {
  const key = name('date').replaceAll(/\W/g, '_')
  await makeField(db, organizationId, project, key, 'DATE')
  return key
}

export async function freshCalendarFeed(
  { organizationId, project, userId }: Pick<Place, 'organizationId' | 'project' | 'userId'>,
  { db }: TestServer,
) {
  const values = {
    organization_id: organizationId,
    project_id: project.projectId,
    owner_id: userId,
    name: name('Feed'),
    query: '',
    field_key: 'due',
    zone: 'UTC',
    token_hash: randomBytes(32),
  }
  return (await db.insertInto('calendar_feed').values(values).returning('id').executeTakeFirstOrThrow()).id
}

export async function freshLabel({ organizationId, project }: Place, { db }: TestServer, projectId: number | null = project.projectId) {
  const values = { organization_id: organizationId, project_id: projectId, name: name('Label'), color: '#00aa77' }
  return (await db.insertInto('label').values(values).returning('id').executeTakeFirstOrThrow()).id
}

export async function freshLink({ organizationId, project, ticketId }: Place, { db }: TestServer) {
  const other = await makeTicket(db, organizationId, project)
  const values = { organization_id: organizationId, from_ticket_id: ticketId, to_ticket_id: other, kind: 'duplicates' }
  return (await db.insertInto('ticket_link').values(values).returning('id').executeTakeFirstOrThrow()).id
}

export async function freshComment({ organizationId, ticketId, userId }: Place, { db }: TestServer, deleted = false) {
  const values = {
    organization_id: organizationId,
    ticket_id: ticketId,
    author_id: userId,
    text: 'Comment',
    deleted_at: deleted ? new Date() : null,
  }
  return (await db.insertInto('comment').values(values).returning('id').executeTakeFirstOrThrow()).id
}

/** Without a file, which only a download needs. */
export async function freshAttachment({ organizationId, ticketId, userId }: Place, { db }: TestServer, deleted = false) {
  const values = {
    organization_id: organizationId,
    ticket_id: ticketId,
    created_by: userId,
    name: 'photo.jpg',
    content_type: 'image/jpeg',
    bytes: 1,
    sha256: Buffer.alloc(32),
    storage_key: `${organizationId}/${randomUUID()}`,
    deleted_at: deleted ? new Date() : null,
  }
  return (await db.insertInto('attachment').values(values).returning('id').executeTakeFirstOrThrow()).id
}

/** A bulk change of one ticket that has not been applied. */
export async function freshPreview({ organizationId, project, userId }: Omit<Place, 'previewId' | 'changeSetId'>, { db }: TestServer) {
  const ticketId = await makeTicket(db, organizationId, project)
  const history = [{ field: 'data.note', before: null, after: 'Note' }]
  const values = {
    organization_id: organizationId,
    project_id: project.projectId,
    user_id: userId,
    change: JSON.stringify({ data: { note: 'Note' } }),
    found: JSON.stringify({ Total: 1, Changed: 1, Same: 0, Refused: [] }),
    tickets: JSON.stringify([{ id: ticketId, version: 1, state: project.states.open, parent: null, history }]),
    total: 1,
  }
  return (await db.insertInto('bulk_preview').values(values).returning('id').executeTakeFirstOrThrow()).id
}

/** A bulk change of one ticket that can be reverted. */
export async function freshChangeSet(place: Omit<Place, 'previewId' | 'changeSetId'>, { db }: TestServer) {
  const tenant = { organization_id: place.organizationId, project_id: place.project.projectId }
  const ticketId = await makeTicket(db, place.organizationId, place.project)
  await db
    .insertInto('ticket_value')
    .values({ organization_id: place.organizationId, ticket_id: ticketId, field_id: place.project.fields.note, value: 'Note' })
    .execute()
  const { rows } = await sql<{ id: number }>`select nextval('change_set_id') as id`.execute(db)
  const id = rows[0]?.id as number
  await db
    .insertInto('change')
    .values({
      ...tenant,
      change_set_id: id,
      subject: 'ticket',
      subject_id: ticketId,
      ticket_id: ticketId,
      field: 'data.note',
      after: 'Note',
    })
    .execute()
  await db
    .insertInto('change_set_summary')
    .values({ ...tenant, id, what: 'bulk', tickets: 1 })
    .execute()
  return id
}

/** History of something deleted just now. */
export async function gone(
  place: Place,
  { db }: TestServer,
  subject: string,
  subjectId: number,
  parts: Record<string, string>,
  inProject = true,
) {
  const { rows } = await sql<{ id: number }>`select nextval('change_set_id') as id`.execute(db)
  await db
    .insertInto('change')
    .values(
      Object.entries(parts).map(([field, before]) => ({
        organization_id: place.organizationId,
        change_set_id: rows[0]?.id as number,
        subject,
        subject_id: subjectId,
        project_id: inProject ? place.project.projectId : null,
        field,
        before,
      })),
    )
    .execute()
  return subjectId
}
/** An id that a row had. */
export async function usedId({ db }: TestServer, table: 'state' | 'role' | 'label') {
  return (await sql<{ id: number }>`select nextval(pg_get_serial_sequence(${table}, 'id')) as id`.execute(db)).rows[0]?.id as number
}

/** The link of an invitation of just now. */
export async function invited({ organizationId }: Place, { db, system }: TestServer) {
  const [admin, guest] = [await makeUser(db, organizationId, { admin: true }), await makeUser(db, null)]
  await sql`insert into invitation (organization_id, user_id, invited_by) values (${organizationId}, ${guest}, ${admin})`.execute(db)
  const { rows } = await sql<{ at: number }>`
    select (extract(epoch from invited_at) * 1000000)::bigint as at from invitation
    where organization_id = ${organizationId} and user_id = ${guest}`.execute(db)
  return { Token: signedToken(system.secret, 'invitation', organizationId, guest, rows[0]?.at as number) }
}

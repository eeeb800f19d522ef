import type { Access } from '@tessera/contract/call'
import { allPermissions } from '@tessera/contract/permissions'
import { propertyType } from '@tessera/contract/projects/project-config'
import { type Statement, shortRead, statement } from '../db/db.ts'
import { bool, int4, int8, json, nothing, nullable, type RowOf, text, uuid } from '../db/shape.ts'

// The statements behind authorize(): each starts at (organization, session token); the one of a calendar feed at (organization, secret).

const sessionRow = { id: uuid, user_id: int8, super: bool, admin: bool, manager: bool, stale: bool }
const projectRow = { ...sessionRow, project_id: nullable(int8), permissions: int4, archived: bool }
const ticketRow = { ...projectRow, trashed: bool }
const linkRow = { ...ticketRow, ticket_id: nullable(int8) }
export type SessionRow = RowOf<typeof sessionRow>
export type ProjectRow = RowOf<typeof projectRow>
export type TicketRow = RowOf<typeof ticketRow>
export type LinkRow = RowOf<typeof linkRow>

/** The mask of all permission types. */
export const everyPermission = allPermissions.reduce((mask, id) => mask | (1 << (id - 1)), 0)
const live = `
  from session s
  join user_account u on u.id = s.user_id and not u.disabled
  left join organization_member m on m.organization_id = $1 and m.user_id = s.user_id`
const whereLive = (token = '$2') => `
  where s.organization_id = $1 and s.token_hash = ${token} and s.ended_at is null
    and s.last_seen_at > now() - make_interval(mins => $3) and s.created_at > now() - make_interval(hours => $4)
    and (u.super or m.user_id is not null)`
const isAdmin = 'u.super or coalesce(m.admin, false)'
/** SQL: joins account `u` with its memberships of the organization $1, `m`, and of the project, `pm`. */
export const joinMemberships = (project: string) => `
  left join organization_member m on m.organization_id = $1 and m.user_id = u.id
  left join project_member pm on pm.organization_id = $1 and pm.project_id = ${project} and pm.user_id = u.id`
/** SQL: account `u` with these memberships may view the project's tickets. */
export const mayViewTickets = `(${isAdmin} or coalesce(pm.permissions, 0) & 1 = 1)`
const person = `s.id, s.user_id, u.super, ${isAdmin} as admin, coalesce(m.manager, false) as manager,
  s.last_seen_at < now() - least(interval '1 minute', make_interval(mins => $3) / 10) as stale`
const mask = `case when ${isAdmin} then ${everyPermission} else coalesce(pm.permissions, 0) end`
const rights = `${mask} as permissions,
  p.archived_at is not null as archived`
const member = 'left join project_member pm on pm.organization_id = $1 and pm.project_id = p.id and pm.user_id = s.user_id'

export const sessionStatement = shortRead(sessionRow, `select ${person} ${live} ${whereLive()}`)

/** The caller's rights in the project with this id, which `joins` may look up; `more` are further columns. */
const rightsIn = (project: string, joins = '', more = '') => `
  select ${person}, p.id as project_id, ${rights} ${more} ${live} ${joins}
  left join project p on p.organization_id = $1 and p.id = ${project} ${member} ${whereLive()}`
const trashed = ', t.trashed_at is not null as trashed'
const trashedAndId = `${trashed}, t.id as ticket_id`

export const projectStatement = shortRead(projectRow, rightsIn('$5'))
export const ticketStatement = shortRead(
  ticketRow,
  rightsIn('t.project_id', 'left join ticket t on t.organization_id = $1 and t.id = $5', trashed),
)
const linkJoins = `
  left join ticket_link l on l.organization_id = $1 and l.id = $5
  left join ticket t on t.organization_id = $1 and t.id in (l.from_ticket_id, l.to_ticket_id)`
// Prefers the end of the link that the caller may see and edit, and that can be changed.
const linkStatement = shortRead(
  linkRow,
  `${rightsIn('t.project_id', linkJoins, trashedAndId)}
  order by ${mask} & 1 desc, ${mask} & 4 desc, p.archived_at is null and t.trashed_at is null desc, t.id limit 1`,
)
const commentJoins = `
  left join comment c on c.organization_id = $1 and c.id = $5
  left join ticket t on t.organization_id = $1 and t.id = c.ticket_id`
const commentStatement = shortRead(linkRow, rightsIn('t.project_id', commentJoins, trashedAndId))
// A preview belongs to the person who asked for it.
const previewStatement = shortRead(
  projectRow,
  rightsIn('b.project_id', 'left join bulk_preview b on b.organization_id = $1 and b.id = $5 and b.user_id = s.user_id'),
)
const changeSetStatement = shortRead(
  projectRow,
  rightsIn('c.project_id', 'left join change_set_summary c on c.organization_id = $1 and c.id = $5'),
)
/** How the object of a call is proved, and what names it in the request. */
export const statements: Partial<
  Record<Access, { statement: Statement<ProjectRow>; by: 'idProject' | 'idTicket' | 'idLink' | 'idComment' | 'idPreview' | 'idChangeSet' }>
> = {
  project: { statement: projectStatement, by: 'idProject' },
  ticket: { statement: ticketStatement, by: 'idTicket' },
  link: { statement: linkStatement, by: 'idLink' },
  comment: { statement: commentStatement, by: 'idComment' },
  preview: { statement: previewStatement, by: 'idPreview' },
  'change-set': { statement: changeSetStatement, by: 'idChangeSet' },
}
const feedRow = {
  id: int8,
  userId: int8,
  admin: bool,
  projectId: int8,
  code: text,
  name: text,
  query: text,
  zone: text,
  fieldKey: text,
  fieldId: nullable(int8),
  fieldLabel: nullable(text),
  stale: bool,
}
export type FeedRow = RowOf<typeof feedRow>
/**
 * $2: the digest of a calendar feed's secret. Its owner, who may still see the project, and what the feed shows; no row otherwise, nor in an
 * archived project. `fieldId` is null if the project no longer has the DATE field.
 */
export const feedStatement = shortRead(
  feedRow,
  `
  select c.id, c.owner_id as "userId", ${isAdmin} as admin, p.id as "projectId", p.short_code as code, c.name, c.query, c.zone,
    c.field_key as "fieldKey", f.id as "fieldId", f.label as "fieldLabel",
    c.fetched_at is null or c.fetched_at < now() - interval '1 minute' as stale
  from calendar_feed c
  join user_account u on u.id = c.owner_id and not u.disabled
  join project p on p.organization_id = $1 and p.id = c.project_id and p.archived_at is null ${joinMemberships('p.id')}
  left join field f on f.organization_id = $1 and f.project_id = p.id and f.key = c.field_key and f.type_id = ${propertyType.DATE}
  where c.organization_id = $1 and c.token_hash = $2 and ${mayViewTickets}`,
)
export const audienceStatement = statement(
  { token: text, manages: bool, projects: json<number[]>() },
  `
  select encode(s.token_hash, 'hex') as token, bool_or(${isAdmin} or coalesce(m.manager, false)) as manages,
    coalesce(json_agg(p.id) filter (where p.id is not null), '[]'::json) as projects ${live}
  left join project_member pm on pm.organization_id = $1 and pm.user_id = s.user_id and pm.project_id = any($5) and pm.permissions & 1 = 1
    and not (${isAdmin})
  left join project p on p.organization_id = $1 and p.id = any($5) and (p.id = pm.project_id or ${isAdmin})
  ${whereLive('any($2)')}
  group by s.token_hash`,
)
export const openRow = { archived: bool, trashed: nullable(bool), permissions: int4, super: bool, admin: bool, manager: bool }
export type PresentRights = Omit<RowOf<typeof openRow>, 'trashed'>
/** $3: a ticket of the project, or null; `trashed` is null without one. $4: the person whose permissions these are. */
export const openStatement = statement(
  openRow,
  `
  select p.archived_at is not null as archived, (
    select t.trashed_at is not null from ticket t where t.organization_id = $1 and t.project_id = $2 and t.id = $3) as trashed, ${mask} as permissions,
    u.super, ${isAdmin} as admin, coalesce(m.manager, false) as manager
  from project p join user_account u on u.id = $4 and not u.disabled ${joinMemberships('p.id')}
  where p.organization_id = $1 and p.id = $2`,
)
export const rightsLockStatement = statement(
  { locked: nothing },
  `select pg_advisory_xact_lock(hashtextextended('rights', $1::bigint)) as locked`,
)
export const seenStatement = statement({}, `update session set last_seen_at = now() where organization_id = $1 and token_hash = $2`)

import type { Access, Call, Rank } from '@tessera/contract/call'
import { allPermissions, organizationAdmin, type PermissionId, permission } from '@tessera/contract/permissions'
import { needsOrganizationAdmin, projectArchived, ticketTrashed } from '@tessera/contract/refusals'
import { type Db, run, type Statement, shortRead } from '../db/db.ts'
import { allNullable, type RowOf, type Shape } from '../db/shape.ts'
import { sqlState } from '../db/sql-state.ts'
import { Failure, invalid, notFound, notPermitted } from './failure.ts'
import {
  audienceStatement,
  type LinkRow,
  openStatement,
  type PresentRights,
  type ProjectRow,
  projectStatement,
  rightsLockStatement,
  type SessionRow,
  seenStatement,
  sessionStatement,
  statements,
  type TicketRow,
  ticketStatement,
} from './proofs.ts'

declare const proven: unique symbol

/** Proof of a live session: who acts, and in which organization. */
export interface SessionScope {
  readonly [proven]: true
  readonly organizationId: number
  readonly userId: number
  readonly sessionId: string
  readonly super: boolean
  /** Organization admin here; super users are too. */
  readonly admin: boolean
  readonly manager: boolean
}
/** Proof that the caller may see the organization it names. */
export interface OrganizationScope extends SessionScope {
  /** The organization the call is about: the session's, or any for a super user. */
  readonly targetOrganizationId: number
}
/** Proof that the caller may see the project; queries take it instead of a bare id. */
export interface ProjectScope extends SessionScope {
  readonly projectId: number
  /** Bit n-1 is permission type n. */
  readonly permissions: number
  /** The permission that the call needs, if it always needs the same. */
  readonly needs?: PermissionId | undefined
  readonly archived: boolean
}
export interface TicketScope extends ProjectScope {
  readonly ticketId: number
  readonly trashed: boolean
}
export type Scope<A extends Access> = A extends 'ticket' | 'link' | 'comment'
  ? TicketScope
  : A extends 'project' | 'preview' | 'change-set'
    ? ProjectScope
    : A extends 'organization'
      ? OrganizationScope
      : A extends 'session'
        ? SessionScope
        : null

/** The session data of a request. */
export interface Credentials {
  organizationId: number
  tokenHash: Buffer
  /** The user the page was loaded for (`X-Session-User`); NaN if that is no id. */
  expectedUserId?: number
  /** A background refetch by the page, not by the person (`X-Background: 1`). */
  isBackground?: boolean
}
export interface SessionLimits {
  idleMinutes: number
  maxHours: number
}

function bit(permission: PermissionId) {
  return 1 << (permission - 1)
}

/** Whether the mask holds the permission. */
export function holds({ permissions }: { permissions: number }, permission: PermissionId) {
  return (permissions & bit(permission)) !== 0
}
export function permissionList(mask: number): PermissionId[] {
  return allPermissions.filter(id => holds({ permissions: mask }, id))
}
export function permissionMask(ids: readonly number[]) {
  return ids.reduce((mask, id) => mask | bit(id as PermissionId), 0)
}
/** Throws 422 naming the permission unless the scope holds it. */
export function requirePermission(scope: ProjectScope, permission: PermissionId) {
  if (!holds(scope, permission)) throw notPermitted(permission)
}

/** Throws 422 in an archived project and on a ticket in the trash: they stay readable and take no changes. */
export function requireOpen(scope: Pick<ProjectScope, 'archived'> & Partial<Pick<TicketScope, 'trashed'>>) {
  if (scope.archived) throw new Failure('rule', projectArchived)
  if (scope.trashed) throw new Failure('rule', ticketTrashed)
}

/**
 * `requireOpen` as of now, and the call's permission: call it after waiting for a lock, because meanwhile the project may have been archived, the
 * ticket trashed or deleted, or the permission revoked. Returns the scope with the caller's present rights: the handler asks that one for
 * anything else that it requires.
 */
export async function requireStillOpen<S extends ProjectScope>(db: Db, scope: S, ticketId: number | null = null): Promise<S> {
  const present = await requireStillAllowed(db, scope, ticketId)
  requireOpen(present)
  return present
}

/** The same for calls that are allowed in an archived project and in the trash too. It may come after a write that waited: a refusal rolls the write back. */
export async function requireStillAllowed<S extends ProjectScope>(
  db: Db,
  scope: S,
  ticketId: number | null = null,
): Promise<S & { trashed: boolean }> {
  const [now] = await run(db, openStatement, [scope.organizationId, scope.projectId, ticketId, scope.userId])
  if (!now || (ticketId !== null && now.trashed === null)) throw notFound()
  return { ...withPresentRights(scope, now), trashed: now.trashed === true }
}

/** The scope with what `openStatement` found. 404 if the caller may not see the project any more, 422 without the call's permission. */
export function withPresentRights<S extends ProjectScope>(scope: S, now: PresentRights): S {
  if (!holds(now, permission.viewTickets)) throw notFound()
  if (scope.needs && !holds(now, scope.needs)) throw notPermitted(scope.needs)
  const { permissions, archived, admin, manager } = now
  return { ...scope, permissions, archived, super: now.super, admin, manager }
}

/** Throws 422 naming what is missing unless the person has the rank. */
export function requireRank(rank: Rank, row: Pick<SessionRow, 'super' | 'admin' | 'manager'>) {
  if (rank === 'super' && !row.super) throw new Failure('not_permitted', 'Only a super user may do this', { needs: 'Super user' })
  if (rank === 'admin' && !row.admin) throw new Failure('not_permitted', needsOrganizationAdmin, { needs: organizationAdmin })
  if (rank === 'manager' && !row.admin && !row.manager) {
    throw new Failure('not_permitted', `${needsOrganizationAdmin} or to manage this organization`, {
      needs: organizationAdmin,
    })
  }
}

/** Which of these sessions (by token hash) are live, which of the projects each may see, and whether its person administers or manages the organization. */
export async function visibleProjects(db: Db, organizationId: number, tokenHashes: Buffer[], limits: SessionLimits, projectIds: number[]) {
  const rows = await run(db, audienceStatement, [organizationId, tokenHashes, limits.idleMinutes, limits.maxHours, projectIds])
  return new Map(rows.map(({ token, manages, projects }) => [token, { manages, projects: new Set(projects) }]))
}

type Ids = Partial<Record<'idProject' | 'idTicket' | 'idLink' | 'idComment' | 'idPreview' | 'idChangeSet' | 'idOrganization', number>>

/** The data a call reads in the statement that proves its scope: one round trip instead of two. */
export interface Reading<Row> {
  statement: Statement<Row>
  /** $6 and on. */
  parameters: readonly unknown[]
  /** Whether the row is only the beginning of the answer: all of it is read when it is the caller's turn. */
  needsTurn?(row: Row): boolean
}

/**
 * Combines `select`, which returns one row, with the proof of a project or a ticket; it runs only if the caller may see that. Its parameters: $1 the organization, $5 the id of
 * the project or ticket, $6 and on its own; the columns of `scope` (user_id, project_id, permissions) are what was proved.
 * The columns of `select` must have other names than those of `scope`. `as` is `statement` for unbounded reads, which must not share a connection.
 */
export function reading<S extends Shape>(
  access: 'project' | 'ticket',
  shape: S,
  select: string,
  as: typeof shortRead = shortRead,
): Statement<RowOf<S>> {
  const proof = access === 'project' ? projectStatement : ticketStatement
  return as(
    { ...proof.shape, ...allNullable(shape) },
    `
    with scope as materialized (${proof.text})
    select * from scope left join lateral (select answer.* from (${select}) answer where scope.permissions & 1 = 1) answer on true`,
  ) as Statement<unknown> as Statement<RowOf<S>>
}

/** A call whose rights are to be proved. */
export interface Asked<A extends Access> {
  call: Call<'query' | 'mutation', A>
  credentials: Credentials | null
  limits: SessionLimits
  input: Ids
}

/**
 * Proves what the call's access names, in one statement that starts at (organization, session token):
 * no live session 403 → rank 422 → not visible 404 → permission 422.
 */
export async function authorize<A extends Access>(db: Db, asked: Asked<A>): Promise<Scope<A>> {
  return (await authorizeReading(db, asked)).scope
}

/** The same, with the row of `read`, which may come from a standby; the proof always comes from `db`. */
export async function authorizeReading<A extends Access>(
  db: Db,
  { call, credentials, limits, input }: Asked<A>,
  read?: Reading<unknown>,
  from = db,
): Promise<{ scope: Scope<A>; read: unknown }> {
  if (call.access === 'public') return { scope: null as Scope<A>, read: undefined }
  if (credentials === null) throw new Failure('session', 'No live session')
  const named = statements[call.access]
  const session = [credentials.organizationId, credentials.tokenHash, limits.idleMinutes, limits.maxHours]
  const proof = named ? [...session, input[named.by]] : session
  const readWithProof = from === db ? read : undefined
  const prove = async () => {
    const [row] = readWithProof
      ? ((await run(db, readWithProof.statement, [...proof, ...readWithProof.parameters])) as SessionRow[])
      : await run<SessionRow>(db, named?.statement ?? sessionStatement, proof)
    return row
  }
  if (call.changesRights) {
    // Proved before the lock too, so that a caller without the right never blocks others.
    scopeOf(call, credentials, input, await prove())
    await lockRights(db, credentials.organizationId, input.idOrganization)
  }
  const row = await prove()
  await noteSeen(db, call, credentials, row)
  const scope = scopeOf(call, credentials, input, row)
  if (!read) return { scope, read: undefined }
  if (readWithProof) return { scope, read: row }
  const [answer] = await run(from, read.statement, [...proof, ...read.parameters])
  return { scope, read: answer }
}

/** Records that the session was used, at most once a minute. */
async function noteSeen(db: Db, call: Call, credentials: Credentials, row: SessionRow | undefined) {
  const isPersonal = !call.passive && !(call.kind === 'query' && credentials.isBackground)
  if (!row?.stale || !isPersonal) return
  // Reads must work while the disk is full.
  await run(db, seenStatement, [credentials.organizationId, credentials.tokenHash]).catch(error => {
    if (db.isTransaction || sqlState(error) !== '53100') throw error
  })
}

/** The scope for the proof's row; throws the refusal. */
function scopeOf<A extends Access>(
  call: Call<'query' | 'mutation', A>,
  credentials: Credentials,
  input: Ids,
  row: SessionRow | undefined,
): Scope<A> {
  if (!row) throw new Failure('session', 'No live session')
  if (Number.isNaN(credentials.expectedUserId)) throw invalid('X-Session-User', 'must be the id of a user')
  if (credentials.expectedUserId !== undefined && credentials.expectedUserId !== row.user_id) {
    throw new Failure('identity_changed', 'Another user signed in meanwhile', { current: { idUser: row.user_id } })
  }
  if (call.rank) requireRank(call.rank, row)

  const session = {
    organizationId: credentials.organizationId,
    userId: row.user_id,
    sessionId: row.id,
    super: row.super,
    admin: row.admin,
    manager: row.manager,
  }
  if (call.access === 'session') return session as Scope<A>
  if (call.access === 'organization') {
    const target = input.idOrganization as number
    if (!row.super && !(target === credentials.organizationId && (row.admin || row.manager))) throw notFound()
    return { ...session, targetOrganizationId: target } as Scope<'organization'> as Scope<A>
  }
  const project = row as ProjectRow & Partial<TicketRow>
  const { project_id: projectId, permissions, archived, trashed } = project
  if (projectId === null || !holds(project, permission.viewTickets)) throw notFound()
  if (call.permission && !holds(project, call.permission)) throw notPermitted(call.permission)
  const scope = { ...session, projectId, permissions, needs: call.permission, archived } as ProjectScope
  switch (call.access) {
    case 'ticket':
      return { ...scope, ticketId: input.idTicket, trashed } as TicketScope as Scope<A>
    case 'link':
    case 'comment':
      return { ...scope, ticketId: (row as LinkRow).ticket_id, trashed } as TicketScope as Scope<A>
    default:
      return scope as Scope<A>
  }
}

/**
 * Takes the organization's rights lock, so that rights proved afterwards cannot be revoked before the caller has used them. A super user
 * may act in another organization than the session's: the smaller id is locked first, which prevents deadlocks.
 */
export async function lockRights(db: Db, organizationId: number, target = organizationId) {
  if (!db.isTransaction) throw new Error('A call that changes rights needs a transaction')
  for (const id of new Set([organizationId, target].sort((a, b) => a - b))) await run(db, rightsLockStatement, [id])
}

const sessionCall = { access: 'session' } as Call<'query', 'session'>
/** Proves a live session and nothing more. */
export function authorizeSession(db: Db, credentials: Credentials | null, limits: SessionLimits): Promise<SessionScope> {
  return authorize(db, { call: sessionCall, credentials, limits, input: {} })
}

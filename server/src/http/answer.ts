import type { Call } from '@tessera/contract/call'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { forLongTransaction } from '../db/connections/connect.ts'
import type { Db } from '../db/db.ts'
import { sqlState } from '../db/sql-state.ts'
import { authorizeReading, type Credentials, type OrganizationScope, type SessionScope, type TicketScope } from '../lib/authorize.ts'
import type { Change } from '../lib/changes.ts'
import { Failure } from '../lib/failure.ts'
import { inTransaction, retrying } from '../lib/transaction.ts'
import { people } from '../live/live-messages.ts'
import type { System } from '../process/system.ts'
import { isCostly, isThrottled, whenGone } from './costly-calls.ts'
import { type Claim, claim, idempotencyKeyOf, once } from './idempotency.ts'
import type { Handler } from './implement.ts'
import { JsonText } from './json/json-text.ts'
import { credentialsOf, hasJustWritten, markWriter } from './session-cookie.ts'

/** A request whose headers and body are in order. */
interface Incoming {
  system: System
  handler: Handler
  request: FastifyRequest
  reply: FastifyReply
  input: Record<string, never>
  credentials: Credentials | null
  /** The Idempotency-Key, if there is one. */
  key: string | undefined
  /** What the handler's `before` returned. */
  early: unknown
}

/** The outcome of a call. */
interface Handled {
  answer: unknown
  scope: Partial<TicketScope & OrganizationScope> | null
  /** Whether everybody who sees the project is told of the change. */
  isForAll: boolean
  /** Of a call without a project: those whose people are told. */
  projects: ReadonlySet<number>
  /** Of a public call: whose people it changed. */
  managedId: number | undefined
}

/** Proves, runs and answers one call. */
export async function answer(system: System, handler: Handler, request: FastifyRequest, reply: FastifyReply, given?: unknown) {
  const { call, before } = handler
  const input = (given ?? (call.method === 'POST' ? request.body : request.query)) as Record<string, never>
  const credentials = call.access === 'public' ? null : credentialsOf(system.config, request)
  const key = call.idempotent ? idempotencyKeyOf(request.headers['idempotency-key']) : undefined
  const early = await before?.({ db: system.db, input, system, request, reply })
  const incoming = { system, handler, request, reply, input, credentials, key, early }
  return call.kind === 'query' ? answerQuery(incoming) : answerMutation(incoming)
}

async function answerQuery(incoming: Incoming) {
  const { db } = incoming.system
  const replica = replicaFor(incoming)
  // If the standby finds nothing, the primary is asked.
  const askPrimary = (error: unknown) => (isThrottled(error) ? Promise.reject(error) : proveAndHandle(incoming, db))
  const { answer } = await (replica
    ? proveAndHandle(incoming, db, replica.db).then(replica.answered, askPrimary)
    : proveAndHandle(incoming, db))
  if (!(answer instanceof JsonText)) return answer
  incoming.reply.type('application/json; charset=utf-8')
  return answer.text
}

async function answerMutation(incoming: Incoming) {
  const { system, handler, reply, input, credentials, key } = incoming
  const { call, opensNoTransaction, takesLong, inSteps } = handler
  if (system.isDiskFull()) throw new Failure('unavailable', 'The disk of the server is full: nothing can be saved until there is space')
  const db = takesLong ? forLongTransaction(system.db) : system.db
  const change = () =>
    opensNoTransaction && key === undefined
      ? retrying(() => proveAndHandle(incoming, db))
      : inTransaction(db, transaction => proveAndHandle(incoming, transaction))
  // Long transactions have connections of their own, and previews take the turns of costly calls.
  const isElsewhere = takesLong || inSteps || isCostly(call, input)
  const handling = credentials === null || isElsewhere ? change() : system.changeInTurn(credentials, change)
  const handled = await (takesLong ? handling.catch(error => refuseTooMuch(error, call)) : handling)
  publishChange(system, call, handled)
  if (system.replicas) markWriter(system.config, reply)
  if (handled.answer instanceof Failure) throw handled.answer
  return handled.answer
}

/** The proof comes from `db`, what is read from `from`. A costly call then takes turns, unless it `hasTurn`. */
async function proveAndHandle(incoming: Incoming, db: Db, from = db, hasTurn = false): Promise<Handled> {
  const { system, handler, request, reply, input, credentials, key } = incoming
  const { call, read } = handler
  const claimed = credentials && key !== undefined ? await claim(db, credentials, key, call.path, input) : undefined
  const reading = read?.(input, hasTurn)
  const proof = await authorizeReading(db, { call, credentials, limits: system.config.session, input }, reading, from)
  const scope = proof.scope as SessionScope | null
  if (scope !== null) request.actor = scope
  const handleNow = () => handle(incoming, from, { scope, row: proof.read, claimed })
  const isRead = proof.read !== undefined && !reading?.needsTurn?.(proof.read)
  if (!isCostly(call, input) || scope === null || isRead || hasTurn) return handleNow()
  return system.inTurn(
    scope.userId,
    // What was proved or read before a wait is old.
    hasWaited => (hasWaited || reading ? proveAndHandle(incoming, db, from, true) : handleNow()),
    whenGone(reply),
  )
}

interface Proved {
  scope: SessionScope | null
  /** What was read with the proof. */
  row: unknown
  claimed: Claim | undefined
}

async function handle(incoming: Incoming, db: Db, { scope, row, claimed }: Proved): Promise<Handled> {
  const { system, handler, request, reply, input, early } = incoming
  let isForAll = handler.call.tells === undefined
  const tellEverybody = () => {
    isForAll = true
  }
  let projects = new Set<number>()
  const tellProjects = (changes: readonly Pick<Change, 'projectId'>[]) => {
    projects = new Set(changes.flatMap(({ projectId }) => projectId ?? []))
  }
  let managedId: number | undefined
  const tellManagers = (organizationId: number) => {
    managedId = organizationId
  }
  const given = { db, scope: scope as never, input, system, request, reply, prepared: early as never, row: row as never }
  const context = { ...given, tellEverybody, tellProjects, tellManagers }
  const answer = scope && claimed ? await once(db, scope, claimed, () => handler.handle(context)) : await handler.handle(context)
  return { answer, scope, isForAll, projects, managedId }
}

/** A statement that was stopped after 100 s is not tried again: the next one would be stopped too. */
function refuseTooMuch(error: unknown, { path }: Call): never {
  if (sqlState(error) !== '57014') throw error
  // Advice to change some tickets first would not help here: a deleted label, role or state is on no ticket.
  const advice = path.includes('/restore-')
    ? 'Nothing was restored: try again at a time when fewer people work.'
    : 'Change some of them first: select them in the list, 10,000 at a time.'
  throw new Failure('rule', `This would change too many tickets at once. ${advice}`)
}

/** The standby for the read; none for a browser that has just saved, or that refetches after a live update. */
function replicaFor({ system, handler, request, credentials, input }: Incoming) {
  const { config, replicas } = system
  const { idProject }: { idProject?: number } = input
  if (!handler.mayUseReplica || !credentials || !replicas || idProject === undefined) return undefined
  if (credentials.isBackground || hasJustWritten(config, request)) return undefined
  return replicas.for(credentials.organizationId, idProject)
}

/** After the commit: makes pages that show the project refetch, or only those of the caller; those of people and projects after any change of rights. */
function publishChange({ live }: System, call: Call, { scope, isForAll, projects, managedId }: Handled) {
  if (managedId !== undefined) live.publish({ organizationId: managedId, projectId: people, call })
  if ((call.tells === 'nobody' && !isForAll) || scope?.organizationId === undefined) return
  const { organizationId, targetOrganizationId = organizationId, projectId, ticketId, userId } = scope
  if (projectId === undefined) {
    if (!call.changesRights) return
    for (const id of new Set([organizationId, targetOrganizationId])) live.publish({ organizationId: id, projectId: people, call })
    for (const id of projects) live.publish({ organizationId: targetOrganizationId, projectId: id, call })
    return
  }
  live.publish({ organizationId, projectId, ticketId, call, onlyUserId: isForAll ? undefined : userId })
}

import type { Access, Call, Request, Response } from '@tessera/contract/call'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import type { Db } from '../db/db.ts'
import type { Reading, Scope } from '../lib/authorize.ts'
import type { Change } from '../lib/changes.ts'
import type { Failure } from '../lib/failure.ts'
import type { System } from '../process/system.ts'
import type { JsonText } from './json/json-text.ts'

type AnyCall = Call<'query' | 'mutation', Access, TSchema, TSchema>

export interface Context<C extends Call> {
  /** The open transaction of a mutation, the pool for a query. */
  db: Db
  scope: Scope<C['access']>
  input: Request<C>
  /** Configuration, storage and the other singletons of a process. */
  system: System
  /** For calls that deal with cookies and files. */
  request: FastifyRequest
  reply: FastifyReply
  /** Tells everybody who sees the project of this change; by itself the call tells only the caller, or nobody. */
  tellEverybody(): void
  /** For calls without a project: tells everybody who sees a project in which one of these changes was made. */
  tellProjects(changes: readonly Pick<Change, 'projectId'>[]): void
  /** For public calls: tells those who manage the organization that its people changed. */
  tellManagers(organizationId: number): void
}

/** How the server runs a handler. */
interface Options<C extends Call, Prepared, Row> {
  /**
   * For work that must not run inside a transaction, such as asking another server or hashing a password. `db` is the pool, and nothing has been
   * proved yet. The handler gets its result as `prepared`.
   */
  before?(context: Pick<Context<C>, 'db' | 'input' | 'system' | 'request' | 'reply'>): Promise<Prepared>
  /**
   * Reads the call's data in the statement that proves its scope, which saves a round trip. The handler gets the `row`: undefined when `read` returned
   * nothing for this input; its columns are null when nothing was found. A costly call that needs a turn reads again, with `hasTurn`.
   */
  read?(input: Request<C>, hasTurn: boolean): Reading<Row> | undefined
  /** A standby may answer the query: the handler reads all data from the `db` of the context. */
  mayUseReplica?: boolean
  /**
   * The mutation needs no transaction around it: it writes everything in one statement, which saves the round trips of BEGIN and COMMIT, or it opens its
   * own transactions one after the other, because a single one would hold its locks too long; then it can resume after an interruption. `db` is
   * the pool, unless there is an Idempotency-Key, which requires a transaction.
   */
  opensNoTransaction?: boolean
  /** The mutation may rewrite any number of tickets: its statements have 100 s instead of 6. */
  takesLong?: boolean
  /** The mutation makes its transactions in steps, for minutes, or waits for one that does: it takes no turn from the changes of others. */
  inSteps?: boolean
}

/** A Failure that is returned, not thrown, lets the transaction commit before it is answered. */
type Handle<C extends Call, Prepared = undefined, Row = undefined> = (
  context: Context<C> & { prepared: Prepared; row: Row | undefined },
) => Promise<Response<C> | JsonText<Response<C>> | Failure>

export interface Handler<C extends Call = Call> extends Options<C, unknown, unknown> {
  readonly call: C
  handle(context: Context<C> & { prepared: never; row: never }): ReturnType<Handle<C>>
}

/** Binds a call to its handler; the types come from the contract. */
export function implement<C extends AnyCall>(call: C, handle: Handle<C>): Handler<C> {
  return { call, handle }
}

export function implementWith<C extends AnyCall, Prepared = undefined, Row = undefined>(
  call: C,
  options: Options<C, Prepared, Row>,
  handle: Handle<C, Prepared, Row>,
): Handler<C> {
  return { call, ...options, handle }
}

/** One handler for each call among a contract's exports. */
export type Handlers<Contract> = {
  [Name in keyof Contract as Contract[Name] extends Call ? Name : never]: Contract[Name] extends Call ? Handler<Contract[Name]> : never
}

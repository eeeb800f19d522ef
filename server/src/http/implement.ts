import type { Access, Call, Request, Response } from '@tessera/contract/call'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import type { Db } from '../db/db.ts'
import type { Reading, Scope } from '../lib/authorize.ts'
import type { Failure } from '../lib/failure.ts'
import type { System } from '../process/system.ts'
import type { JsonText } from './json/json-text.ts'

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
}
/** The context before the transaction: `db` is the pool, nothing has been proved yet. */
type EarlyContext<C extends Call> = Omit<Context<C>, 'scope' | 'tellEverybody'>

export interface Handler<C extends Call = Call> {
  readonly call: C
  /** No transaction is opened around it. */
  readonly opensNoTransaction?: boolean
  readonly mayUseReplica?: boolean
  /** Its transaction may rewrite many tickets: its statements have 100 s. */
  readonly takesLong?: boolean
  before?(context: EarlyContext<C>): Promise<unknown>
  read?(input: Request<C>, hasTurn: boolean): Reading<unknown> | undefined
  /** A Failure that is returned, not thrown, lets the transaction commit before it is answered. */
  handle(context: Context<C> & { prepared: never }): Promise<Response<C> | JsonText<Response<C>> | Failure>
}

type Handle<C extends Call, Prepared> = (context: Context<C> & { prepared: Prepared }) => Promise<Response<C> | Failure>

/**
 * Binds a call to its handler; the types come from the contract. `before` is for work that must not run inside a transaction, such as
 * asking another server or hashing a password. Its result is `prepared`.
 */
export function implement<C extends Call<'query' | 'mutation', Access, TSchema, TSchema>>(call: C, handle: Handle<C, undefined>): Handler<C>
export function implement<C extends Call<'query' | 'mutation', Access, TSchema, TSchema>, Prepared>(
  call: C,
  before: (context: EarlyContext<C>) => Promise<Prepared>,
  handle: Handle<C, Prepared>,
): Handler<C>
export function implement<C extends Call<'query' | 'mutation', Access, TSchema, TSchema>>(
  call: C,
  first: Handle<C, undefined> | ((context: EarlyContext<C>) => Promise<unknown>),
  second?: Handle<C, never>,
): Handler<C> {
  return second
    ? { call, before: first as (context: EarlyContext<C>) => Promise<unknown>, handle: second }
    : { call, handle: first as Handler<C>['handle'] }
}

/**
 * A call that reads its data in the statement that proves its scope. The row is `prepared`; undefined when `read` returned nothing for this
 * input; its columns are null when nothing was found. A costly call that needs a turn reads again, with `hasTurn`. With
 * `mayUseReplica` a standby may answer: all data is read from the `db` of the context.
 */
export function implementReading<C extends Call<'query', Access, TSchema, TSchema>, Row>(
  call: C,
  read: (input: Request<C>, hasTurn: boolean) => Reading<Row> | undefined,
  handle: (context: Context<C> & { prepared: Row | undefined }) => Promise<Response<C> | JsonText<Response<C>>>,
  { mayUseReplica = false } = {},
): Handler<C> {
  return { call, read, handle, mayUseReplica }
}

/**
 * A mutation that writes everything in one statement, which is a transaction by itself, so none is opened around it: `db` is the pool
 * unless an Idempotency-Key requires a transaction. Saves the round trips of BEGIN and COMMIT. `read` as in `implementReading`.
 */
export function implementInOneStatement<C extends Call<'mutation', Access, TSchema, TSchema>, Row = undefined>(
  call: C,
  handle: Handle<C, Row | undefined>,
  read?: (input: Request<C>) => Reading<Row>,
): Handler<C> {
  return { call, opensNoTransaction: true, handle, ...(read ? { read } : {}) }
}

/**
 * A mutation that opens its own transactions, one after the other, because a single one would hold its locks too long. It must be able to resume
 * after an interruption. `db` is the pool.
 */
export function implementInSteps<C extends Call<'mutation', Access, TSchema, TSchema>>(call: C, handle: Handle<C, undefined>): Handler<C> {
  return { call, opensNoTransaction: true, handle }
}

/** A mutation that may rewrite any number of tickets in its transaction: its statements have 100 s instead of 6. */
export function implementLong<C extends Call<'mutation', Access, TSchema, TSchema>>(call: C, handle: Handle<C, undefined>): Handler<C> {
  return { call, takesLong: true, handle }
}

/** One handler for each call among a contract's exports. */
export type Handlers<Contract> = {
  [Name in keyof Contract as Contract[Name] extends Call ? Name : never]: Contract[Name] extends Call ? Handler<Contract[Name]> : never
}

import type { Access, Call, Request, Response } from '@tessera/contract/call'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import type { Db } from '../db/db.ts'
import type { Scope } from './authorize.ts'
import type { System } from './system.ts'

export interface Context<C extends Call> {
  /** The open transaction of a mutation, the pool for a query. */
  db: Db
  scope: Scope<C['access']>
  input: Request<C>
  /** Configuration, storage and the other things a process has one of. */
  system: System
  /** For the calls about cookies and files. */
  request: FastifyRequest
  reply: FastifyReply
}
export interface Handler<C extends Call = Call> {
  readonly call: C
  handle(context: Context<C>): Promise<Response<C>>
}

/** Binds a call to the code that answers it; the types of both ends come from the contract. */
export function implement<C extends Call<'query' | 'mutation', Access, TSchema, TSchema>>(
  call: C,
  handle: (context: Context<C>) => Promise<Response<C>>,
): Handler<C> {
  return { call, handle }
}

/** One answer for each call among a contract's exports. */
export type Handlers<Contract> = {
  [Name in keyof Contract as Contract[Name] extends Call ? Name : never]: Contract[Name] extends Call ? Handler<Contract[Name]> : never
}

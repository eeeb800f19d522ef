import type { Static, TSchema } from 'typebox'
import type { PermissionId } from './permissions.ts'

/**
 * What the server proves about the caller before a handler runs. Every proof starts at (user, organization of the session).
 * - `public`: nothing; the call works without a session
 * - `session`: a live session
 * - `organization`: the caller may see the organization named by `idOrganization`
 * - `project`: the caller may see the project named by `idProject` (permission *View tickets*)
 * - `ticket`: the caller may see the ticket named by `idTicket`
 * - `comment`: the caller may see the ticket of the comment named by `idComment`
 * - `link`: the caller may see one of the tickets that the link named by `idLink` joins; the one where they may do more is the call's ticket
 * - `preview`: the caller may see the project of the bulk change's preview named by `idPreview`
 * - `change-set`: the caller may see the project of the change set named by `idChangeSet`
 */
export type Access = 'public' | 'session' | 'organization' | 'project' | 'ticket' | 'link' | 'comment' | 'preview' | 'change-set'

/** A rank of the person, independent of any object; checked before any id is looked up. */
export type Rank = 'admin' | 'manager' | 'super'

/** What the request must have, so that the access can be proved. */
interface AccessKeys {
  public: unknown
  session: unknown
  organization: { idOrganization: number }
  project: { idProject: number }
  ticket: { idTicket: number }
  link: { idLink: number }
  comment: { idComment: number }
  preview: { idPreview: number }
  'change-set': { idChangeSet: number }
}

export interface Call<Kind extends 'query' | 'mutation' = 'query' | 'mutation', A extends Access = Access, Req = unknown, Res = unknown> {
  readonly kind: Kind
  readonly method: 'GET' | 'POST'
  /** `set-ticket-data`; a public one with its folder, `public/set-up`. */
  readonly name: string
  readonly path: string
  readonly access: A
  /** The permission type the project must grant, beyond *View tickets*. */
  readonly permission?: PermissionId
  /** `admin`: organization admin or super user. `manager`: those and the organization's managers. `super`: only super users. */
  readonly rank?: Rank
  /**
   * Changes who may do what: members, roles, permissions, administrators, people, organizations. Such calls of an organization run one after the
   * other, and each proves the caller's rights under the lock.
   */
  readonly changesRights?: true
  /** The answer to the same `Idempotency-Key` is repeated for 24 hours. */
  readonly idempotent?: true
  /**
   * Which open pages are told of the change and refetch: usually those of everybody who sees the project, with this only the caller's own, or none. The
   * handler tells everybody when it finds that others see the change too.
   */
  readonly tells?: 'nobody' | 'caller'
  /** Made by a page on its own, so it does not extend the session. The same goes for queries with the header `X-Background: 1`, which a page sends when it refetches on its own. */
  readonly passive?: true
  /** The maximum size of the body in bytes, where it cannot be derived from the schema. */
  readonly bodyLimit?: number
  /** Never set: it carries the types of the request and the response. Their schemas are in `shapes/`, for the server alone. */
  readonly types?: { request: Req; response: Res }
}
export type Request<C extends Call> = NonNullable<C['types']>['request']
export type Response<C extends Call> = NonNullable<C['types']>['response']

/** The request and response of a call, as the server checks them and the OpenAPI document describes them. */
export interface Shape<Req extends TSchema = TSchema, Res extends TSchema = TSchema> {
  /** What the call does, in a sentence. */
  summary: string
  request: Req
  response: Res
}

/** What the contract says of a call. */
type Facts<A extends Access> = Omit<Call<never, A>, 'kind' | 'method' | 'name' | 'path' | 'types'> & Partial<Pick<Call, 'method'>>
/** A call about an object names it in its request. */
type FactsOf<S extends Shape, A extends Access> = Static<S['request']> extends AccessKeys[A] ? Facts<A> : never

/** `get-ticket-list` → `/api/1/private/get-ticket-list.json.php`; an address that carries its own `.php` keeps it. */
function named(address: string) {
  const path = address.startsWith('public/') ? address : `private/${address}`
  return { name: address.replace(/\.php$/, ''), path: `/api/1/${path}${path.endsWith('.php') ? '' : '.json.php'}` }
}

/** A call that changes nothing. */
export function query<S extends Shape, A extends Access>(
  address: string,
  facts: FactsOf<S, A>,
): Call<'query', A, Static<S['request']>, Static<S['response']>> {
  return { kind: 'query', method: 'POST', ...named(address), ...facts }
}

/** A call that changes something, atomically: as a rule authorization and handler run in one transaction. */
export function mutation<S extends Shape, A extends Access>(
  address: string,
  facts: FactsOf<S, A>,
): Call<'mutation', A, Static<S['request']>, Static<S['response']>> {
  return { kind: 'mutation', method: 'POST', ...named(address), ...facts }
}

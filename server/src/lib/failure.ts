import { type ErrorCode, errorStatus } from '@tessera/contract/errors'
import { type PermissionId, permissionName } from '@tessera/contract/permissions'
import { needsPermission } from '@tessera/contract/refusals'

interface FailureDetail {
  /** The missing permission, by name. */
  needs?: string
  fields?: { path: string; message: string }[]
  /** The current values, in the answer to a conflict. */
  current?: Record<string, unknown>
  retryAfterSeconds?: number
}

/** An expected refusal: its code and words reach the client, a defect's message does not. */
export class Failure extends Error {
  override name = 'Failure'
  readonly code: ErrorCode
  readonly detail: FailureDetail
  constructor(code: ErrorCode, message: string, detail: FailureDetail = {}) {
    super(message)
    this.code = code
    this.detail = detail
  }
  get status() {
    return errorStatus[this.code]
  }
}

const notFoundMessage = 'Not found: it does not exist, or you may not see it'

/** The same answer for what does not exist and for what the caller may not see. */
export function notFound() {
  return new Failure('not_found', notFoundMessage)
}

/** The same for other things that a request names; `paths` say where. */
export function notFoundAt(paths: readonly string[]) {
  return new Failure('not_found', notFoundMessage, { fields: paths.map(path => ({ path, message: 'does not exist' })) })
}

export function notPermitted(permission: PermissionId) {
  return new Failure('not_permitted', needsPermission(permission), { needs: permissionName(permission) })
}

export function invalid(path: string, message: string) {
  return new Failure('invalid', `${path} ${message}`, { fields: [{ path, message }] })
}

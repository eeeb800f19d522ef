import { organizationAdmin } from '@tessera/contract/permissions'
import { Failure } from '../../lib/failure.ts'

/** A person's rank in one organization. */
export interface Standing {
  super: boolean
  manager: boolean
  admin: boolean
}

/** What others may change about a person: full and greeting name; login name and e-mail; the projects; membership and permissions in the organization. */
export type Part = 'names' | 'identity' | 'projects' | 'standing'
const everything: readonly Part[] = ['names', 'identity', 'projects', 'standing']

/** Who outranks whom, as in the table of docs/decisions/043. A person who can set somebody's e-mail can sign in as them. */
export function mayChange(actor: Standing, target: Standing, isSelf: boolean): readonly Part[] {
  if (actor.super) return everything
  if (target.super) return []
  if (actor.admin) return target.manager && !actor.manager ? [] : everything
  if (!actor.manager) return []
  return isSelf || target.admin || target.manager ? ['names'] : ['names', 'identity', 'projects']
}

/** Throws 422 unless the one may change that part of the other. */
export function requireMayChange(part: Part, actor: Standing & { userId: number }, target: Standing, idUser: number) {
  const parts = mayChange(actor, target, actor.userId === idUser)
  if (parts.includes(part)) return
  const ofOrganization = actor.admin ? 'Organization manager' : organizationAdmin
  const what = { names: '', identity: 'login name and e-mail', projects: 'projects', standing: 'organization permissions' }[part]
  const message =
    parts.length === 0 ? 'This person outranks you' : `You may not change ${actor.userId === idUser ? 'your own' : 'this person’s'} ${what}`
  throw new Failure('not_permitted', message, { needs: target.super ? 'Super user' : ofOrganization })
}

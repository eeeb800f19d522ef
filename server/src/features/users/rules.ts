import { Failure } from '../../lib/failure.ts'

/** What somebody is in one organization. */
export interface Standing {
  super: boolean
  manager: boolean
  admin: boolean
}

/** super > manager > admin > member. */
function rank({ super: isSuper, manager, admin }: Standing) {
  return isSuper ? 3 : manager ? 2 : admin ? 1 : 0
}

/** Throws 422 when the target outranks whoever acts. */
export function requireNotOutranked(actor: Standing, target: Standing) {
  if (rank(target) <= rank(actor)) return
  throw new Failure('not_permitted', 'This person outranks you', { needs: target.super ? 'Super user' : 'Organization manager' })
}

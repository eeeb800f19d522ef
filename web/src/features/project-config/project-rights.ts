import type { PermissionId } from '@tessera/contract/permissions'
import { needsPermission } from '@tessera/contract/refusals'

/** What the person may do on the edit page of a project. */
export interface ProjectRights {
  idProject: number
  /** The person's permissions, as sent by the server. */
  held: readonly number[]
  /** Why nobody may change anything: the project is archived. */
  frozen: string | undefined
}

export function isRefused({ held, frozen }: ProjectRights, needs: PermissionId) {
  return frozen !== undefined || !held.includes(needs)
}

/** Why the palette does not offer what needs a permission. */
export function refusalIn(rights: ProjectRights, needs: PermissionId) {
  return rights.frozen ?? (isRefused(rights, needs) ? needsPermission(needs) : undefined)
}

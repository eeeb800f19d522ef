import { mutation } from '../call.ts'
import { permission } from '../permissions.ts'
import type * as shapes from './shapes/project-set-up.ts'

/** Needs all of `setUpPermissions`. */
export const copyProjectSetUp = mutation<typeof shapes.copyProjectSetUp, 'project'>('copy-project-set-up', {
  access: 'project',
  permission: permission.manageProject,
  changesRights: true,
  idempotent: true,
})

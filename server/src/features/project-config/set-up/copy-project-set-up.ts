import { setUpPermissions } from '@tessera/contract/permissions'
import * as contract from '@tessera/contract/projects/project-set-up'
import type { Db } from '../../../db/db.ts'
import { implement } from '../../../http/implement.ts'
import { type ProjectScope, requirePermission, requireStillAllowed } from '../../../lib/authorize.ts'
import { recordChanges } from '../../../lib/changes.ts'
import { invalid } from '../../../lib/failure.ts'
import { lockLabels } from '../labels/queries.ts'
import { lockConfiguration } from '../ordered-rows.ts'
import { copyFields, copyLabels, copyRoles, copySettings, copyStates, copyTransitions } from './copied-rows.ts'
import { copyDefaults, copyTemplates } from './copied-templates.ts'
import { requireNoSetUp } from './existing-set-up.ts'

export const copyProjectSetUp = implement(contract.copyProjectSetUp, async ({ db, scope: asked, input: { idFrom } }) => {
  if (idFrom === asked.projectId) throw invalid('idFrom', 'is the project itself')
  // Before the locks too, so that a caller without the right never blocks others.
  await requireRights(db, asked, idFrom)
  const scope = await lockConfiguration(db, asked, idFrom)
  await requireRights(db, await lockLabels(db, scope), idFrom)
  const ownRoles = await requireNoSetUp(db, scope)

  const states = await copyStates(db, scope, idFrom)
  const transitions = await copyTransitions(db, scope, idFrom, states.copies)
  const fields = await copyFields(db, scope, idFrom)
  const labels = await copyLabels(db, scope, idFrom)
  const roles = await copyRoles(db, scope, idFrom, ownRoles)
  const templates = await copyTemplates(db, scope, idFrom, states.copies, fields.copies)
  const defaults = await copyDefaults(db, scope, idFrom, fields.rows, templates)
  const settings = await copySettings(db, scope, idFrom)
  const copied = [states, transitions, fields, labels, roles, templates]
  await recordChanges(db, scope, [...copied.flatMap(({ changes }) => changes), ...defaults, ...settings])
  return {
    Success: 1 as const,
    States: states.rows.length,
    Transitions: transitions.rows.length,
    Fields: fields.rows.length,
    Templates: templates.rows.length,
    Roles: roles.rows.length,
    Labels: labels.rows.length,
  }
})

/** What the single calls ask for in the project, and that the caller sees the other one. */
async function requireRights(db: Db, scope: ProjectScope, idFrom: number) {
  for (const each of setUpPermissions) requirePermission(scope, each)
  await requireStillAllowed(db, { ...scope, projectId: idFrom, needs: undefined })
}

import type { Db } from '../../../../db/db.ts'
import type { ProjectScope } from '../../../../lib/authorize.ts'
import { type Change, type ManyTickets, recordChanges, ticketChange } from '../../../../lib/changes.ts'
import { countTickets } from '../../counting/count-tickets.ts'
import { excludeNewChildren } from '../../moving/move-all.ts'
import { trashAll } from '../../trash/queries.ts'
import { type History, isMoved, type Planned } from '../plan.ts'
import { setWatching } from './set-watching.ts'
import { writeMany } from './write-many.ts'

/**
 * Carries a plan out on locked tickets, as one change set, which it returns; null when nothing changed. `reverts` is the change set that the plan
 * reverts, `extra` additional history for the same change set.
 */
export async function applyPlan(
  db: Db,
  scope: ProjectScope,
  planned: readonly Planned[],
  { reverts, ...many }: Pick<ManyTickets, 'what' | 'id'> & { reverts?: number },
  extra: Change[] = [],
) {
  const { projectId } = scope
  const isWatching = ({ field }: History) => field === 'Watch'
  const watching = planned.filter(({ history }) => history.some(isWatching))
  const alone = watching.filter(({ history }) => history.every(isWatching)).length
  const watched = watching.map(({ stored }) => ({ ticketId: stored.id, watched: stored.watched }))
  const watchedSet = watched.length === 0 ? null : await setWatching(db, scope, watched, { ...many, alone, reverts })
  const trashed = planned.filter(({ wanted }) => wanted.Trash === 1).map(({ stored }) => stored.id)
  const inTrash = trashed.length === 0 ? [] : await trashAll(db, scope, trashed)
  const saved = planned.filter(({ wanted, history }) => !wanted.Trash && !history.every(isWatching))
  if (saved.some(({ wanted }) => wanted.idParent != null)) await excludeNewChildren(db, scope)
  if (saved.length > 0) await save(db, scope, saved)
  const changes = saved.flatMap(({ stored, history }) =>
    history.flatMap(({ field, before, after }) =>
      field === 'Watch' ? [] : [ticketChange({ projectId, ticketId: stored.id }, field, before, after)],
    ),
  )
  const id = many.id ?? watchedSet
  return (await recordChanges(db, scope, [...changes, ...inTrash, ...extra], { ...many, id, projectId })) ?? watchedSet
}

async function save(db: Db, scope: ProjectScope, saved: readonly Planned[]) {
  await writeMany(db, scope, saved)
  await countTickets(
    db,
    scope,
    saved.map(planned => {
      const { stored, changes, wanted } = planned
      const before = { templateId: stored.template_id, stateId: stored.state_id, parentId: stored.parent_id }
      const parentId = isMoved(planned) ? (wanted.idParent ?? null) : before.parentId
      return {
        before,
        after: { templateId: changes.templateId ?? before.templateId, stateId: changes.stateId ?? before.stateId, parentId },
      }
    }),
  )
}

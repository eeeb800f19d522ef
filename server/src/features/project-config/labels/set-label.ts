import * as contract from '@tessera/contract/projects/labels'
import { sql } from 'kysely'
import { queryRows } from '../../../db/db.ts'
import { int8 } from '../../../db/shape.ts'
import { implement } from '../../../http/implement.ts'
import { changesOf, recordChanges } from '../../../lib/changes.ts'
import { Failure, invalid } from '../../../lib/failure.ts'
import { rewriteQueries } from '../../views/renamed-words.ts'
import { changeableLabels, labelChanges, lockLabels, requireFewerLabels, requireFreeLabel, requireScope } from './queries.ts'

export const setLabel = implement(contract.setLabel, async ({ db, scope: asked, input }) => {
  const color = input.Color?.toLowerCase()
  const scope = await lockLabels(db, asked)
  const { organizationId } = scope

  if (input.idLabel === undefined) {
    const { Label: name } = input
    if (name === undefined) throw invalid('Label', 'is required for a new label')
    const made = { projectId: input.Scope === 'organization' ? null : scope.projectId, name, color: color ?? contract.labelColor }
    requireScope(scope, made)
    await requireFreeLabel(db, scope, made.projectId, name, null)
    await requireFewerLabels(db, scope, made.projectId)
    const rows = await queryRows(db, { id: int8 })`
      insert into label (organization_id, project_id, name, color)
      values (${organizationId}, ${made.projectId}, ${name}, ${made.color}) returning id`
    const id = rows[0]?.id as number
    await recordChanges(db, scope, labelChanges({ id, ...made }, 'added'))
    return { Success: 1 as const, idLabel: id }
  }

  const [label] = await changeableLabels(db, scope, [input.idLabel])
  if (!label) throw new Error('changeableLabels answers every label it is asked for')
  if (input.Scope !== undefined && (input.Scope === 'organization') !== (label.projectId === null))
    throw new Failure('rule', 'The scope of a label cannot be changed: create a new label and replace this one with it')
  const after = { name: input.Label ?? label.name, color: color ?? label.color }
  const changes = changesOf(
    { subject: 'label', subjectId: label.id, ...(label.projectId !== null && { projectId: label.projectId }) },
    { Name: [label.name, after.name], Color: [label.color, after.color] },
  )
  if (changes.length === 0) return { Success: 1 as const, idLabel: label.id }
  const isOther = ({ Label = label.name, Color = label.color }: NonNullable<typeof input.Before>) =>
    Label !== label.name || Color.toLowerCase() !== label.color
  if (input.Before && isOther(input.Before))
    throw new Failure('conflict', 'Somebody else changed this label meanwhile', { current: { Label: label.name, Color: label.color } })
  await requireFreeLabel(db, scope, label.projectId, after.name, label.id)
  const isRenamed = after.name !== label.name
  // Waits for those who are giving this label to tickets: the search would keep its former name there.
  if (isRenamed) await sql`select 1 from label where organization_id = ${organizationId} and id = ${label.id} for update`.execute(db)
  await sql`
    update label set name = ${after.name}, color = ${after.color} where organization_id = ${organizationId} and id = ${label.id}`.execute(
    db,
  )
  if (isRenamed) await rewriteQueries(db, organizationId, { kind: 'label', from: [label], to: after.name })
  await recordChanges(db, scope, changes)
  return { Success: 1 as const, idLabel: label.id }
})

import * as contract from '@tessera/contract/projects/projects'
import { run, statement } from '../../db/db.ts'
import { text } from '../../db/shape.ts'
import { implement } from '../../http/implement.ts'
import { notFound } from '../../lib/failure.ts'

const property = statement({ pcode: text }, 'select short_code as pcode from project where organization_id = $1 and id = $2')

export const getProjectProperty = implement(contract.getProjectProperty, async ({ db, scope }) => {
  const [row] = await run(db, property, [scope.organizationId, scope.projectId])
  if (!row) throw notFound()
  return row
})

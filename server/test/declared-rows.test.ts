import { expect, inject, test } from 'vitest'
import { connect, run, statement } from '../src/db/db.ts'
import { int4, int8, nullable, text } from '../src/db/shape.ts'
import { checkDeclaredRows } from './declared-rows.ts'

test.each([
  ['another type', statement({ id: int8 }, 'select 1 as id'), 'id is of type 23, not 20'],
  ['another name', statement({ id: int4 }, 'select 1 as "Id"'), 'Id is not declared; id is not answered'],
  ['a column more', statement({ id: int4 }, 'select 1 as id, 2 as other'), 'other is not declared'],
  [
    'null',
    statement({ id: int4, name: text }, "select id, nullif(name, 'b') as name from (values (1, 'a'), (2, 'b')) as v (id, name)"),
    'name is null',
  ],
])('%s than the declared row fails the statement, in a transaction too', async (_name, wrong, problem) => {
  await using db = connect(inject('cluster'), { poolSize: 1 })
  checkDeclaredRows(db)
  const right = statement({ id: int4, name: nullable(text) }, 'select 1 as id, null::text as name')
  expect(await run(db, right, [])).toEqual([{ id: 1, name: null }])
  await expect(run(db, wrong, [])).rejects.toThrow(problem)
  await expect(db.transaction().execute(held => run(held, wrong, []))).rejects.toThrow(problem)
})

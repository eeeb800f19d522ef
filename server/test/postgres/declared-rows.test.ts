import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { connect } from '../../src/db/connections/connect.ts'
import { queryRows, run, statement } from '../../src/db/db.ts'
import { int4, int8, nullable, type Shape, text } from '../../src/db/shape.ts'
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

test('the same is true for SQL that is composed from parts', async () => {
  await using db = connect(inject('cluster'), { poolSize: 1 })
  checkDeclaredRows(db)
  const part = sql`where id < ${2}`
  const ask = (shape: Shape) => queryRows(db, shape)`select id, nullif(id, 1) as other from (values (1), (2)) as v (id) ${part}`
  expect(await ask({ id: int4, other: nullable(int4) })).toEqual([{ id: 1, other: null }])
  await expect(ask({ id: int4, other: int4 })).rejects.toThrow('other is null')
  await expect(ask({ id: int8, other: nullable(int4) })).rejects.toThrow('id is of type 23, not 20')
})

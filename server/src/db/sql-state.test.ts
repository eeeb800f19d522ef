import { expect, inject, test } from 'vitest'
import { connect } from './connections/connect.ts'
import { run, statement } from './db.ts'
import { int4 } from './shape.ts'
import { isBusyOrAway } from './sql-state.ts'

test.each(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN', 'EAI_AGAIN', '57P03', '53300'])(
  'a database that answers %s, or is not reached for it, is away and no defect',
  code => {
    expect(isBusyOrAway(Object.assign(new Error('connect'), { code }))).toBe(true)
  },
)

test('a job that outlasts the end of the pool fails as for a database that is away, which does not end the process', async () => {
  const db = connect(inject('cluster'), { poolSize: 1 })
  await db.destroy()
  const late = await run(db, statement({ one: int4 }, 'select 1 as one'), []).catch(error => error)
  expect(isBusyOrAway(late), late.message).toBe(true)
})

test('a cluster worker lost during a statement counts as unavailable; another internal error is a defect', () => {
  const internal = (message: string) => Object.assign(new Error(message), { code: 'XX000' })
  expect(isBusyOrAway(internal('failure on connection marked as essential: 10.0.0.2:5432'))).toBe(true)
  expect(isBusyOrAway(internal('SSL SYSCALL error: EOF detected'))).toBe(true)
  const reading = (message: string) => Object.assign(new Error(message), { code: '58030' })
  expect(isBusyOrAway(reading('failed to COPY to shard 0 on 10.0.0.2:5432'))).toBe(true)
  expect(isBusyOrAway(reading('could not read block 1 in file "base/5/1": Input/output error'))).toBe(false)
  expect(isBusyOrAway(internal('cache lookup failed for relation 1'))).toBe(false)
  expect(isBusyOrAway(internal('could not find valid entry for shard 102008'))).toBe(true)
  expect(isBusyOrAway(Object.assign(new Error('could not find the intermediate result file'), { code: 'CIINF' }))).toBe(true)
})

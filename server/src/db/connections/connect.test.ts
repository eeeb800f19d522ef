import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createDatabase, dropDatabase, runOn } from '../../../test/postgres/databases.ts'
import { tcpProxy } from '../../../test/torture/tools/tcp-proxy.ts'
import { type Db, run, type Statement, shortRead, statement, unprepared, unpreparedStatement } from '../db.ts'
import { bool, int4, text } from '../shape.ts'
import { isBusyOrAway, sqlState } from '../sql-state.ts'
import { connect, forLongTransaction, poolOf } from './connect.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

// Nine connections: three of them shared.
let db: Db
beforeAll(() => {
  db = connect(inject('cluster'), { poolSize: 9 })
})
afterAll(() => db.destroy())

const planned = { jit: text, cost: text }
const plannedSql = `select current_setting('jit') as jit, current_setting('random_page_cost') as cost`

test('statements are planned in one way on every server, whatever its settings are', async () => {
  const servers = inject('servers')
  const name = 'with_settings_of_its_own'
  await createDatabase(servers, name)
  await runOn(inject('cluster'), [`alter database ${name} set jit = on`, `alter database ${name} set random_page_cost = 4`])
  const own = connect({ ...inject('cluster'), database: name }, { poolSize: 9 })
  const free = connect({ ...inject('cluster'), database: name }, { poolSize: 1, noTimeLimits: true })
  try {
    for (const pool of [own, forLongTransaction(own), free])
      expect(await run(pool, statement(planned, plannedSql), [])).toEqual([{ jit: 'off', cost: '1.1' }])
    expect(await run(own, shortRead(planned, plannedSql), [])).toEqual([{ jit: 'off', cost: '1.1' }])
  } finally {
    await own.destroy()
    await free.destroy()
    await dropDatabase(servers, name)
  }
})

test('an unprepared statement uses up no name, however many texts it has', async () => {
  const db = connect(inject('cluster'), { poolSize: 1 })
  for (let number = 0; number < 1100; number++) await run(db, unpreparedStatement({ n: int4 }, `select ${number} as n`), [])
  await run(db, statement({ one: int4 }, 'select 1 as one'), [])
  const names = statement({ statement: text }, 'select statement from pg_prepared_statements order by length(statement)')
  expect((await run(db, names, [])).map(row => row.statement)).toEqual(['select 1 as one', names.text])
  await db.destroy()
})

const echo = shortRead({ value: text, process: int4 }, `select repeat($1::text, $2::int) as value, pg_backend_pid() as process`)
const slow = shortRead({ process: int4, slept: text }, 'select pg_backend_pid() as process, pg_sleep($1::float8)::text as slept')
const shares = shortRead({ share: int4 }, 'select 12 / $1::int as share')
const terminate = statement({ ended: bool }, 'select pg_terminate_backend(process, 5000) as ended from unnest($1::int[]) as process')
const sleeping = statement(
  { count: int4 },
  "select count(*)::int as count from pg_stat_activity where pid = any($1::int[]) and wait_event = 'PgSleep'",
)
const reads = (many: number, from = db) =>
  Array.from({ length: many }, (_, index) => run(from, echo, [`${index},`, 1 + ((index * 37) % 900)]))
const isWhole = (rows: { value: string }[], index: number) => rows[0]?.value === `${index},`.repeat(1 + ((index * 37) % 900))

test('the texts of unprepared statements are not kept', async () => {
  // Declared ones are kept by the tests themselves.
  const send = async (count: number) => {
    for (let number = 0; number < count; number++) await sql.raw(`${unprepared} select ${number} /* ${'x'.repeat(30_000)} */`).execute(db)
  }
  await send(10)
  collect()
  const before = process.memoryUsage().heapUsed
  await send(400)
  collect()
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(5_000_000)
})

test('many reads at once go over three connections, and each gets its own answer', async () => {
  await Promise.all(reads(3))
  for (let round = 0; round < 20; round++) {
    const answers = await Promise.all(reads(24))
    expect(answers.every(isWhole)).toBe(true)
    expect(new Set(answers.map(([row]) => row?.process)).size).toBeLessThanOrEqual(3)
  }
})

test('reads beyond the shared connections use a connection of the pool', async () => {
  await Promise.all(reads(3))
  const answers = await Promise.all(reads(200))
  expect(answers.every(isWhole)).toBe(true)
  expect(new Set(answers.map(([row]) => row?.process)).size).toBeGreaterThan(3)
})

test('a statement is stopped after six seconds, except in a long transaction', async () => {
  const sleeps = (from: Db) => from.transaction().execute(transaction => run(transaction, slow, [7]))
  const [usual, long] = await Promise.allSettled([sleeps(db), sleeps(forLongTransaction(db))])
  // By PostgreSQL, or half a second later by the driver, which may notice first on a busy machine.
  expect(usual.status === 'rejected' && sqlState(usual.reason)).toBeOneOf(['57014', '08006'])
  expect(long.status).toBe('fulfilled')
})

test('where PostgreSQL has no connection to spare, the open ones serve', async () => {
  await run(db, statement({}, 'create role narrow login connection limit 2'), [])
  const narrow = connect({ ...inject('cluster'), user: 'narrow' }, { poolSize: 9 })
  await run(narrow, statement({ one: int4 }, 'select 1 as one'), [])
  await run(narrow, echo, ['a', 1])
  for (let round = 0; round < 3; round++) expect((await Promise.all(reads(8, narrow))).every(isWhole)).toBe(true)
  await narrow.destroy()
  await run(db, statement({}, 'drop role narrow'), [])
})

test('a refused statement fails no other, even at its first use', async () => {
  const refused: string[] = []
  const counted = await Promise.all(
    Array.from({ length: 24 }, (_, index) =>
      run(db, shares, [index % 4]).then(
        ([row]) => row?.share,
        error => refused.push(sqlState(error) ?? String(error)) && undefined,
      ),
    ),
  )
  expect(refused).toEqual(Array(6).fill('22012'))
  expect(counted).toEqual(Array.from({ length: 24 }, (_, index) => [undefined, 12, 6, 4][index % 4]))

  const nowhere = shortRead({}, 'select 1 from nowhere_at_all')
  const states = await Promise.all(Array.from({ length: 12 }, () => run(db, nowhere, []).catch(sqlState)))
  // Those sent after the first, before it was refused, name a statement that was never prepared.
  expect(states[0]).toBe('42P01')
  expect(states.filter(state => state !== '42P01' && state !== '26000')).toEqual([])
  expect(await run(db, nowhere, []).catch(sqlState)).toBe('42P01')
  expect((await Promise.all(reads(24))).every(isWhole)).toBe(true)
})

test('a killed backend fails the statements in flight on it; later ones are answered', async () => {
  const other = connect(inject('cluster'), { poolSize: 1 })
  const kill = (processes: Set<number | undefined>) => run(other, terminate, [[...processes]])
  await Promise.all([1, 2, 3].map(() => run(db, slow, [0.01])))
  const processes = new Set((await Promise.all(reads(24))).map(([row]) => row?.process))
  const onTheirWay = Promise.allSettled([...Array(24)].map(() => run(db, slow, [5])))
  await expect.poll(() => run(other, sleeping, [[...processes]])).toEqual([{ count: processes.size }])
  await kill(processes)
  const answers = await onTheirWay
  expect(answers.filter(({ status }) => status === 'rejected')).toHaveLength(24)
  for (const answer of answers) if (answer.status === 'rejected') expect(isBusyOrAway(answer.reason)).toBe(true)
  const after = await Promise.all(reads(24))
  expect(after.every(isWhole)).toBe(true)
  for (const [row] of after) expect(processes).not.toContain(row?.process)

  // Also while nothing is in flight.
  const idle = new Set(after.map(([row]) => row?.process))
  await kill(idle)
  await sleep(100)
  expect((await Promise.all(reads(24))).every(isWhole)).toBe(true)
  await other.destroy()
})

test('a read behind a stuck one is refused within four seconds, and others continue', async () => {
  await Promise.all(reads(3))
  const began = performance.now()
  let isOver = false
  const stuck = Promise.allSettled([run(db, slow, [60]), run(db, slow, [60])]).finally(() => (isOver = true))
  const behind = Promise.allSettled(reads(6))
  await sleep(20)
  for (let round = 0; round < 10; round++) expect((await run(db, echo, ['a', 3]))[0]?.value).toBe('aaa')
  expect(isOver).toBe(false)
  const refused = (await stuck).filter(answer => answer.status === 'rejected')
  expect(refused.length).toBe(2)
  for (const { reason } of refused) expect(isBusyOrAway(reason)).toBe(true)
  for (const answer of await behind) if (answer.status === 'rejected') expect(isBusyOrAway(answer.reason)).toBe(true)
  // Four seconds, and what a busy machine adds; the statement would take a minute.
  expect(performance.now() - began).toBeLessThan(10_000)
  expect((await Promise.all(reads(24))).every(isWhole)).toBe(true)
})

test('in a network that goes silent every wait ends within ten seconds, and the connections are not used again', {
  tags: ['long'],
}, async () => {
  const cluster = inject('cluster')
  await using proxy = await tcpProxy(cluster)
  await using own = connect({ ...cluster, host: '127.0.0.1', port: proxy.port }, { poolSize: 3 })
  await Promise.all(reads(9, own))
  proxy.set('hole')
  const began = performance.now()
  const transaction = own.transaction().execute(async held => {
    await run(held, echo, ['a', 1])
    await run(held, echo, ['b', 1])
  })
  const refused = await Promise.allSettled([...reads(9, own), transaction])
  expect(performance.now() - began).toBeLessThan(10_000)
  for (const answer of refused) expect(answer.status === 'rejected' && isBusyOrAway(answer.reason)).toBe(true)
  proxy.set('pass')
  expect((await Promise.all(reads(24, own))).every(isWhole)).toBe(true)
})

test('closing waits for statements in flight', async () => {
  const own = connect(inject('cluster'), { poolSize: 3 })
  await Promise.all(reads(1, own))
  const answer = run(own, slow, [0.3])
  await sleep(100)
  await own.destroy()
  expect((await answer)[0]?.process).toBeGreaterThan(0)
  expect(poolOf(own).ended).toBe(true)
})

test('a value that cannot be sent fails its own statement, not the next one with the same text', async () => {
  const kinds = [
    shortRead({ value: text }, 'select $1::text as value'),
    statement({ value: text, other: text }, "select $1::text as value, 'other' as other"),
  ]
  await using own = connect(inject('cluster'), { poolSize: 3 })
  for (const kind of [...kinds, ...kinds]) {
    await expect(run(own, kind, ['no\u0000text'])).rejects.toThrow('invalid byte sequence')
    expect(await run(own, kind, ['a'])).toMatchObject([{ value: 'a' }])
    await expect(run(own, kind, [{ toJSON: () => 1n }])).rejects.toThrow('BigInt')
    expect(await run(own, kind, ['b'])).toMatchObject([{ value: 'b' }])
  }
})

test('in any mixture of answers, errors and broken connections each statement gets its own result', async () => {
  const cluster = inject('cluster')
  await using proxy = await tcpProxy(cluster)
  await using own = connect({ ...cluster, host: '127.0.0.1', port: proxy.port }, { poolSize: 9 })
  // Refused after it has answered rows when $1 is one of them.
  const rows = shortRead({ n: int4, share: int4 }, 'select n, 60 / ($1::int - n) as share from generate_series(1, 40) as n')
  const kinds: ((index: number) => { statement: Statement<object>; values: unknown[]; expected: unknown })[] = [
    index => ({ statement: echo, values: [`${index}`, 1 + (index % 90)], expected: `${index}`.repeat(1 + (index % 90)) }),
    index => ({ statement: shares, values: [index % 3], expected: ['22012', 12, 6][index % 3] }),
    index => ({ statement: rows, values: [index % 80], expected: index % 80 > 0 && index % 80 <= 40 ? '22012' : 1 }),
    index => ({
      statement: shortRead({ n: int4, kind: text }, `select $1::int as n, 'kind ${index >> 2}' as kind`),
      values: [index],
      expected: index,
    }),
    () => ({ statement: echo, values: ['no\u0000text', 1], expected: '22021' }),
    index => ({ statement: shortRead({}, `select 1 from nowhere_${index >> 2} where $1 = 1`), values: [1], expected: '42P01' }),
  ]
  let [answered, away] = [0, 0]
  const ask = async (index: number) => {
    const { statement, values, expected } = (kinds[index % kinds.length] as (typeof kinds)[number])(Math.floor(index / kinds.length))
    const answer = await run(own, statement, values).then(
      ([row = {}]) => Object.values(row)[0],
      error => (isBusyOrAway(error) ? 'away' : (sqlState(error) ?? (error as Error).name)),
    )
    if (answer === 'away') return away++
    answered++
    return expect([statement.text, values, answer]).toEqual([statement.text, values, expected])
  }
  for (let round = 0; round < 40; round++) {
    const asked = Array.from({ length: 5 + ((round * 7) % 36) }, (_, index) => ask(round * 41 + index))
    if (round % 4 === 0) {
      await sleep(round % 3)
      proxy.set('cut')
      proxy.set('pass')
    }
    await Promise.all(asked)
  }
  expect(away).toBeGreaterThan(0)
  expect(answered).toBeGreaterThan(away)
  expect((await Promise.all(reads(24, own))).every(isWhole)).toBe(true)
})

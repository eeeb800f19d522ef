import { spawn } from 'node:child_process'
import { existsSync, openSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  childPids,
  ended,
  initializedDirectory,
  isLinux,
  isRunning,
  parentPid,
  postmasterPid,
  query,
  refusal,
  startChild,
  started,
  temporaryDirectory,
  untilGone,
} from '../../../test/postgres/embedded.ts'
import { accountFor } from './account.ts'
import { startEmbedded } from './start-embedded.ts'

describe.runIf(isLinux)('after kill -9', () => {
  test('kill -9 of node alone: no PostgreSQL survives and no acknowledged commit is lost', async () => {
    const directory = initializedDirectory()
    const writer = await startChild(directory, { task: 'write' })
    const postmaster = postmasterPid(writer.started.dataDirectory)
    await writer.untilAcknowledged(200)
    await ended(writer.child, 'SIGKILL')
    const gone = await untilGone(postmaster, 3_000)
    const acknowledged = await writer.lastAcknowledged()
    const start = performance.now()
    const server = await started({ directory })
    console.info(`server gone ${gone} ms after kill -9 of node, next start ${Math.round(performance.now() - start)} ms`)
    await expectRows(server.connection, acknowledged)
  })

  test('the next start does not wait for the last server to be gone', async () => {
    const directory = initializedDirectory()
    const writer = await startChild(directory, { task: 'write' })
    await writer.untilAcknowledged(50)
    await ended(writer.child, 'SIGKILL')
    const { connection } = await started({ directory })
    await expectRows(connection, await writer.lastAcknowledged())
  })

  test('of node and its watchdog, the server left over is stopped and its directory taken over', { tags: ['long'] }, async () => {
    const directory = initializedDirectory()
    const { writer, postmaster } = await orphaned(directory)
    expect(isRunning(postmaster)).toBe(true)
    const server = await started({ directory })
    expect(server.tookOver).toBe(true)
    expect(postmasterPid(server.dataDirectory)).not.toBe(postmaster)
    await expectRows(server.connection, await writer.lastAcknowledged())
  })

  test('of node, watchdog and postmaster, the log is replayed', { tags: ['long'] }, async () => {
    const directory = initializedDirectory()
    const { writer, postmaster } = await orphaned(directory)
    process.kill(postmaster, 'SIGKILL')
    const server = await started({ directory })
    expect(server.tookOver).toBe(false)
    await expectRows(server.connection, await writer.lastAcknowledged())
  })

  test('a server left over that no longer listens to signals is killed', { tags: ['long'] }, async () => {
    const directory = initializedDirectory()
    const { writer, postmaster } = await orphaned(directory)
    process.kill(postmaster, 'SIGSTOP')
    const server = await started({ directory })
    expect(server.tookOver).toBe(true)
    await expectRows(server.connection, await writer.lastAcknowledged())
  })

  test('while the server is starting, it does not survive', { tags: ['long'] }, async () => {
    const directory = initializedDirectory()
    const { dataDirectory, stop } = await startEmbedded({ directory })
    await stop()
    const child = spawn(process.execPath, [path.join(import.meta.dirname, '../../../test/postgres/embedded-child.ts'), directory], {
      stdio: 'ignore',
    })
    const postmaster = await eventually(() => (existsSync(path.join(dataDirectory, 'postmaster.pid')) ? postmasterPid(dataDirectory) : 0))
    await ended(child, 'SIGKILL')
    await untilGone(postmaster, 5_000)
  })

  test('kill -9 during initdb leaves nothing half made', { tags: ['long'] }, async () => {
    const directory = temporaryDirectory()
    const child = spawn(process.execPath, [path.join(import.meta.dirname, '../../../test/postgres/embedded-child.ts'), directory], {
      stdio: 'ignore',
    })
    onTestFinished(() => ended(child, 'SIGKILL'))
    const isHalf = (name: string) => name.startsWith('postgres.new-')
    const half = await eventually(() => readdirSync(directory).find(isHalf))
    await eventually(() => existsSync(path.join(directory, half, 'base')))
    await ended(child, 'SIGKILL')
    expect(existsSync(path.join(directory, 'postgres'))).toBe(false)
    const server = await started({ directory })
    expect(readdirSync(directory).filter(isHalf)).toEqual([])
    expect(await query(server.connection, 'select 1 as one')).toEqual([{ one: 1 }])
  })
})

test.runIf(isLinux)('a watchdog that dies alone takes the server with it, and the process is told', async () => {
  const server = await started({ directory: initializedDirectory() })
  const postmaster = postmasterPid(server.dataDirectory)
  process.kill(parentPid(postmaster), 'SIGKILL')
  expect(await server.exited).toEqual({ expected: false, reason: 'SIGKILL' })
  await untilGone(postmaster, 1_000)
})

test('SIGTERM lets node stop the server and leave', async () => {
  const { child, started: first } = await startChild(initializedDirectory())
  const postmaster = postmasterPid(first.dataDirectory)
  await ended(child, 'SIGTERM')
  expect(child.exitCode).toBe(0)
  expect(isRunning(postmaster)).toBe(false)
})

test('another living process refuses the directory to this one', async () => {
  const directory = initializedDirectory()
  const { child, started: first } = await startChild(directory)
  expect(await refusal({ directory })).toContain(`is already in use by another Tessera (process ${child.pid})`)
  expect(await query(first.connection, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('a pid file was left behind and another program has its number now: that program lives on, and the server starts', async () => {
  const directory = initializedDirectory()
  const { dataDirectory, stop } = await startEmbedded({ directory })
  await stop()
  const stranger = spawn('sleep', ['60'], { ...accountFor(dataDirectory), cwd: '/', stdio: 'ignore' })
  onTestFinished(() => ended(stranger, 'SIGKILL'))
  for (const file of ['postmaster.pid', '.s.PGSQL.5432.lock']) {
    writeFileSync(
      path.join(dataDirectory, file),
      `${stranger.pid}\n${dataDirectory}\n1700000000\n5432\n${dataDirectory}\n\n  0  0\nready   \n`,
    )
  }
  const server = await started({ directory })
  expect(server.tookOver).toBe(false)
  expect(await query(server.connection, 'select 1 as one')).toEqual([{ one: 1 }])
  expect(stranger.exitCode ?? stranger.signalCode).toBeNull()
})

test.runIf(isLinux)('without the flock program, process ids tell who uses the directory', { tags: ['long'] }, async () => {
  const directory = initializedDirectory()
  const programs = temporaryDirectory()
  for (const name of ['sleep', 'rm']) symlinkSync(path.join('/bin', name), path.join(programs, name))
  const first = await startChild(directory, { task: 'write', env: { PATH: programs } })
  const second = await startChild(directory, { env: { PATH: programs } })
  expect(second.started.error).toContain(`is already in use by another Tessera (process ${first.child.pid})`)
  await first.untilAcknowledged(50)
  const postmaster = postmasterPid(first.started.dataDirectory)
  await ended(first.child, 'SIGKILL')
  await untilGone(postmaster, 3_000)
  const third = await startChild(directory, { env: { PATH: programs } })
  await expectRows(third.started.connection, await first.lastAcknowledged())
})

test.runIf(isLinux)('a server that only its lock betrays (another container) refuses the directory', { tags: ['long'] }, async () => {
  const directory = initializedDirectory()
  const { stop } = await startEmbedded({ directory })
  await stop()
  const lock = openSync(path.join(directory, 'postgres.lock'), 'a')
  const holder = spawn('sh', ['-c', 'flock 3; echo locked; exec sleep 60'], { stdio: ['ignore', 'pipe', 'ignore', lock] })
  onTestFinished(() => ended(holder, 'SIGKILL'))
  await new Promise(resolve => holder.stdout?.once('data', resolve))
  expect(await refusal({ directory })).toBe(
    `${path.join(directory, 'postgres')} is still in use by a PostgreSQL of another container or account: stop that one first.`,
  )
})

async function orphaned(directory: string) {
  const writer = await startChild(directory, { task: 'write' })
  const postmaster = postmasterPid(writer.started.dataDirectory)
  const watchdog = parentPid(postmaster)
  const reader = childPids(watchdog).filter(pid => pid !== postmaster)
  await writer.untilAcknowledged(100)
  // In this order: the reader would stop the server when node ends, and node would stop it when the watchdog ends
  for (const pid of reader) process.kill(pid, 'SIGKILL')
  await ended(writer.child, 'SIGKILL')
  process.kill(watchdog, 'SIGKILL')
  return { writer, postmaster }
}

async function expectRows(connection: Parameters<typeof query>[0], acknowledged: number) {
  expect(acknowledged).toBeGreaterThan(0)
  const [row] = await query(connection, `select count(*)::int as rows from acknowledged where number <= ${acknowledged}`)
  expect(row).toEqual({ rows: acknowledged })
}

const eventually = <T>(look: () => T) => vi.waitUntil(look, { timeout: 30_000, interval: 2 })

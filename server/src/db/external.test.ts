import { existsSync } from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { expect, test, vi } from 'vitest'
import { startTcpCluster } from '../../test/postgres/tcp-cluster.ts'
import { tessera } from '../../test/servers/command.ts'
import { startProcess, temporaryDirectory } from '../../test/servers/process.ts'

// Each test starts whole processes, on busy machines.
vi.setConfig({ testTimeout: 120_000 })

const external = [
  ['the bundled programs', undefined],
  ['PostgreSQL 15', '/usr/lib/postgresql/15/bin'],
] as const
for (const [name, folder] of external) {
  const isMissing = folder !== undefined && !existsSync(folder)
  test.skipIf(isMissing)(`DATABASE_URL leads to a server on TCP with a password: ${name}`, { tags: ['long'] }, async () => {
    using place = temporaryDirectory()
    await using cluster = await startTcpCluster(folder)
    const settings = {
      TESSERA_DATA: path.join(place.folder, 'data'),
      DATABASE_URL: cluster.url,
      TESSERA_STORAGE: `file://${place.folder}/attachments`,
    }
    {
      await using server = startProcess(settings)
      expect((await fetch(`${await server.ready()}/readyz`)).status).toBe(200)
    }
    expect(existsSync(settings.TESSERA_DATA)).toBe(false)

    const backup = await tessera(settings, 'backup')
    expect(backup).toMatchObject({ code: 0, output: expect.stringMatching(/Restored it and compared: \d+ tables/) })
    // What follows is the same on any version.
    if (folder !== undefined) return

    const refusals = [
      [cluster.url.replace('p%40ss', 'wrong'), /^DATABASE_URL: PostgreSQL at 127\.0\.0\.1:\d+ refuses the password of user "tessera"/],
      [cluster.url.replace(':p%40ss%2Fword', ''), /^DATABASE_URL: PostgreSQL at 127\.0\.0\.1:\d+ refuses the password of user "tessera"/],
      [`${cluster.url}?sslmode=verify-full`, /^DATABASE_URL: PostgreSQL at 127\.0\.0\.1:\d+ does not offer TLS: switch it on there/],
      [cluster.url.replace('/postgres', '/nowhere'), /^DATABASE_URL: the database "nowhere" does not exist/],
    ] as const
    for (const [url, line] of refusals) {
      const { code, output } = await tessera({ ...settings, DATABASE_URL: url }, 'migrate')
      expect(output.trim().split('\n')).toEqual([expect.stringMatching(line)])
      expect(code).toBe(1)
    }

    const client = new pg.Client({ connectionString: cluster.url })
    await client.connect()
    // A user who may create no databases has the backup verified by a bundled PostgreSQL.
    await client.query(`create role plain login password 'plain'`)
    await client.query('create database plain owner plain')
    const plain = {
      ...settings,
      DATABASE_URL: cluster.url.replace(/\/\/.*@/, '//plain:plain@').replace(/postgres$/, 'plain'),
      TESSERA_STORAGE: `file://${place.folder}/plain`,
    }
    expect(await tessera(plain, 'migrate')).toMatchObject({
      code: 0,
      output: expect.stringMatching(/^Applied \d+ migrations, 0001-schema\.sql to [\w-]+\.sql\.\n$/),
    })
    const proven = await tessera(plain, 'backup', '--to', path.join(place.folder, 'plain.tar.gz'))
    expect(proven).toMatchObject({ code: 0, output: expect.stringMatching(/Restored it and compared: \d+ tables/) })

    await client.query(`create role guest login password 'guest'; create role group_only password 'guest'`)
    await client.query('revoke create on schema public from public')
    await client.query('create database other')
    await client.query(`create database ascii encoding 'SQL_ASCII' locale 'C' template template0`)
    const other = cluster.url.replace(/postgres$/, 'other')
    const wrong = [
      [{ DATABASE_DIRECT_URL: other }, /^DATABASE_DIRECT_URL leads to another database than DATABASE_URL: correct one of them\.$/],
      [
        { DATABASE_URL: other.replace(/\/\/.*@/, '//guest:guest@') },
        /^The first table cannot be created \(permission denied for schema public\): give the database's user the right/,
      ],
      [
        { DATABASE_URL: other.replace(/\/\/.*@/, '//group_only:guest@') },
        /^DATABASE_URL: PostgreSQL at .* does not let user "group_only" in \(.*\): create this role with LOGIN, correct the name, or allow/,
      ],
      [
        { DATABASE_URL: cluster.url.replace(/postgres$/, 'ascii') },
        /^DATABASE_URL: the encoding of the database is SQL_ASCII: create one with createdb --encoding UTF8 --template template0/,
      ],
    ] as const
    // What only a start uses; the others a command refuses as well, in less time.
    const wrongToStart = [
      [
        { DATABASE_URL: other, TESSERA_BACKUP: '1', TESSERA_BACKUP_DIRECTORY: '/etc/passwd' },
        /^The folder for backups, \/etc\/passwd, cannot be used \(ENOTDIR\): correct TESSERA_BACKUP_DIRECTORY/,
      ],
      [
        { DATABASE_URL: other, DATABASE_REPLICA_URL: cluster.url },
        /^DATABASE_REPLICA_URL: .* is no standby: give the address of a replica of DATABASE_URL\.$/,
      ],
    ] as const
    const ends: [RegExp, { code: number | null; output: string }][] = []
    for (const [each, line] of wrong) ends.push([line, await tessera({ ...settings, ...each }, 'migrate')])
    for (const [each, line] of wrongToStart) ends.push([line, await startProcess({ ...settings, ...each }).finished])
    for (const [line, { code, output }] of ends) expect([code, output.trim().split('\n')]).toEqual([1, [expect.stringMatching(line)]])
    // They were refused before anything was changed.
    const empty = new pg.Client({ connectionString: other })
    await empty.connect()
    expect((await empty.query(`select 1 from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`)).rowCount).toBe(0)
    await empty.end()
    expect(await tessera({ ...settings, DATABASE_DIRECT_URL: cluster.url }, 'migrate')).toMatchObject({ code: 0 })

    // To a client without TLS, a pg_hba.conf that only lets TLS in looks like one without an entry.
    const { rows } = await client.query<{ file: string }>(`select current_setting('hba_file') as file`)
    await client.query(
      `copy (values ('hostssl all guest all scram-sha-256'), ('host all tessera all scram-sha-256')) to '${rows[0]?.file}'`,
    )
    await client.query('select pg_reload_conf()')
    await vi.waitFor(async () => {
      const { output } = await tessera({ ...settings, DATABASE_URL: other.replace(/\/\/.*@/, '//guest:guest@') }, 'migrate')
      expect(output).toMatch(/no encryption\): .* or, if it only lets TLS in, add sslmode=verify-full to the address\.\n$/)
    }, 20_000)

    await client.query(`insert into migration (name) values ('9999-of-tomorrow.sql')`)
    await client.end()
    const newer = await tessera(settings, 'migrate')
    expect(newer).toMatchObject({ code: 1 })
    expect(newer.output.trim()).toMatch(
      /^The database is newer than this program \(it has 9999-of-tomorrow\.sql\): start the newer program/,
    )
  })
}

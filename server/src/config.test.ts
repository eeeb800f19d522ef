import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readConfig, settingNotices } from './config.ts'
import { whereOf } from './db/external.ts'
import { requireUsableFirstUser } from './process/first-run.ts'

test('a setting that cannot work is refused by its name, and no secret is shown', () => {
  const refused = [
    ['TESSERA_STORAGE', 'https://KEY:GEHEIM@host/bucket', 'must be file:'],
    ['TESSERA_STORAGE', 'ftp://KEY:GEHEIM@host/bucket', 'must be file:'],
    ['TESSERA_STORAGE', 'file://GEHEIM', 'must be file:'],
    ['TESSERA_STORAGE', 'file:attachments', 'must be file:'],
    ['TESSERA_STORAGE', 's3://KEY:GEHEIM@host', 'lacks the host or the bucket'],
    ['TESSERA_STORAGE', 's3://host/bucket', 'lacks the key or the secret'],
    ['TESSERA_STORAGE', 's3://KEY:GE%HEIM@host/bucket', 'has a % that encodes nothing'],
    ['TESSERA_STORAGE', 's3://KEY:GEHEIM@host/bucket?regoin=eu', 'none of region, tls and style'],
    ['TESSERA_STORAGE', 's3://KEY:GEHEIM@host/bucket?tls=no', 'has a wrong value for tls'],
    ['PUBLIC_URL', 'https://host/tessera', 'more than an origin'],
    ['PUBLIC_URL', 'https://user:GEHEIM@host', 'more than an origin'],
    ['PUBLIC_URL', 'https://host?x=1', 'more than an origin'],
    ['PUBLIC_URL', 'https://host/#a', 'more than an origin'],
    ['DATABASE_DIRECT_URL', 'postgres://host/x', 'without DATABASE_URL'],
    ['DATABASE_REPLICA_URL', 'postgres://host/x', 'without DATABASE_URL'],
    ['DATABASE_POOL', '1', 'from 2 to 500'],
    ['DATABASE_URL', 'postgres://ann:GE%HEIM@host/x', 'has a % in the user or the password'],
    ['SMTP_URL', 'smtp://', 'names no host'],
    ['SMTP_URL', 'smtp://ann@host:587', 'has a user without a password'],
    ['SMTP_URL', 'smtp://ann:GE%HEIM@host', 'has a % in the user or the password'],
    ['TESSERA_MAIL_FROM', 'not an address', 'give an address'],
    ['TESSERA_MAIL_FROM', 'Tessera <tickets>', 'give an address'],
    ['TESSERA_MAIL_FROM', 'Ann <ann> <tickets@example.org>', 'give an address'],
    ['CLAMD_SOCKET', 'localhost:3310', 'give the absolute path of a socket'],
    ['UV_THREADPOOL_SIZE', 'many', 'give a whole number from 1 to 1024'],
    ['UV_THREADPOOL_SIZE', '0x10', 'give a whole number from 1 to 1024'],
    ['UV_THREADPOOL_SIZE', '0', 'give a whole number from 1 to 1024'],
    ['TESSERA_SESSION_IDLE_MINUTES', '0', 'from 1 to 10080'],
    ['TESSERA_SESSION_MAX_HOURS', '0', 'from 1 to 8760'],
    ['TESSERA_CAPTCHA_OPTIONS', '[]', 'is not a JSON object: give one'],
    ['TESSERA_METRICS_TOKEN', 'GEHEIMÄ', 'must be of ASCII letters'],
    ['TESSERA_BACKUP_HOUR', '24', 'from 0 to 23'],
    ['TESSERA_BACKUP_KEEP', '0', 'from 1 to 1000'],
    ['TESSERA_ATTACHMENT_TYPES', 'image/bogus', 'cannot be recognized'],
    ['TESSERA_ATTACHMENT_TYPES', 'jpeg', "is 'jpeg'"],
    ['TESSERA_ATTACHMENT_TYPES', ',', "is ','"],
    ['TESSERA_LANGUAGE', 'zz!<script>', "is 'zz!<script>'"],
    ['PORT', 'abc', "is 'abc'"],
    ['LOG_LEVEL', 'loud', "is 'loud': give one of silent, error"],
    ['TESSERA_BACKUP', 'no', "is 'no': give one of 0, 1"],
    ['DATABASE_URL', 'mysql://x', 'is not an address'],
    ['DATABASE_URL', 'postgres://x:1,y:2/x', 'names several hosts'],
  ] as const
  for (const [name, value, words] of refused) {
    const read = () => readConfig({ [name]: value })
    expect(read, value).toThrow(new RegExp(`^${name} .*${words}`))
    expect(read, value).not.toThrow(/GEHEIM|GE%HEIM/)
  }
})

test('a first super user whose login or password would not work is refused', () => {
  expect(() => readConfig({ TESSERA_ADMIN_LOGIN: 'root' })).toThrow(/^TESSERA_ADMIN_PASSWORD is missing/)
  expect(() => readConfig({ TESSERA_ADMIN_PASSWORD: 'correct horse' })).toThrow(/^TESSERA_ADMIN_LOGIN is missing/)
  expect(() => readConfig({ TESSERA_ADMIN_EMAIL: 'ann@example.org' })).toThrow(/^TESSERA_ADMIN_LOGIN is missing/)
  // A password may begin or end with blanks.
  expect(readConfig({ TESSERA_ADMIN_LOGIN: ' root ', TESSERA_ADMIN_PASSWORD: ' correct horse ' }).firstRun).toMatchObject({
    login: 'root',
    password: ' correct horse ',
  })
  const first = { login: 'root', password: 'correct horse', email: '', organization: 'Acme' }
  for (const [wrong, line] of [
    [{ password: 'x'.repeat(1025) }, /^TESSERA_ADMIN_PASSWORD may have at most 1024 bytes/],
    [{ password: 'short' }, /^TESSERA_ADMIN_PASSWORD needs at least 8 characters/],
    [{ login: 'two words' }, /^TESSERA_ADMIN_LOGIN must be 1 to 100 characters without blanks\.$/],
    [{ login: 'r\u043eot' }, /^TESSERA_ADMIN_LOGIN must not mix letters of different scripts/],
    [{ organization: 'Ward\u001b[31m' }, /^TESSERA_ORGANIZATION must be one line/],
  ] as const)
    expect(() => requireUsableFirstUser({ ...first, ...wrong }, readConfig({}))).toThrow(line)
})

test('unusual but valid settings are accepted', () => {
  const { publicUrl, storage, mailFrom } = readConfig({
    PUBLIC_URL: 'HTTPS://Tickets.example:443/',
    TESSERA_STORAGE: 'S3://KEY:SE%2FCRET@host:9000/bucket/prefix?region=eu&tls=0&style=virtual',
    TESSERA_MAIL_FROM: '"The tickets" <tickets@example.org>',
  })
  expect([publicUrl, storage.slice(0, 5), mailFrom]).toEqual(['https://tickets.example', 's3://', '"The tickets" <tickets@example.org>'])
})

test("a database's address may name a socket, as libpq takes it", () => {
  const addressOf = (DATABASE_URL: string) => readConfig({ DATABASE_URL }).databaseUrl ?? ''
  const folder = 'host=/run/postgresql'
  for (const address of [`postgres://ann@/x?${folder}`, `postgresql://ann:p%40ss@localhost/x?${folder}`, `postgres:///x?${folder}`]) {
    expect(new URL(addressOf(address)).pathname).toBe('/x')
    expect(whereOf(addressOf(address))).toBe('the socket /run/postgresql/.s.PGSQL.5432')
  }
  expect(whereOf(addressOf('postgres://ann@db.example/x?port=6432'))).toBe('db.example:6432')
})

test('a certificate of a database address that cannot be read is named with its variable', () => {
  const address = 'postgres://ann:GEHEIM@host/x'
  for (const name of ['DATABASE_URL', 'DATABASE_DIRECT_URL', 'DATABASE_REPLICA_URL'])
    for (const parameter of ['sslrootcert', 'sslcert', 'sslkey'])
      expect(() => readConfig({ DATABASE_URL: address, [name]: `${address}?${parameter}=/nope.pem` })).toThrow(
        new RegExp(`^${name}: the file /nope\\.pem cannot be read \\(ENOENT\\): correct the address, or let this user read it\\.$`),
      )
})

test('how a database address asks for TLS is known, or refused', () => {
  const addressOf = (query: string) => readConfig({ DATABASE_URL: `postgres://ann:GEHEIM@host/x${query}` }).databaseUrl ?? ''
  expect(new URL(addressOf('?sslmode=require&application_name=a')).searchParams.get('sslmode')).toBe('verify-full')
  for (const mode of ['disable', 'no-verify', 'verify-full']) expect(addressOf(`?sslmode=${mode}`)).toContain(`sslmode=${mode}`)
  expect(() => addressOf('?sslmode=sure')).toThrow(/^DATABASE_URL has sslmode=sure: give one of disable, no-verify, .*verify-full\.$/)
  expect(() => addressOf('?sslmod=verify-full')).toThrow(/^DATABASE_URL has the unknown parameter sslmod: give sslmode, .*\.$/)
})

test('how a mail address asks for TLS is known, or refused', () => {
  const addressOf = (query: string) => readConfig({ SMTP_URL: `smtp://ann:GEHEIM@host:587${query}` }).smtpUrl
  for (const query of ['?requireTLS=true', '?tls.servername=mail.example', '?name=tickets.example'])
    expect(addressOf(query)).toContain(query)
  for (const name of ['requireTls', 'requiretls', 'secure', 'sslmode'])
    expect(() => addressOf(`?${name}=true`)).toThrow(
      new RegExp(`^SMTP_URL has the unknown parameter ${name}: give requireTLS=true, or .*\\.$`),
    )
})

test('names the TESSERA_ variables that are no settings', () => {
  const known = { TESSERA_MAIL_FROM: 'ann@example.org', TESSERA_ORGANIZATION: 'Larkfield', TESSERA_CAPTCHA_OPTIONS: '{}' }
  const ofKubernetes = { TESSERA_SERVICE_HOST: '10.0.0.1', TESSERA_PORT: 'tcp://10.0.0.1:3000', TESSERA_PORT_3000_TCP_ADDR: '10.0.0.1' }
  expect(readConfig({ ...known, ...ofKubernetes }).unknownSettings).toEqual([])
  expect(readConfig({ ...known, TESSERA_WORKER: '4', TESSERA_BACKUP_DIR: '/x' }).unknownSettings).toEqual([
    'TESSERA_WORKER',
    'TESSERA_BACKUP_DIR',
  ])
})

test('https with TRUST_PROXY 0 gives a notice, because the server itself speaks no TLS', () => {
  const notices = (settings: Record<string, string>) => settingNotices(readConfig(settings))
  expect(notices({ PUBLIC_URL: 'https://tickets.example' })).toEqual([expect.stringContaining('set TRUST_PROXY=1')])
  expect(notices({ PUBLIC_URL: 'https://tickets.example', TRUST_PROXY: '1' })).toEqual([])
  expect(notices({ PUBLIC_URL: 'http://tickets.example' })).toEqual([])
})

test('keys of a captcha without its provider give a notice, and a provider without its keys is refused', () => {
  const keys = { TESSERA_CAPTCHA_SITE_KEY: 'key', TESSERA_CAPTCHA_SECRET: 'GEHEIM' }
  const [notice, ...others] = settingNotices(readConfig(keys))
  expect([notice, others]).toEqual([expect.stringMatching(/^TESSERA_CAPTCHA_SITE_KEY .*set TESSERA_CAPTCHA_PROVIDER/), []])
  expect(settingNotices(readConfig({ ...keys, TESSERA_CAPTCHA_PROVIDER: 'hcaptcha' }))).toEqual([])
  for (const missing of Object.keys(keys))
    expect(() => readConfig({ ...keys, [missing]: '', TESSERA_CAPTCHA_PROVIDER: 'hcaptcha' })).toThrow(
      /^TESSERA_CAPTCHA_PROVIDER is 'hcaptcha': it needs TESSERA_CAPTCHA_SITE_KEY and TESSERA_CAPTCHA_SECRET\.$/,
    )
})

test('memory for the bundled PostgreSQL gives a notice where there is another one', () => {
  const settings = { TESSERA_DATABASE_MEMORY: '64MB', DATABASE_URL: 'postgres://ann:GEHEIM@host/x' }
  expect(settingNotices(readConfig(settings))).toEqual([expect.stringMatching(/^TESSERA_DATABASE_MEMORY is without effect/)])
  for (const name of ['TESSERA_DATABASE_MEMORY', 'DATABASE_URL'] as const)
    expect(settingNotices(readConfig({ [name]: settings[name] }))).toEqual([])
})

test('statements are not prepared behind a PgBouncer, unless that is asked for', () => {
  const DATABASE_URL = 'postgres://ann@host/x'
  const isPrepared = (settings: Record<string, string>) => readConfig({ DATABASE_URL, ...settings }).databasePrepare
  expect([isPrepared({}), isPrepared({ DATABASE_DIRECT_URL: DATABASE_URL })]).toEqual([true, false])
  expect(isPrepared({ DATABASE_DIRECT_URL: DATABASE_URL, DATABASE_PREPARE: '1' })).toBe(true)
})

test('docs/operations.md lists each setting that is read, and no other', () => {
  const read = new Set<string>()
  readConfig(new Proxy({}, { get: (_, name) => void read.add(String(name)) }))
  // How it was started is no setting.
  read.delete('NODE_ENV')
  const [, settings = ''] = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8').split(/^## .*$/m)
  expect([...settings.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, names = '']) => names.replaceAll('`', '').split(', ')).sort()).toEqual(
    [...read].sort(),
  )
})

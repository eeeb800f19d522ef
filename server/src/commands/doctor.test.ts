import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { SMTPServer } from 'smtp-server'
import { expect, test } from 'vitest'
import { tessera } from '../../test/servers/command.ts'
import { startSmtp } from '../../test/servers/mail.ts'
import { addressOf, commandProcess, temporaryDirectory } from '../../test/servers/process.ts'
import { isInstalled } from '../../test/servers/proxies.ts'
import { startServer } from '../../test/servers/server.ts'

test('the doctor asks for PUBLIC_URL where others can reach the server, not on a loopback address', async () => {
  await using server = await startServer()
  const settings = { DATABASE_URL: addressOf(server), TESSERA_DATA: server.system.config.data }
  const addressLines = async (HOST: string) => (await tessera({ ...settings, HOST }, 'doctor')).output.match(/^\w+ +address .*$/gm)
  for (const host of ['127.0.0.1', 'localhost', '::1']) expect(await addressLines(host)).toEqual([expect.stringMatching(/^ok /)])
  for (const host of ['0.0.0.0', '::', '192.0.2.1'])
    expect(await addressLines(host)).toContainEqual(expect.stringMatching(/^look .* set PUBLIC_URL\.$/))
})

test('an old proof is a fault only where the nightly backup is on', async () => {
  await using server = await startServer()
  await server.sql`insert into backup_run (started_at, finished_at, proven_at)
    select moment, moment, moment from (select now() - interval '40 hours' as moment) as made`
  const settings = { DATABASE_URL: addressOf(server), TESSERA_DATA: server.system.config.data }
  const line = async (TESSERA_BACKUP: string) =>
    (await tessera({ ...settings, TESSERA_BACKUP }, 'doctor')).output.match(/^\w+ +backup +(.*)$/m)?.[0]
  expect(await line('1')).toMatch(/^bad .* the last proof is 40 h old: run tessera backup\.$/)
  expect(await line('0')).toMatch(/^look .* switched off \(TESSERA_BACKUP=0\), and the last proof is 40 h old: make sure/)
})

test('the doctor notices a mail server that may want a user where the settings name none', { tags: ['long'] }, async () => {
  await using server = await startServer()
  for (const secure of [false, true]) {
    const mail = new SMTPServer({
      secure,
      allowInsecureAuth: true,
      disabledCommands: ['STARTTLS'],
      onAuth: (_, __, done) => done(null, { user: 'ann' }),
    })
    mail.listen(0, '127.0.0.1')
    await once(mail.server, 'listening')
    const { port } = mail.server.address() as AddressInfo
    const protocol = secure ? 'smtps' : 'smtp'
    const line = async (user: string) => {
      const SMTP_URL = `${protocol}://${user}127.0.0.1:${port}?tls.rejectUnauthorized=false`
      const settings = { DATABASE_URL: addressOf(server), TESSERA_DATA: server.system.config.data, SMTP_URL }
      return (await tessera(settings, 'doctor')).output.match(/^\w+ +mail .*$/m)?.[0]
    }
    expect(await line('')).toMatch(new RegExp(`^look .* SMTP_URL names none.* SMTP_URL=${protocol}://user:password@127.0.0.1:${port}\\.$`))
    expect(await line('ann:pass@')).toMatch(/^ok /)
    await new Promise<void>(resolve => mail.close(resolve))
  }
})

test.skipIf(!isInstalled('openssl'))('the doctor tells how to trust the certificate of a mail server', { tags: ['long'] }, async () => {
  await using server = await startServer()
  using place = temporaryDirectory()
  const [keyFile, certificateFile] = [path.join(place.folder, 'key'), path.join(place.folder, 'certificate')]
  const request = ['req', '-x509', '-newkey', 'rsa:2048', '-noenc', '-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  spawnSync('openssl', [...request, '-keyout', keyFile, '-out', certificateFile])
  const mail = new SMTPServer({ secure: true, key: readFileSync(keyFile), cert: readFileSync(certificateFile), disabledCommands: ['AUTH'] })
  mail.on('error', () => {})
  mail.listen(0, '127.0.0.1')
  await once(mail.server, 'listening')
  const { port } = mail.server.address() as AddressInfo
  const settings = { DATABASE_URL: addressOf(server), TESSERA_DATA: server.system.config.data, SMTP_URL: `smtps://localhost:${port}` }
  const without = await commandProcess(settings, 'doctor')
  const trusting = await commandProcess({ ...settings, NODE_EXTRA_CA_CERTS: certificateFile }, 'doctor')
  await new Promise<void>(resolve => mail.close(resolve))
  await using plain = await startSmtp()
  const mistaken = await tessera({ ...settings, SMTP_URL: `smtps://localhost:${plain.port}` }, 'doctor')
  expect(mistaken.output).toContain(
    `localhost:${plain.port} cannot be used (no TLS is spoken on this port): start it, or correct SMTP_URL.\n`,
  )
  const advice = 'let NODE_EXTRA_CA_CERTS name the file of its authority, or correct SMTP_URL.'
  expect(without.output).toContain(`localhost:${port} cannot be used (self-signed certificate): ${advice}\n`)
  expect(trusting.output).toMatch(/^ok {4}mail +localhost/m)
})

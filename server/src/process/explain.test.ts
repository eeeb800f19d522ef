import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import { expect, inject, onTestFinished, test } from 'vitest'
import { readConfig } from '../config.ts'
import { Failure } from '../lib/failure.ts'
import { OperatorError } from '../operator-error.ts'
import { openStorage } from '../storage/open-storage.ts'
import { explain } from './explain.ts'

const errorOf = (failing: Promise<unknown>) =>
  failing.then(
    () => expect.fail('It should have failed'),
    (error: Error) => error,
  )

test('an error that the operator can fix is explained in one line, a defect with its stack trace', async () => {
  const away = new Failure('unavailable', 'The storage is away')
  away.cause = new Error('EROFS: read-only file system')
  const client = new pg.Client(inject('cluster'))
  client.on('error', () => {})
  await client.connect()
  await client.query('set role pg_monitor')
  const denied = await errorOf(client.query('select 1 from pg_authid'))
  await client.query('reset role')
  const killed = await errorOf(client.query('select pg_terminate_backend(pg_backend_pid())'))
  const later = await errorOf(client.query('select 1'))
  const defect = await errorOf(Promise.resolve().then(() => JSON.parse('{')))
  await client.end()

  expect(explain(new OperatorError('Stop it first.'))).toBe('Stop it first.')
  expect(explain(away)).toBe('The storage is away (EROFS: read-only file system)')
  expect(explain(denied)).toMatch(/^The database refuses its user something \(permission denied for table pg_authid\): [^\n]*$/)
  expect(explain(killed)).toMatch(
    /^The database went away or is too busy \((terminating connection|Connection terminated)[^\n]*\): [^\n]*$/,
  )
  expect(explain(later)).toMatch(/^The database went away or is too busy \((Client has encountered|Connection terminated)[^\n]*$/)
  expect(explain(await errorOf(readdir('/etc/passwd/x')))).toMatch(
    /^A file cannot be read or written \(ENOTDIR: [^\n]*'\/etc\/passwd\/x'\)[^\n]*$/,
  )
  expect(explain(defect)).toContain('\n    at ')
})

test('a bucket that refuses or does not answer is named as the storage, not as the database or a defect', async () => {
  const refusing = createServer((request, response) => {
    request.resume()
    response.writeHead(403, { 'content-type': 'application/xml' }).end('<Error><Code>AccessDenied</Code><Message>No list</Message></Error>')
  })
  await once(refusing.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void refusing.close())
  for (const [port, reason] of [
    [(refusing.address() as AddressInfo).port, 'No list'],
    [1, 'connect ECONNREFUSED 127.0.0.1:1'],
  ] as const) {
    const storage = openStorage(readConfig({ TESSERA_STORAGE: `s3://KEY:SECRET@127.0.0.1:${port}/attachments?tls=0` }))
    expect(explain(await errorOf(storage.holdsAnything()))).toMatch(
      new RegExp(`^The storage of attachments failed \\(${reason}\\): make sure [^\n]*$`),
    )
  }
})

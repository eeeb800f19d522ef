import { readdir } from 'node:fs/promises'
import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { Failure } from '../lib/failure.ts'
import { OperatorError } from '../operator-error.ts'
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
  const killed = await errorOf(client.query('select pg_terminate_backend(pg_backend_pid())'))
  const later = await errorOf(client.query('select 1'))
  const defect = await errorOf(Promise.resolve().then(() => JSON.parse('{')))
  await client.end()

  expect(explain(new OperatorError('Stop it first.'))).toBe('Stop it first.')
  expect(explain(away)).toBe('The storage is away (EROFS: read-only file system)')
  expect(explain(killed)).toMatch(
    /^The database went away or is too busy \((terminating connection|Connection terminated)[^\n]*\): [^\n]*$/,
  )
  expect(explain(later)).toMatch(/^The database went away or is too busy \((Client has encountered|Connection terminated)[^\n]*$/)
  expect(explain(await errorOf(readdir('/etc/passwd/x')))).toMatch(
    /^A file cannot be read or written \(ENOTDIR: [^\n]*'\/etc\/passwd\/x'\)[^\n]*$/,
  )
  expect(explain(defect)).toContain('\n    at ')
})

import pg from 'pg'
import { expect, inject, test } from 'vitest'

test('the run has a throw-away cluster that is never forced to disk', async () => {
  const client = new pg.Client(inject('cluster'))
  await client.connect()
  const { rows } = await client.query(`select current_setting('fsync') as fsync, current_setting('listen_addresses') as addresses`)
  await client.end()
  expect(rows).toEqual([{ fsync: 'off', addresses: '' }])
})

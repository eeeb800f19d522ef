import { expect, test } from 'vitest'
import { startServer } from '../../../test/servers/server.ts'
import type { Mail } from '../../mail/mail.ts'
import { addJobs, type JobPayloads } from './job-queue.ts'

test('of jobs with the same key the first one counts, also when they are so large that several statements add them', async () => {
  await using server = await startServer()
  const mailOf = (to: string, characters = 0): JobPayloads['send-mail'] => {
    const mail: Mail = { id: to, to, subject: 'Loud', text: 'x'.repeat(characters), html: '' }
    return { mail, attempt: 1 }
  }
  await addJobs(server.db, 'send-mail', [
    ['mail:one', mailOf('first', 16_000_000)],
    ['mail:two', mailOf('other')],
    ['mail:one', mailOf('second')],
  ])
  const rows = await server.sql<{ to: string }>`select payload -> 'mail' ->> 'to' as to from graphile_worker._private_jobs order by id`
  expect(rows.map(({ to }) => to)).toEqual(['first', 'other'])
})

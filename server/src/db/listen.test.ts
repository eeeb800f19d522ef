import path from 'node:path'
import { expect, inject, test } from 'vitest'
import { temporaryDirectory } from '../../test/postgres/embedded.ts'
import { connect } from './connections/connect.ts'
import { listen } from './listen.ts'

test('a certificate that is missing for a moment is reported, and listening is tried again', async () => {
  const file = path.join(temporaryDirectory(), 'authority.pem')
  const { host, port, user } = inject('cluster')
  const parameters = new URLSearchParams({ host: String(host), sslmode: 'verify-full', sslrootcert: file })
  const db = connect({ connectionString: `postgres://${user}@localhost:${port}/postgres?${parameters}` })
  const broken: unknown[] = []
  const listening = listen(db, 'x', { onMessage: () => {}, onResume: () => {}, onBroken: error => void broken.push(error) })
  await expect.poll(() => broken.slice(0, 2)).toMatchObject([{ code: 'ENOENT' }, { code: 'ENOENT' }])
  await listening.close()
  await db.destroy()
})

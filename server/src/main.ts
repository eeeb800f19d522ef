import { buildApp } from './app.ts'
import { readConfig } from './config.ts'
import { migrate } from './db/migrate.ts'
import { openDatabase } from './db/open-database.ts'

const config = readConfig()
const { db, close } = await openDatabase(config)
await migrate(db)
const { secret } = await db.selectFrom('installation').select('secret').executeTakeFirstOrThrow()
const app = await buildApp({ config, db, secret })
await app.listen({ port: config.port, host: config.host })
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, async () => {
    await app.close()
    await db.destroy()
    await close()
    process.exit(0)
  })
}

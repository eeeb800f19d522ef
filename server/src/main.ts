import { buildApp } from './app.ts'
import { readConfig } from './config.ts'
import { migrate } from './db/migrate.ts'
import { openDatabase } from './db/open-database.ts'
import { createSystem } from './lib/system.ts'

const config = readConfig()
const { db, close } = await openDatabase(config)
await migrate(db)
const system = await createSystem(config, db)
const app = await buildApp(system)
await app.listen({ port: config.port, host: config.host })
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, async () => {
    await app.close()
    await db.destroy()
    await close()
    process.exit(0)
  })
}

import { buildApp } from '../../src/app.ts'
import { connect, poolOf } from '../../src/db/connections/connect.ts'
import { closeSystem, createSystem, type System } from '../../src/process/system.ts'
import { recordStatements } from './record-statements.ts'

/** The application of a server once more, on a connection of its own, which records its statements between `start()` and `stop()`. */
export async function recordedApplication({ config, db: itsDb }: System) {
  const db = connect(poolOf(itsDb).options, { poolSize: 1 })
  const recorder = recordStatements(db)
  const system = await createSystem(config, db)
  const app = await buildApp(system)
  return {
    app,
    recorder,
    async [Symbol.asyncDispose]() {
      await app.close()
      await closeSystem(system)
      await db.destroy()
    },
  }
}

/** A node process that tests may kill: migrates the database of its first argument with the migrations of its second. */
import { connect } from '../../../src/db/connections/connect.ts'
import { migrate } from '../../../src/db/schema/migrate.ts'

const [connection = '', folder = ''] = process.argv.slice(2)
const db = connect(JSON.parse(connection), { poolSize: 1, noTimeLimits: true })
console.log('begins')
await migrate(db, { folder: new URL(folder) })
await db.destroy()

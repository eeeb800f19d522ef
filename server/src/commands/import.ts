import { limits } from '@tessera/contract/limits'
import { isOneLine } from '@tessera/contract/names'
import { sql } from 'kysely'
import { type Db, queryRows } from '../db/db.ts'
import { int8 } from '../db/shape.ts'
import { planImport } from '../import/export/plan.ts'
import { outcome, rehearsal } from '../import/report.ts'
import { importExport } from '../import/write.ts'
import { beginning } from '../lib/excerpt.ts'
import { OperatorError, UsageError } from '../operator-error.ts'
import { parseArguments } from '../process/arguments.ts'
import { chosenOrganizations, noOrganization, onDatabase } from '../process/command.ts'
import { requireOwnStorage } from '../storage/belonging.ts'
import { openStorage } from '../storage/open-storage.ts'

export const help = `tessera import <export.csv[.gz]> --project CODE [--organization ID] [--title TITLE] [--as LOGIN]
               [--field "Column"]… [--only-field "Column"]… [--dry-run]

Reads Jira's CSV export ("all fields"), also as a spreadsheet saved it, with semicolons or tabs between the cells. Issue types become templates,
statuses become states, Parent id, Parent key and Epic Link become parents, people of the organization are found by their login, others are created
without a sign-in. The project is created if the organization has none with this short code. Of several files, import those with the parents first.
Labels and links are included; links to issues of another export are created by a later run of either. Jira's wiki markup becomes Markdown. If
anything fails, nothing is imported; a second run adds what is missing and changes nothing else.

  --project CODE       short code of the project
  --organization ID    needed when there is more than one organization
  --title TITLE        of a new project (default: the project's name in the export)
  --as LOGIN           who imports: becomes a member of the project (default: the organization's only administrator)
  --field "Column"     import this column as a field too; Description always is one, and so are Priority, Component/s,
                       Fix Version/s, Resolution, Due Date and Environment (in Jira Cloud: Components, Fix versions, Due date)
                       if any issue has them
  --only-field "Column"  import these columns as fields instead
  --dry-run            does all of it, lists every problem by row and column, names the columns left out, and rolls it back`

/** Imports a project's tickets from Jira's CSV export. */
export async function run(argv: string[]) {
  const { values, positionals } = parseArguments({
    args: argv,
    allowPositionals: true,
    options: {
      project: { type: 'string' },
      organization: { type: 'string' },
      title: { type: 'string' },
      as: { type: 'string' },
      field: { type: 'string', multiple: true },
      'only-field': { type: 'string', multiple: true },
      'dry-run': { type: 'boolean' },
    },
  })
  const [file] = positionals
  if (positionals.length !== 1 || !file) throw new UsageError('Give one file: tessera import export.csv --project CODE.')
  const shortCode = values.project
  if (!shortCode) throw new UsageError('--project is missing: give the short code of a project, such as --project ALOY.')
  if (!/^[A-Za-z0-9_]{1,16}$/.test(shortCode)) {
    throw new UsageError(`--project ${shortCode}: a short code has 1 to 16 letters, digits or _.`)
  }
  if (!isOneLine(values.title?.trim() ?? '')) throw new UsageError('--title must be one line, without control characters.')

  const plan = await planImport(file, { also: values.field ?? [], ...(values['only-field'] && { only: values['only-field'] }) })
  const isDry = values['dry-run'] === true
  return onDatabase(async ({ db, config }) => {
    const [organization] = await chosenOrganizations(db, values.organization === undefined ? [] : [values.organization])
    if (!organization) throw noOrganization()
    const organizationId = organization.id
    const importerId = await importer(db, organizationId, values.as)
    const title = beginning(values.title?.trim() || plan.projectName || shortCode, limits.name)
    const target = { organizationId, shortCode, title, ...(importerId !== undefined && { importerId }) }
    const storage = openStorage(config)
    await requireOwnStorage(db, storage)
    const bar = progressBar(plan.rows)
    const began = performance.now()
    const imported = await importExport(db, {
      storage,
      file,
      plan,
      target,
      isDry,
      progress: rows => bar.update(rows),
    }).finally(() => bar.stop())
    // Otherwise PostgreSQL plans the first minute's searches as if the tables were still empty.
    if (!isDry) await sql`analyze`.execute(db)
    const seconds = (performance.now() - began) / 1000
    for (const line of isDry ? rehearsal(plan, imported) : outcome(plan, imported, shortCode, seconds)) console.log(line)
    return 0
  })
}

/** The member of the organization with this login; without a login its administrator, if there is only one. */
async function importer(db: Db, organizationId: number, login: string | undefined) {
  const rows = await queryRows(db, { id: int8 })`
    select u.id from organization_member m join user_account u on u.id = m.user_id and not u.disabled
    where m.organization_id = ${organizationId} and case when ${login ?? null}::text is null then m.admin else lower(u.login) = lower(${login ?? null}) end
    limit 2`
  if (login !== undefined && !rows[0]) throw new OperatorError(`--as ${login}: the organization has no member with this login.`)
  return rows.length === 1 ? rows[0]?.id : undefined
}

/** A progress bar on a terminal, nothing in a pipe. */
function progressBar(total: number) {
  const width = 40
  const began = performance.now()
  const write = (text: string) => process.stderr.isTTY && process.stderr.write(`\r\x1b[K${text}`)
  return {
    update(rows: number) {
      const done = Math.round((rows / Math.max(total, 1)) * width)
      const rate = Math.round((1000 * rows) / Math.max(performance.now() - began, 1))
      write(`${'█'.repeat(done)}${'░'.repeat(width - done)} ${rows}/${total} rows, ${rate} rows/s`)
    },
    stop: () => write(''),
  }
}

import { statfs } from 'node:fs/promises'
import { makeBackupDirectory } from '../backup/run-backup.ts'
import { settingNotices } from '../config.ts'
import { connectionFault } from '../connection-fault.ts'
import { counted } from '../counted.ts'
import { type Db, queryRows } from '../db/db.ts'
import { whereOf } from '../db/external.ts'
import { problemOfSchema } from '../db/schema/migrate.ts'
import { bool, float8, int4, int8, nullable, text, timestamptz } from '../db/shape.ts'
import { recount, repairCounters } from '../features/tickets/counting/recount.ts'
import { jobCounts } from '../lib/background/job-queue.ts'
import { version } from '../lib/version.ts'
import { verifyMailServer } from '../mail/mailer.ts'
import { parseArguments } from '../process/arguments.ts'
import { type CommandContext, onDatabase } from '../process/command.ts'
import { isSetUpNeeded } from '../process/first-run.ts'
import { awayAdvice, belongingOf } from '../storage/belonging.ts'
import { areTooMany, cleanUpStorage, inspectStorage, lastCleanUp } from '../storage/clean-up.ts'
import { leastFreeSpace } from '../storage/files.ts'
import { openStorage } from '../storage/open-storage.ts'
import { newStorageKey, type Storage } from '../storage/storage.ts'
import { pingScanner } from '../upload/virus-scan.ts'

export const help = `tessera doctor [--mend]
    Checks versions, settings, mail server, virus scanner, database, clock, disk, attachments, counters and backups. Each line that is not "ok" says what to do.
    --mend  corrects the counters, and moves files that belong to no ticket to the storage's bin
    Ends with code 1 when something is to fix; not when there are only things to check.`

type Verdict = 'ok' | 'look' | 'bad'
interface Finding {
  what: string
  verdict: Verdict
  detail: string
}
const ok = (what: string, detail: string): Finding => ({ what, verdict: 'ok', detail })
const look = (what: string, detail: string): Finding => ({ what, verdict: 'look', detail })
const bad = (what: string, detail: string): Finding => ({ what, verdict: 'bad', detail })

export async function run(argv: string[]) {
  const { values } = parseArguments({
    args: argv,
    options: { mend: { type: 'boolean', default: false } },
  })
  return onDatabase(
    async context => {
      const findings: Finding[] = []
      for (const check of [program, settings, database]) findings.push(...(await check(context)))
      const problem = await problemOfSchema(context.db)
      if (problem === undefined) {
        findings.push(ok('schema', 'up to date'))
        for (const check of [people, disk, attachments, counters, jobs, backups]) findings.push(...(await check(context, values.mend)))
      } else findings.push(bad('schema', `${problem} The rest was not checked.`))
      for (const { what, verdict, detail } of findings) console.log(`${verdict.padEnd(4)}  ${what.padEnd(12)} ${detail}`)
      const wrong = findings.filter(({ verdict }) => verdict === 'bad').length
      const odd = findings.filter(({ verdict }) => verdict === 'look').length
      console.log(wrong + odd === 0 ? 'Everything is as it should be.' : `${wrong} to fix, ${odd} to check.`)
      return wrong === 0 ? 0 : 1
    },
    { schema: 'any' },
  )
}

async function program(): Promise<Finding[]> {
  return [ok('program', `Tessera ${version} on Node.js ${process.versions.node}, ${process.platform} ${process.arch}`)]
}

async function settings({ config }: CommandContext): Promise<Finding[]> {
  const { hostname, protocol } = new URL(config.publicUrl)
  const isLocal = /^(localhost|127\.|\[::1\])/.test(hostname)
  const findings = [
    isLocal || protocol === 'https:'
      ? ok('address', config.publicUrl)
      : look('address', `${config.publicUrl}: passwords are sent unencrypted; put https in front and set PUBLIC_URL.`),
  ]
  if (isLocal && !/^(localhost$|127\.|::1$)/.test(config.host))
    findings.push(look('address', `HOST is ${config.host} and PUBLIC_URL is local: links in mails will lead nowhere; set PUBLIC_URL.`))
  findings.push(...settingNotices(config).map(notice => look('settings', notice)))
  if (config.smtpUrl === undefined) findings.push(look('mail', `mails are files in ${config.data}/mail: set SMTP_URL to send them.`))
  else findings.push(await mailServer(config, new URL(config.smtpUrl)))
  const { clamdSocket } = config
  if (clamdSocket) findings.push(await checkServer('scanner', clamdSocket, 'CLAMD_SOCKET', () => pingScanner(clamdSocket)))
  return findings
}

async function mailServer(config: CommandContext['config'], { protocol, host }: URL): Promise<Finding> {
  let wantsUser = false
  const finding = await checkServer('mail', host, 'SMTP_URL', async () => {
    ;({ wantsUser } = await verifyMailServer(config))
  })
  if (!wantsUser) return finding
  return look(
    'mail',
    `${host} lets users sign in, and SMTP_URL names none: if it refuses mails, set SMTP_URL=${protocol}//user:password@${host}.`,
  )
}

/** Whether this other server works for us. */
async function checkServer(what: string, where: string, setting: string, ask: () => Promise<unknown>): Promise<Finding> {
  try {
    await ask()
    return ok(what, where)
  } catch (error) {
    const reason = connectionFault((error as Error).message)
    const advice = /self-signed|issuer|first certificate/.test(reason)
      ? 'let NODE_EXTRA_CA_CERTS name the file of its authority'
      : 'start it'
    return bad(what, `${where} cannot be used (${reason}): ${advice}, or correct ${setting}.`)
  }
}

async function database({ db, config, running }: CommandContext): Promise<Finding[]> {
  const rows = await queryRows(db, {
    version: text,
    off: nullable(text),
    seconds: float8,
    checksums: int4,
    invalid: nullable(text),
    bytes: int8,
  })`
    select current_setting('server_version') as version,
      (select string_agg(name, ', ') from pg_settings where name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting = 'off') as off,
      extract(epoch from clock_timestamp())::float8 as seconds,
      coalesce((select sum(checksum_failures)::int from pg_stat_database), 0) as checksums,
      (select string_agg(indexrelid::regclass::text, ', ') from pg_index where not indisvalid) as invalid,
      pg_database_size(current_database()) as bytes`
  const now = Date.now() / 1000
  const [state] = rows
  if (!state) return [bad('database', 'it answers nothing')]
  const where = config.databaseUrl === undefined ? `bundled, in ${config.data}${running ? ', running' : ''}` : whereOf(config.databaseUrl)
  const skew = Math.abs(now - state.seconds)
  return [
    ok('database', `PostgreSQL ${state.version}, ${where}, ${megabytes(state.bytes)}`),
    state.off === null
      ? ok('durability', 'a commit is on the disk when it is acknowledged')
      : bad('durability', `${state.off} is off: a crash loses saves that were acknowledged; switch it on.`),
    state.checksums === 0
      ? ok('disk pages', 'no checksum has failed')
      : bad('disk pages', `${state.checksums} checksums have failed: the disk damages data; restore a backup on another one.`),
    ...(state.invalid === null ? [] : [bad('indexes', `${state.invalid}: reindex them.`)]),
    skew < 5
      ? ok('clock', 'agrees with the database')
      : look('clock', `differs from the database by ${skew.toFixed(0)} s: set the time by NTP.`),
  ]
}

async function people({ db }: CommandContext): Promise<Finding[]> {
  if (await isSetUpNeeded(db))
    return [look('people', 'nobody can administer this yet: start the server and open the set-up address it prints.')]
  const rows = await queryRows(db, { people: int4, organizations: int4 })`
    select (select count(*)::int from user_account) as people, (select count(*)::int from organization) as organizations`
  const organizations = rows[0]?.organizations ?? 0
  if (organizations === 0)
    return [look('people', 'there is no organization, so nobody can sign in: tessera user create LOGIN --super creates one.')]
  return [ok('people', `${counted(rows[0]?.people ?? 0, 'account')} in ${counted(organizations, 'organization')}`)]
}

async function disk({ config }: CommandContext): Promise<Finding[]> {
  const space = await statfs(config.data).catch(() => null)
  if (!space) return [ok('disk', 'no data directory yet')]
  const [free, total] = [space.bavail * space.bsize, space.blocks * space.bsize]
  const least = leastFreeSpace(total)
  const words = `${megabytes(free)} free of ${megabytes(total)} at ${config.data}`
  return [free > least ? ok('disk', words) : bad('disk', `${words}: attachments are refused below ${megabytes(least)}; make room.`)]
}

async function attachments({ db, config }: CommandContext, mend?: boolean): Promise<Finding[]> {
  const storage = openStorage(config)
  const belonging = await belongingOf(db, storage).catch((error: Error) => error)
  if (belonging instanceof Error) return [bad('attachments', `${awayAdvice(belonging.message)}.`)]
  if (belonging.state !== 'own') return [bad('attachments', `${belonging.advice}.`)]
  const unwritable = await probe(storage, config.storage)
  if (unwritable) return [unwritable]
  return compareFiles(db, storage, belonging.id, mend).catch(error => [
    bad('attachments', `cannot be read (${reasonOf(error)}): fix that, then try again.`),
  ])
}

async function compareFiles(db: Db, storage: Storage, id: string | null, mend?: boolean): Promise<Finding[]> {
  const before = await inspectStorage(db, storage)
  const mended = mend ? await cleanUpStorage(db, storage) : null
  const last = await lastCleanUp(db)
  const findings = [
    ok('attachments', counted(before.files, 'file')),
    ok('storage', `${id}, named by this database; ${last ? `last clean-up ${last.at}, ${last.bin} in the bin` : 'no clean-up yet'}`),
  ]
  const { missing, lost } = mended ?? before
  if (missing > 0) {
    const names = lost.slice(0, 5).map(({ name, storageKey }) => `${name} (${storageKey})`)
    findings.push(bad('attachments', `${missing} have lost their files: ${names.join(', ')}; copy these from a backup.`))
  }
  if (mended && mended.putBack > 0) findings.push(ok('attachments', `took ${counted(mended.putBack, 'file')} back from the bin`))
  if (before.orphans > 0) findings.push(orphansFinding(before, mended))
  return findings
}

/** About files that belong to no attachment. */
function orphansFinding(before: Awaited<ReturnType<typeof inspectStorage>>, mended: { moved: number } | null): Finding {
  const { orphans } = before
  if (areTooMany(before))
    return bad(
      'attachments',
      `${orphans} of ${before.files} files belong to no attachment, too many to be moved by themselves: if this is the newest state of the database, run tessera storage clean-up --all.`,
    )
  if (mended) return ok('attachments', `moved ${counted(mended.moved, 'file')} without a ticket to the bin`)
  return look(
    'attachments',
    `${counted(orphans, 'file')} without a ticket: the server moves ${orphans === 1 ? 'it' : 'them'} to the bin within the hour.`,
  )
}

/** What keeps files from being stored, if anything. */
async function probe(storage: Storage, address: string): Promise<Finding | undefined> {
  try {
    const { bytes, total, least } = await storage.free()
    if (bytes < least)
      return bad(
        'storage',
        `${megabytes(bytes)} free of ${megabytes(total)}: attachments are refused below ${megabytes(least)}; make room.`,
      )
    const incoming = await storage.receive()
    try {
      await incoming.write(Buffer.from('written by tessera doctor'))
      // A bucket gets the bytes only now, and its key may lack the right to write or to delete.
      if (address.startsWith('s3:')) {
        const key = newStorageKey(1)
        await incoming.keep(key)
        const refusal = await storage.remove(key).then(() => undefined, reasonOf)
        if (refusal !== undefined)
          return bad('storage', `keeps deleted files (${refusal}): give its key the right to delete objects; uploads are not affected.`)
      }
    } finally {
      await incoming.discard()
    }
  } catch (error) {
    return bad('storage', `cannot be written to (${reasonOf(error)}): uploads fail; mount it for writing, or correct TESSERA_STORAGE.`)
  }
  return undefined
}

/** A Failure of the storage says to try again; its cause says why. */
function reasonOf(error: unknown) {
  const { cause, message } = error as Error
  return cause instanceof Error ? cause.message : message
}

async function counters({ db }: CommandContext, mend?: boolean): Promise<Finding[]> {
  const organizations = await db.selectFrom('organization').select(['id', 'title']).orderBy('id').execute()
  const findings: Finding[] = []
  for (const { id, title } of organizations) {
    const { subordinates, tally, roots } = await recount(db, id)
    const wrong = subordinates.length + tally.length + roots.length
    if (wrong === 0) continue
    if (mend) await db.transaction().execute(transaction => repairCounters(transaction, id))
    findings.push(
      mend
        ? ok('counters', `corrected ${wrong} of "${title}"`)
        : bad('counters', `${wrong} of "${title}" are wrong: run tessera doctor --mend, and please report it.`),
    )
  }
  return findings.length > 0 ? findings : [ok('counters', `recounted ${counted(organizations.length, 'organization')}`)]
}

async function jobs({ db }: CommandContext): Promise<Finding[]> {
  const counts = await jobCounts(db)
  const failed = counts.filter(job => job.failed > 0)
  if (failed.length > 0)
    return [look('jobs', `given up: ${failed.map(job => `${job.failed} × ${job.name}`).join(', ')}; the log of the server says why.`)]
  return [ok('jobs', `${counts.reduce((sum, job) => sum + job.waiting, 0)} waiting`)]
}

async function backups({ db, config }: CommandContext): Promise<Finding[]> {
  const fault = config.backup.enabled ? await makeBackupDirectory(config).catch((error: Error) => error.message) : undefined
  if (fault !== undefined) return [bad('backup', fault)]
  const last = await lastBackups(db)
  if (last.error !== null) return [bad('backup', `the last one failed: ${last.error}`)]
  if (last.warning !== null) return [bad('backup', `the last one is not complete: ${last.warning}`)]
  if (!config.backup.enabled && last.proven === null)
    return [look('backup', 'switched off (TESSERA_BACKUP=0): make sure that other backups are made.')]
  if (last.proven === null && last.youngInstallation) return [ok('backup', 'the first one is made tonight; tessera backup makes one now')]
  if (last.proven === null) return [bad('backup', 'none was ever proven by a restore: run tessera backup.')]
  const hours = Math.round((Date.now() - last.proven.getTime()) / 3_600_000)
  if (hours <= 26) return [ok('backup', `proven by a restore ${hours} h ago`)]
  if (!config.backup.enabled)
    return [look('backup', `switched off (TESSERA_BACKUP=0), and the last proof is ${hours} h old: make sure that other backups are made.`)]
  return [bad('backup', `the last proof is ${hours} h old: run tessera backup.`)]
}

async function lastBackups(db: Db) {
  const [row] = await queryRows(db, { proven: nullable(timestamptz), error: nullable(text), warning: nullable(text), young: bool })`
    select (select max(proven_at) from backup_run) as proven, last.error, last.warning, installation.created_at > now() - interval '26 hours' as young
    from installation left join lateral (
      select error, warning from backup_run where finished_at is not null or error is not null order by id desc limit 1) last on true`
  return { proven: row?.proven ?? null, error: row?.error ?? null, warning: row?.warning ?? null, youngInstallation: row?.young ?? false }
}

function megabytes(bytes: number) {
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(0)} MB` : `${(bytes / 1e9).toFixed(1)} GB`
}

import { spawn, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { buildApp } from '@tessera/server/app'
import { readConfig } from '@tessera/server/config'
import { connect } from '@tessera/server/db/connections/connect'
import type { Connection } from '@tessera/server/db/embedded/connection'
import { closeSystem, createSystem } from '@tessera/server/process/system'
import { recordStatements, type Sent } from '@tessera/server/test/statements/record-statements'
import type { Dataset } from './data.ts'
import type { Draw, Scenario } from './scenarios.ts'

/** The statements of one real call, in their order. The ids in them are `chosen`, so that a replay can put others in their place. */
export async function capture(
  connection: Connection,
  data: string,
  dataset: Dataset,
  scenario: Scenario,
  headers: Record<string, string>,
): Promise<{ sent: Sent[]; chosen: Draw }> {
  const { first, last, parents, people } = dataset
  const chosen: Draw = {
    ticket: first + Math.floor((last - first) * 0.6),
    parent: first + parents.step * Math.floor(parents.count * 0.6),
    person: Math.floor((people.first + people.last) / 2),
    serial: Date.now(),
  }
  // A root ticket, because the replayed text has a null parent.
  chosen.ticket -= (chosen.ticket - first) % 100
  if (parents.count === 1) chosen.parent = first + parents.step
  const db = connect(connection, { poolSize: 1 })
  const recorder = recordStatements(db)
  let sent: Sent[] = []
  const system = await createSystem(readConfig({ TESSERA_DATA: data, LOG_LEVEL: 'silent' }), db)
  const app = await buildApp(system)
  try {
    for (const attempt of [1, 2]) {
      // The first call updates what is written once a minute; the second is typical.
      recorder.start()
      const input = scenario.input(dataset, { ...chosen, serial: chosen.serial + attempt })
      const answer = await app.inject({ method: 'POST', url: scenario.call.path, headers, payload: JSON.stringify(input) })
      sent = recorder.stop()
      if (answer.statusCode !== 200) throw new Error(`${scenario.name}: ${answer.statusCode} ${answer.body}`)
    }
  } finally {
    await app.close()
    closeSystem(system)
    await db.destroy()
  }
  return { sent, chosen }
}

export function hasPgbench() {
  return spawnSync('pgbench', ['--version']).status === 0
}

/** New connections first fill their caches and map the shared buffers. */
const warmUpSeconds = 2

/**
 * Transactions a second of PostgreSQL alone: statements prepared once per connection, parameters random like those of the load. Undefined if
 * a statement reached its time limit.
 */
export async function ceiling(
  connection: Connection,
  folder: string,
  dataset: Dataset,
  { sent, chosen }: { sent: readonly Sent[]; chosen: Draw },
  { connections, seconds, isShortRead }: { connections: number; seconds: number; isShortRead: boolean },
) {
  const file = path.join(folder, `replay-${process.pid}.sql`)
  writeFileSync(file, script(dataset, sent, chosen))
  const child = spawn(
    'pgbench',
    [
      '-n',
      '-M',
      'simple',
      '-c',
      String(connections),
      '-j',
      String(Math.min(2, connections)),
      '-T',
      String(warmUpSeconds + seconds),
      '-P',
      '1',
      '-D',
      'ready=0',
      '-f',
      file,
    ],
    {
      env: {
        ...process.env,
        PGHOST: connection.host,
        PGPORT: String(connection.port),
        PGUSER: connection.user,
        PGDATABASE: connection.database,
        PGOPTIONS: `-c plan_cache_mode=${isShortRead ? 'force_generic_plan' : 'auto'}`,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  const ended = new Promise<number | null>(resolve => child.on('close', resolve))
  const [output, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  if (errors.includes('canceling statement due to statement timeout')) return undefined
  const rates = [...errors.matchAll(/^progress: [\d.]+ s, ([\d.]+) tps/gm)].map(([, rate]) => Number(rate)).slice(warmUpSeconds)
  if (code !== 0 || rates.length === 0) throw new Error(`pgbench: ${errors}${output}`)
  return rates.reduce((sum, rate) => sum + rate, 0) / rates.length
}

const isPreparable = /^\s*(\/\*.*?\*\/\s*)?(select|with|insert|update|delete)/i

function script({ first, last, parents, people }: Dataset, sent: readonly Sent[], chosen: Draw) {
  const draws = [
    `\\set ticket ${first} + 100 * random(0, ${Math.max(0, Math.floor((last - first) / 100) - 1)})`,
    `\\set parent ${first} + ${parents.step} * ${parents.count === 1 ? 1 : `random(0, ${parents.count - 1})`}`,
    `\\set person random(${people.first}, ${people.last})`,
  ]
  const prepared = sent.flatMap(({ text: statement }, index) =>
    isPreparable.test(statement) ? [`prepare s${index} as ${statement};`] : [],
  )
  const reads = new Set<string>()
  const executed = sent.map(({ text: statement, values }, index) => {
    if (!isPreparable.test(statement)) return `${statement};`
    const parameters = values.map(value => literal(value, chosen, /insert into session/.test(statement)))
    // A save names the version that the statement before it has read.
    if (index > 0 && /and version = \$5/.test(statement) && reads.has('version')) parameters[4] = ':read_version'
    if (index > 0 && /and state_id = \$6/.test(statement) && reads.has('state_id')) parameters[5] = ':read_state_id'
    const isRead = /select t\.version, t\.title/.test(statement)
    if (isRead) for (const name of ['version', 'state_id']) reads.add(name)
    return `execute s${index}${parameters.length > 0 ? `(${parameters.join(', ')})` : ''}${isRead ? ' \\gset read_' : ';'}`
  })
  return [...draws, '\\if :ready = 0', ...prepared, '\\set ready 1', '\\endif', ...executed, ''].map(line => `${line}\n`).join('')
}

function literal(value: unknown, { ticket, parent, person }: Draw, isFresh: boolean): string {
  if (value === null || value === undefined) return 'null'
  if (value === ticket) return ':ticket'
  if (value === parent) return ':parent'
  if (value === person) return ':person'
  if (value === `bench-${person}`) return "'bench-:person'"
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (Buffer.isBuffer(value)) return isFresh ? 'sha256(random()::text::bytea)' : `'\\x${value.toString('hex')}'`
  const quoted = (content: string) => `'${content.replaceAll("'", "''")}'`
  if (!Array.isArray(value)) return quoted(String(value))
  return quoted(`{${value.map(item => (item === null ? 'null' : `"${String(item).replaceAll(/["\\]/g, '\\$&')}"`)).join()}}`)
}

import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { poolOf } from '../../src/db/connections/connect.ts'
import { roomiestParent } from '../postgres/database-cluster.ts'
import type { TestServer } from './server.ts'

const source = (name: string) => fileURLToPath(new URL(`../../src/${name}`, import.meta.url))

/** A directory for a bundled PostgreSQL of its own, which another account may enter. */
export function temporaryDirectory() {
  const folder = mkdtempSync(path.join(roomiestParent(), 'tessera-process-'))
  chmodSync(folder, 0o711)
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) }
}

export type Environment = Record<string, string | undefined>

/** The environment of a process with these settings and no others. */
export function environment(settings: Environment): NodeJS.ProcessEnv {
  const {
    DATABASE_URL: _url,
    PORT: _port,
    VITEST: _vitest,
    NODE_ENV: _env,
    TESSERA_TEST_DATABASE: _database,
    TESSERA_TEST_CITUS: _citus,
    ...own
  } = process.env
  return { ...own, ...settings } as NodeJS.ProcessEnv
}

export interface Finished {
  code: number | null
  signal: NodeJS.Signals | null
  output: string
}

/** The product as the operator starts it, on a free port. */
export function startProcess(
  settings: Environment,
  args: string[] = [],
  command: readonly [string, ...string[]] = [process.execPath, source('main.ts')],
) {
  const [program, ...first] = command
  const child = spawn(program, [...first, ...args], {
    env: environment({ PORT: '0', TESSERA_BACKUP: '0', ...settings }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const run = { child, output: '', finished: finish(child, text => (run.output += text)) }
  return Object.assign(run, {
    /** Resolves with the address when it is ready; rejects with its output when it exits instead. */
    ready: async () => {
      for (;;) {
        const address = /Tessera is ready at (\S+)/.exec(run.output)?.[1]
        if (address) return address.replace('localhost', '127.0.0.1')
        const ended = await Promise.race([run.finished, new Promise<null>(resolve => setTimeout(resolve, 20, null))])
        if (ended) throw new Error(`ended with ${ended.code}: ${ended.output}`)
      }
    },
    [Symbol.asyncDispose]: async () => {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
      await run.finished
    },
  })
}

/** The operator's command as a process of its own, run to its end. */
export function commandProcess(settings: Environment, ...args: string[]): Promise<Finished> {
  const child = spawn(process.execPath, [source('cli.ts'), ...args], { env: environment(settings), stdio: ['ignore', 'pipe', 'pipe'] })
  return finish(child)
}

function finish(child: ChildProcess, on: (text: string) => void = () => {}) {
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text
      on(text)
    })
  }
  return new Promise<Finished>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => resolve({ code, signal, output }))
  })
}

/** The database of a test server as an address for DATABASE_URL. */
export function addressOf({ db }: TestServer) {
  const { user, database, host, port } = poolOf(db).options
  return `postgres://${user}@localhost/${database}?host=${encodeURIComponent(String(host))}&port=${port}`
}

import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { accountFor, giveTo } from '../../src/db/embedded/account.ts'
import { binariesFor } from '../../src/db/embedded/binaries.ts'
import { freePort } from '../../src/db/embedded/process/free-port.ts'
import { eventually } from '../servers/mail.ts'
import { roomiestParent } from './database-cluster.ts'

interface TcpCluster extends AsyncDisposable {
  url: string
  /** Starts a streaming standby of it. */
  replicate(): Promise<{ url: string } & AsyncDisposable>
}

/** A PostgreSQL as an operator has one: on TCP, with a password. From the bundled programs, or from those of the folder given. */
export async function startTcpCluster(folder?: string): Promise<TcpCluster> {
  const directory = mkdtempSync(path.join(roomiestParent(), 'tessera-tcp-'))
  chmodSync(directory, 0o711)
  const data = path.join(directory, 'data')
  const account = accountFor(data)
  const bundled = folder === undefined ? binariesFor(account, directory) : undefined
  const programs = bundled ?? { initdb: path.join(folder ?? '', 'initdb'), postgres: path.join(folder ?? '', 'postgres') }
  mkdirSync(data, { mode: 0o700 })
  giveTo(account, data)
  const passwordFile = path.join(directory, 'password')
  writeFileSync(passwordFile, 'p@ss/word')
  chmodSync(passwordFile, 0o644)
  const options = ['-D', data, '-U', 'tessera', '-E', 'UTF8', '--locale=C', '--auth=scram-sha-256', `--pwfile=${passwordFile}`, '--no-sync']
  const environment = { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' }
  const made = spawnSync(programs.initdb, options, { ...account, cwd: '/', env: environment, encoding: 'utf8' })
  if (made.status !== 0) throw new Error(made.stderr)

  async function serve(place: string) {
    const port = await freePort()
    const settings = {
      listen_addresses: '127.0.0.1',
      port: String(port),
      unix_socket_directories: '',
      fsync: 'off',
      shared_buffers: '16MB',
    }
    const server = spawn(
      programs.postgres,
      ['-D', place, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
      {
        ...account,
        cwd: '/',
        stdio: 'ignore',
        env: environment,
      },
    )
    const ended = new Promise(resolve => server.once('exit', resolve))
    const url = `postgres://tessera:${encodeURIComponent('p@ss/word')}@127.0.0.1:${port}/postgres`
    await eventually(() => connectOnce(url))
    return {
      url,
      async stop() {
        server.kill('SIGQUIT')
        await ended
      },
    }
  }

  const primary = await serve(data)
  return {
    url: primary.url,
    async replicate() {
      const copy = path.join(directory, 'replica')
      const client = new pg.Client({ connectionString: primary.url })
      await client.connect()
      await client.query(`select pg_backup_start('replica', true)`)
      const copied = spawnSync('cp', ['-a', data, copy], { encoding: 'utf8' })
      if (copied.status !== 0) throw new Error(copied.stderr)
      const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)')
      await client.end()
      rmSync(path.join(copy, 'postmaster.pid'))
      const { hostname, port, username, password } = new URL(primary.url)
      const source = `host=${hostname} port=${port} user=${username} password=${decodeURIComponent(password)}`
      for (const [name, text] of [
        ['standby.signal', ''],
        ['backup_label', rows[0]?.labelfile ?? ''],
        ['postgresql.auto.conf', `primary_conninfo = '${source}'\n`],
      ] as const) {
        writeFileSync(path.join(copy, name), text)
        giveTo(account, path.join(copy, name))
      }
      const standby = await serve(copy)
      return { url: standby.url, [Symbol.asyncDispose]: standby.stop }
    },
    async [Symbol.asyncDispose]() {
      await primary.stop()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** Throws if no database answers there. */
export async function connectOnce(url: string) {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  await client.end()
}

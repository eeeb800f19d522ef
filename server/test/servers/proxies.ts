import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { accountFor } from '../../src/db/embedded/account.ts'
import { freePort } from '../../src/db/embedded/process/free-port.ts'
import { connectOnce } from '../postgres/tcp-cluster.ts'
import { eventually } from './mail.ts'

/** Whether the program is installed; Debian's packages have its name. */
export function isInstalled(program: keyof typeof asksVersion) {
  return spawnSync(program, [asksVersion[program]]).status === 0
}
const asksVersion = { haproxy: '-v', openssl: 'version', pgbouncer: '--version' }

const scaling = new URL('../../../docs/scaling.md', import.meta.url)

/** HAProxy as docs/scaling.md configures it: distributes requests to the nodes round robin, and skips a node that is not ready. */
export async function startHaproxy(nodes: string[]) {
  const port = await freePort()
  const servers = nodes.map((node, index) => `  server node${index} ${new URL(node).host} check inter 200ms fall 1 rise 1`)
  const [, documented = ''] = /```haproxy\n(.*?)```/s.exec(readFileSync(scaling, 'utf8')) ?? []
  const ours = documented.replace(/^ +bind .*$/m, `  bind 127.0.0.1:${port}`).replace(/^ +server .*\n/gm, '')
  const folder = write('haproxy.cfg', `${ours}${servers.join('\n')}\n`)
  const child = spawn('haproxy', ['-db', '-f', path.join(folder, 'haproxy.cfg')], { stdio: 'ignore' })
  const url = `http://127.0.0.1:${port}`
  await eventually(async () => {
    const { ok, status } = await fetch(`${url}/readyz`)
    if (!ok) throw new Error(`haproxy answers ${status}`)
  })
  return { url, [Symbol.asyncDispose]: () => end(child, folder) }
}

/** Shares a few database connections among many clients, per transaction. */
export async function startPgbouncer(database: string) {
  const { hostname, port: target, username, password, pathname } = new URL(database)
  const name = pathname.slice(1)
  const port = await freePort()
  const folder = write(
    'pgbouncer.ini',
    `
[databases]
${name} = host=${hostname} port=${target} user=${username} password='${decodeURIComponent(password)}' dbname=${name}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 4
`,
  )
  const child = spawn('pgbouncer', [path.join(folder, 'pgbouncer.ini')], { stdio: 'ignore', ...accountFor(path.join(folder, 'none')) })
  const url = `postgres://${username}@127.0.0.1:${port}/${name}`
  await eventually(() => connectOnce(url))
  return { url, [Symbol.asyncDispose]: () => end(child, folder) }
}

function write(name: string, text: string) {
  const folder = mkdtempSync(path.join(tmpdir(), 'tessera-proxy-'))
  chmodSync(folder, 0o755)
  writeFileSync(path.join(folder, name), text)
  return folder
}

async function end(child: ReturnType<typeof spawn>, folder: string) {
  const ended = new Promise(resolve => child.once('exit', resolve))
  if (child.exitCode === null && child.kill('SIGTERM')) await ended
  rmSync(folder, { recursive: true, force: true })
}

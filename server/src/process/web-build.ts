import { spawn } from 'node:child_process'
import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { OperatorError } from '../operator-error.ts'

const ours = fileURLToPath(new URL('../../../', import.meta.url))
const sources = ['web/src', 'web/build', 'web/index.html', 'web/package.json', 'web/vite.config.ts', 'contract/src']

/** Builds the web application when its build is missing or older than its sources. */
export async function buildWebApplication(report: (line: string) => void, root = ours) {
  const web = path.join(root, 'web')
  const built = statSync(path.join(web, 'dist/index.html'), { throwIfNoEntry: false })?.mtimeMs
  if (!existsSync(path.join(web, 'src')) || (built !== undefined && newest(sources.map(name => path.join(root, name))) <= built)) return
  const started = performance.now()
  requireWritable(built === undefined ? 'is not built' : 'is older than its sources', [web, path.join(root, 'node_modules')])
  report(
    built === undefined
      ? 'Building the web application, once…'
      : 'Building the web application again: its sources are newer than its build…',
  )
  await vite(web)
  report(`Built the web application in ${((performance.now() - started) / 1000).toFixed(1)} s.`)
}

/** The user who starts the program may have only read access to it. */
function requireWritable(state: string, folders: string[]) {
  for (const folder of folders) {
    try {
      accessSync(folder, constants.W_OK)
    } catch {
      throw new OperatorError(`The web application ${state}, and this user may not write to ${folder}: let its owner run npm run build.`)
    }
  }
}

function newest(paths: string[]) {
  let latest = 0
  for (const start of paths) {
    const found = statSync(start, { throwIfNoEntry: false })
    if (!found) continue
    latest = Math.max(latest, found.mtimeMs)
    if (!found.isDirectory()) continue
    for (const entry of readdirSync(start, { recursive: true, encoding: 'utf8' })) {
      latest = Math.max(latest, statSync(path.join(start, entry), { throwIfNoEntry: false })?.mtimeMs ?? 0)
    }
  }
  return latest
}

async function vite(web: string) {
  let program: string
  try {
    program = path.join(path.dirname(createRequire(path.join(web, 'package.json')).resolve('vite/package.json')), 'bin/vite.js')
  } catch {
    throw new OperatorError('The web application is not built and the packages that build it are missing: run npm ci.')
  }
  const child = spawn(process.execPath, [program, 'build', '--logLevel', 'warn'], {
    cwd: web,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_ENV: 'production' },
  })
  const ended = new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve))
  const [output, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  if (code === 0) return
  throw new OperatorError(`The web application could not be built: npm run build says why.\n${(errors || output).trim()}`)
}

/** `npm run dev`: the server, started again when its sources change, and Vite with the page; one Ctrl-C ends both. */
import { type ChildProcess, spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import path from 'node:path'

const root = path.dirname(import.meta.dirname)
const vite = path.join(path.dirname(createRequire(path.join(root, 'web/package.json')).resolve('vite/package.json')), 'bin/vite.js')
const environment = { ...process.env, NODE_ENV: 'development' }

const children: ChildProcess[] = [
  spawn(process.execPath, ['--watch', '--watch-preserve-output', 'server/src/main.ts'], { cwd: root, env: environment, stdio: 'inherit' }),
  spawn(process.execPath, [vite], { cwd: path.join(root, 'web'), env: environment, stdio: 'inherit' }),
]
let isEnding = false

function end(signal: NodeJS.Signals) {
  isEnding = true
  for (const child of children) child.kill(signal)
}
// A terminal sends Ctrl-C to the children as well: here it only waits for them.
process.on('SIGINT', () => {
  isEnding = true
})
process.on('SIGTERM', () => end('SIGTERM'))
const codes = await Promise.all(
  children.map(
    child =>
      new Promise<number>(resolve =>
        child.on('exit', code => {
          // No code: a signal ended it, which is a failure unless this sent it.
          resolve(code ?? (isEnding ? 0 : 1))
          if (!isEnding) end('SIGTERM')
        }),
      ),
  ),
)
process.exit(Math.max(...codes))

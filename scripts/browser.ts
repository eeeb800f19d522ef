/**
 * Runs a command with a Chromium to drive: CHROME_PATH, one on PATH, Playwright's own, or Debian's package (as root), in this order.
 * The path found is handed on in CHROME_PATH.
 */
import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import path from 'node:path'

function onPath(name: string) {
  const folders = (process.env.PATH ?? '').split(path.delimiter)
  return folders.map(folder => path.join(folder, name)).find(isExecutable)
}

function isExecutable(file: string) {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function installed() {
  const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome']
  return [process.env.CHROME_PATH, ...names.map(onPath), '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'].find(
    file => file && existsSync(file),
  )
}

function run(command: string, args: string[], env = process.env) {
  return spawnSync(command, args, { stdio: 'inherit', env }).status ?? 1
}

let chrome = installed()
if (!chrome && process.getuid?.() === 0 && onPath('apt-get')) {
  run('apt-get', ['update', '-qq'])
  run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'])
  chrome = installed()
}
const bundled = !chrome && run('npx', ['--no-install', 'playwright', 'install', 'chromium']) === 0
if (!chrome && !bundled) {
  console.error('No Chromium found. Install the package "chromium" or set CHROME_PATH to a Chromium or Chrome executable.')
  process.exit(1)
}
const [command = 'playwright', ...args] = process.argv.slice(2)
process.exit(run('npx', ['--no-install', command, ...args], { ...process.env, ...(chrome ? { CHROME_PATH: chrome } : {}) }))

/**
 * Runs a command with a Chromium to drive: CHROME_PATH, one on PATH, Debian's package (as root), or Playwright's own, in this order.
 * Journeys take the headless shell where there is one: the same engine without windows, for about half the processor time. Other commands
 * (the benchmark) take the browser that people use. The path found is handed on in CHROME_PATH.
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

const [command = 'playwright', ...args] = process.argv.slice(2)
const shell = 'chromium-headless-shell'
const browsers = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome']
const macApplication = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'

function run(program: string, ...options: string[]) {
  return spawnSync(program, options, { stdio: 'inherit' }).status === 0
}

/** Installs the package if the system's lists of packages include it. Never removes another package. */
function install(name: string) {
  const isOffered = spawnSync('apt-cache', ['show', name], { stdio: 'ignore' }).status === 0
  if (isOffered && run('apt-get', 'install', '-y', '-qq', '--no-install-recommends', '--no-remove', name)) return onPath(name)
}

function find() {
  if (process.env.CHROME_PATH && existsSync(process.env.CHROME_PATH)) return process.env.CHROME_PATH
  const prefersShell = command === 'playwright'
  const found = prefersShell ? onPath(shell) : undefined
  if (found) return found
  const browser = browsers.map(onPath).find(Boolean) ?? [macApplication].find(isExecutable)
  const canInstall = process.getuid?.() === 0 && onPath('apt-get')
  if (!canInstall || (browser && !prefersShell)) return browser
  if (!browser) run('apt-get', 'update', '-qq')
  return (prefersShell ? install(shell) : undefined) ?? browser ?? install('chromium')
}

const chrome = find()
if (!chrome && !run('npx', '--no-install', 'playwright', 'install', 'chromium')) {
  console.error('No Chromium found. Install the package "chromium" or set CHROME_PATH to a Chromium or Chrome executable.')
  process.exit(1)
}
const env = { ...process.env, ...(chrome ? { CHROME_PATH: chrome } : {}) }
process.exit(spawnSync('npx', ['--no-install', command, ...args], { stdio: 'inherit', env }).status ?? 1)

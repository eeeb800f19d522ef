#!/usr/bin/env node
// Plain JavaScript for any Node.js from 20 on: it finds one that runs the program (24.8 or newer) and hands over to it.
// That is this one, the package `node` of a checkout, or the package for this platform of a release.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import * as modules from 'node:module'
import { constants } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const needed = [24, 8]
const isWindows = process.platform === 'win32'
const [, , ...given] = process.argv
const starts = [undefined, 'start', '--demo'].includes(given[0])
// A checkout has sources, a release has them compiled.
const extension = existsSync(new URL('../src/main.ts', import.meta.url)) ? 'ts' : 'js'
const program = fileURLToPath(new URL(`../src/${starts ? 'main' : 'cli'}.${extension}`, import.meta.url))
const args = given[0] === 'start' ? given.slice(1) : given
// Most objects live no longer than their request. A small nursery keeps V8 from holding 60 MiB of them before it collects.
const isChosen = `${process.execArgv} ${process.env.NODE_OPTIONS}`.includes('semi-space-size')
const flags = starts && !isChosen ? ['--max-semi-space-size=8'] : []

// Password hashing, files and DNS lookups share these threads. libuv reads the variable when Node.js loads its first file, so it is set here.
process.env.UV_THREADPOOL_SIZE = process.env.UV_THREADPOOL_SIZE?.trim() || '16'
// Compiled code is kept, so that the next start is faster.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url))

function runs(version) {
  const [major, minor] = version.replace(/^v/, '').split('.').map(Number)
  return major > needed[0] || (major === needed[0] && minor >= needed[1])
}

function tell(used, old) {
  console.error(`Node.js ${old} is older than ${needed.join('.')}: Tessera runs on the Node.js ${used} that was installed with it.`)
}

/** The Node.js that was installed with the program, if it runs here. */
function installedNode() {
  const require = modules.createRequire(import.meta.url)
  const packages = ['node', `node-${isWindows ? 'win' : process.platform}-${process.arch}`]
  for (const name of packages) {
    try {
      const found = path.join(path.dirname(require.resolve(`${name}/package.json`)), 'bin', isWindows ? 'node.exe' : 'node')
      const version = existsSync(found) ? spawnSync(found, ['--version'], { encoding: 'utf8' }).stdout?.trim() : ''
      if (version && runs(version)) return { found, version: version.replace('v', '') }
    } catch {
      // This package is not installed.
    }
  }
  return undefined
}

// Under `npm start` this process is the Node.js that npm ci installed; npm's user agent names the system's.
const outside = /^(start|demo)$/.test(process.env.npm_lifecycle_event) && /node\/v(\S+)/.exec(process.env.npm_config_user_agent)?.[1]
if (runs(process.versions.node)) {
  if (outside && !runs(outside)) tell(process.versions.node, outside)
  // Replaces this process, because V8 takes the flag only at its start.
  if (flags.length > 0 && !isWindows) process.execve(process.execPath, [process.execPath, ...process.execArgv, ...flags, program, ...args])
  modules.enableCompileCache?.(process.env.NODE_COMPILE_CACHE)
  process.argv = [process.argv[0], program, ...args]
  await import(new URL(`../src/${starts ? 'main' : 'cli'}.${extension}`, import.meta.url).href)
} else {
  const installed = installedNode()
  if (!installed) {
    console.error(
      `Tessera needs Node.js ${needed.join('.')} or newer and this is ${process.versions.node}: ${extension === 'ts' ? 'run npm ci, which brings one, or ' : ''}install Node.js 24.`,
    )
    process.exit(1)
  }
  if (starts) tell(installed.version, process.versions.node)
  // The channel tells the server when this process is gone, even by kill -9.
  const child = spawn(installed.found, [...flags, program, ...args], { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(signal ? 128 + constants.signals[signal] : code))
}

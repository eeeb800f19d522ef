#!/usr/bin/env node
// Plain JavaScript for any Node: it finds one that runs the program (24.8 or newer), this one or the `node` package's, and hands over.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import * as modules from 'node:module'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'

const needed = [24, 8]
const [, , ...given] = process.argv
const starts = given[0] === 'start'
const program = fileURLToPath(new URL(starts ? '../src/main.ts' : '../src/cli.ts', import.meta.url))
const args = starts ? given.slice(1) : given
// What a request allocates dies with it: a nursery of V8's own choice would hold 60 MiB of it before it is looked through.
const isChosen = `${process.execArgv} ${process.env.NODE_OPTIONS}`.includes('semi-space-size')
const flags = starts && !isChosen ? ['--max-semi-space-size=8'] : []

// What is compiled and stripped of its types once is kept: the next start is quicker and does without the stripper, 10 MiB of it.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url))

function runs(version) {
  const [major, minor] = version.replace(/^v/, '').split('.').map(Number)
  return major > needed[0] || (major === needed[0] && minor >= needed[1])
}

if (runs(process.versions.node)) {
  // The same process with another program: V8 takes this flag only at its start.
  if (flags.length > 0 && process.platform !== 'win32')
    process.execve(process.execPath, [process.execPath, ...process.execArgv, ...flags, program, ...args])
  modules.enableCompileCache?.(process.env.NODE_COMPILE_CACHE)
  process.argv = [process.argv[0], program, ...args]
  await import(new URL(starts ? '../src/main.ts' : '../src/cli.ts', import.meta.url).href)
} else {
  const suffix = process.platform === 'win32' ? 'node.exe' : 'node'
  const pinned = fileURLToPath(new URL(`../../node_modules/node/bin/${suffix}`, import.meta.url))
  const version = existsSync(pinned) ? spawnSync(pinned, ['--version'], { encoding: 'utf8' }).stdout?.trim() : ''
  if (!version || !runs(version)) {
    console.error(
      `Tessera needs Node.js ${needed.join('.')} or newer and this is ${process.versions.node}: run npm ci, which brings one, or install Node.js 24.`,
    )
    process.exit(1)
  }
  const child = spawn(pinned, [...flags, program, ...args], { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(signal ? 128 + constants.signals[signal] : code))
}

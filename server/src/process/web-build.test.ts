import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const program = fileURLToPath(new URL('web-build.ts', import.meta.url))
// Root may write anywhere.
const reader = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}
const start = (root: string) =>
  spawnSync(
    process.execPath,
    [
      '-e',
      'import(process.argv[1]).then(m => m.buildWebApplication(console.log, process.argv[2])).catch(e => console.log(e.message))',
      program,
      root,
    ],
    { ...reader, encoding: 'utf8', cwd: '/' },
  )
const mayRead = start('/nowhere').status === 0

test.skipIf(process.platform === 'win32' || !mayRead)(
  'a user who may only read the program is told in one line who builds it, and starts what is built',
  () => {
    const root = mkdtempSync(path.join(tmpdir(), 'tessera-web-'))
    try {
      for (const folder of ['web/src', 'web/dist', 'node_modules']) mkdirSync(path.join(root, folder), { recursive: true })
      const [source, built] = [path.join(root, 'web/src/main.tsx'), path.join(root, 'web/dist/index.html')]
      writeFileSync(source, '')
      for (const folder of ['node_modules', 'web', '.']) chmodSync(path.join(root, folder), 0o555)
      const refusal = (state: string) =>
        new RegExp(`^The web application ${state}, and this user may not write to ${root}/web: let its owner run npm run build\\.\n$`)
      expect(start(root).stdout).toMatch(refusal('is not built'))
      writeFileSync(built, '')
      utimesSync(built, 1, 1)
      expect(start(root).stdout).toMatch(refusal('is older than its sources'))
      utimesSync(source, 1, 1)
      utimesSync(path.dirname(source), 1, 1)
      expect(start(root)).toMatchObject({ stdout: '', stderr: '', status: 0 })
    } finally {
      chmodSync(path.join(root, 'web'), 0o755)
      chmodSync(root, 0o755)
      rmSync(root, { recursive: true, force: true })
    }
  },
)

// Runs after a release is installed. The packages of Node.js bring 61 MB of C headers, which nothing here compiles against.
import { rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

try {
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
  const folder = path.dirname(createRequire(import.meta.url).resolve(`${name}/package.json`))
  rmSync(path.join(folder, 'include'), { recursive: true, force: true })
} catch {
  // There is no such package for this machine, or it may not be changed: both do no harm.
}

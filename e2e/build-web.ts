import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** The tests drive the application as it is shipped: built, from the sources as they are now. */
export default function buildWeb() {
  if (process.env.TESSERA_E2E_BUILT) return
  execFileSync('npm', ['run', '--silent', 'build', '-w', 'web'], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

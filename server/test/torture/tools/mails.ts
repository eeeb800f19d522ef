import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'

/** The receiver of each file, read once. */
const seen = new Map<string, string>()

/** How many mails each person got, by login. */
export function mailsTo(data: string) {
  const folder = path.join(data, 'mail')
  const counts = new Map<string, number>()
  const names = statSync(folder, { throwIfNoEntry: false }) ? readdirSync(folder).filter(name => name.endsWith('.eml')) : []
  for (const name of names) {
    let login = seen.get(name)
    if (login === undefined) {
      login = /^To: .*?([\w-]+)@example\.com/im.exec(readFileSync(path.join(folder, name), 'utf8'))?.[1] ?? ''
      seen.set(name, login)
    }
    counts.set(login, (counts.get(login) ?? 0) + 1)
  }
  return counts
}

import { requireReadableFiles } from './db/external.ts'
import { OperatorError } from './operator-error.ts'

export type Environment = Record<string, string | undefined>

/** Reads one setting each; its functions throw an OperatorError that names the variable, and never shows an address, because that may hold a password. */
export function settingsOf(environment: Environment) {
  const read = new Set<string>()
  const text = (name: string) => {
    read.add(name)
    const value = environment[name]?.trim()
    return value === '' ? undefined : value
  }
  const number = (name: string, fallback: number, minimum: number, maximum: number) => {
    const value = text(name)
    if (value === undefined) return fallback
    const parsed = Number(value)
    // Digits only: libuv, which reads one of them itself, takes 0x10 for 0.
    if (!/^\d+$/.test(value) || parsed < minimum || parsed > maximum) {
      throw new OperatorError(`${name} is '${value}': give a whole number from ${minimum} to ${maximum}.`)
    }
    return parsed
  }
  const choice = <const T extends string>(name: string, choices: readonly T[], fallback: T): T => {
    const value = text(name) as T | undefined
    if (value === undefined) return fallback
    if (!choices.includes(value)) throw new OperatorError(`${name} is '${value}': give one of ${choices.join(', ')}.`)
    return value
  }
  const flag = (name: string, fallback: boolean) => choice(name, ['0', '1'], fallback ? '1' : '0') === '1'
  const url = (name: string, protocols: string[], value = text(name)) => {
    if (value === undefined) return undefined
    if (/^\w+:\/\/([^@/]*@)?[^/?#]*,/.test(value)) {
      throw new OperatorError(`${name} names several hosts: give the address of one, or of a proxy in front of them.`)
    }
    if (!URL.canParse(value) || !protocols.includes(new URL(value).protocol)) {
      throw new OperatorError(
        `${name} is not an address: give one that begins with ${protocols.map(protocol => `${protocol}//`).join(' or ')}.`,
      )
    }
    const { username, password } = new URL(value)
    if (!isEncoded(username) || !isEncoded(password)) {
      throw new OperatorError(`${name} has a % in the user or the password that encodes nothing: write %25 for it.`)
    }
    return value
  }
  /** An address as libpq takes it: `postgres://ann@/tessera?host=/run/postgresql` is given the host that a URL needs. */
  const databaseUrl = <T extends string | undefined>(name: string, value = text(name) as T) => {
    const given = url(name, ['postgres:', 'postgresql:'], value?.replace(/^(\w+:\/\/[^@/?#]*@)\//, '$1localhost/'))
    if (given === undefined) return given as T
    const address = withKnownTls(name, given)
    requireReadableFiles(name, address)
    return address as T
  }
  const json = (name: string): Record<string, unknown> => {
    const value = text(name)
    if (value === undefined) return {}
    try {
      const parsed: unknown = JSON.parse(value)
      if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed as Record<string, unknown>
    } catch {}
    throw new OperatorError(`${name} is not a JSON object: give one such as {"size":"compact"}.`)
  }
  /** The TESSERA_ variables that nothing has read so far. Kubernetes sets the ones of a service named "tessera". */
  const unknown = () => {
    const ours = Object.keys(environment).filter(name => name.startsWith('TESSERA_'))
    return ours.filter(name => !read.has(name) && !/^TESSERA_(SERVICE|PORT)(_|$)/.test(name))
  }
  return { text, number, choice, flag, url, databaseUrl, json, unknown }
}

/** The driver ignores what it does not know, and would connect without TLS. It treats `prefer`, `require` and `verify-ca` as `verify-full`, with a warning. */
function withKnownTls(name: string, address: string) {
  const { searchParams } = new URL(address)
  const modes = ['disable', 'no-verify', 'prefer', 'require', 'verify-ca', 'verify-full']
  const mode = searchParams.get('sslmode')
  if (mode !== null && !modes.includes(mode)) throw new OperatorError(`${name} has sslmode=${mode}: give one of ${modes.join(', ')}.`)
  const known = ['ssl', 'sslmode', 'sslcert', 'sslkey', 'sslrootcert', 'sslnegotiation']
  const stranger = [...searchParams.keys()].find(key => /^ssl/i.test(key) && !known.includes(key))
  if (stranger !== undefined) throw new OperatorError(`${name} has the unknown parameter ${stranger}: give ${known.slice(1).join(', ')}.`)
  return address.replace(/([?&]sslmode=)(prefer|require|verify-ca)/, '$1verify-full')
}

function isEncoded(text: string) {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}
export type Settings = ReturnType<typeof settingsOf>

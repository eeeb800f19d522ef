import path from 'node:path'
import { defaultDatabaseMemory, parseDatabaseMemory } from './db/embedded/memory.ts'
import { OperatorError } from './operator-error.ts'

/** Every setting, read once at start from the environment; `docs/operations.md` lists them. */
export interface Config {
  readonly port: number
  readonly host: string
  /** The data directory, absolute. */
  readonly data: string
  /** An external PostgreSQL; the bundled one when undefined. */
  readonly databaseUrl: string | undefined
  /** Bypasses a PgBouncer in DATABASE_URL, for everything that needs its own database session. */
  readonly databaseDirectUrl: string | undefined
  /** Standbys of DATABASE_URL, for lists. */
  readonly databaseReplicaUrls: readonly string[]
  readonly databasePrepare: boolean
  readonly databasePool: number
  /** Shared buffers of the bundled PostgreSQL, in bytes. */
  readonly databaseMemory: number
  /** Address under which browsers reach the product, without a trailing slash. */
  readonly publicUrl: string
  /** Whether `publicUrl` is https: cookies are Secure then. */
  readonly secure: boolean
  readonly trustProxy: number
  readonly workers: number
  readonly smtpUrl: string | undefined
  readonly mailFrom: string
  /** How long changes of a ticket are collected before they are mailed. */
  readonly notificationSeconds: number
  /** `file:` (below the data directory), `file:///path` or `s3://key:secret@host/bucket?region=…`. */
  readonly storage: string
  readonly captcha: {
    provider: 'builtin' | 'recaptcha' | 'hcaptcha' | 'turnstile'
    siteKey: string
    secret: string
    script: string | undefined
    verifyUrl: string | undefined
    /** Host names on which captcha answers are accepted; any when empty. */
    hostnames: readonly string[]
    options: Record<string, unknown>
  }
  readonly language: string
  readonly support: string
  readonly session: { idleMinutes: number; maxHours: number }
  readonly attachmentTypes: readonly string[]
  readonly attachmentMaxBytes: number
  /** The socket of a ClamAV daemon that scans each file; no scan when undefined. */
  readonly clamdSocket: string | undefined
  /** How long a connection may stay silent while the server waits for it. */
  readonly silenceSeconds: number
  readonly passwordMinLength: number
  readonly simulateTimeout: boolean
  /** `directory` is `backups` in the data directory when undefined; `hour` by the clock of the machine. */
  readonly backup: { enabled: boolean; hour: number; keep: number; directory: string | undefined }
  readonly firstRun: { login: string; password: string; email: string; organization: string } | undefined
  readonly logLevel: string
  /** The bearer token that `/metrics` requires; open when undefined. */
  readonly metricsToken: string | undefined
  readonly development: boolean
}

type Environment = Record<string, string | undefined>

/** Reads one setting each; throws an OperatorError that names the variable when it cannot be used. */
function settingsOf(environment: Environment) {
  const text = (name: string) => {
    const value = environment[name]?.trim()
    return value === '' ? undefined : value
  }
  const number = (name: string, fallback: number, minimum: number, maximum: number) => {
    const value = text(name)
    if (value === undefined) return fallback
    const parsed = Number(value)
    if (!Number.isInteger(parsed) || parsed < minimum || parsed > maximum) {
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
    return value
  }
  const json = (name: string): Record<string, unknown> => {
    const value = text(name)
    if (value === undefined) return {}
    try {
      const parsed: unknown = JSON.parse(value)
      if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed as Record<string, unknown>
    } catch {}
    throw new OperatorError(`${name} is not a JSON object.`)
  }
  return { text, number, choice, flag, url, json }
}
type Settings = ReturnType<typeof settingsOf>

function captchaOf({ text, choice, url, json }: Settings): Config['captcha'] {
  const provider = choice('TESSERA_CAPTCHA_PROVIDER', ['builtin', 'recaptcha', 'hcaptcha', 'turnstile'], 'builtin')
  const captcha = {
    provider,
    siteKey: text('TESSERA_CAPTCHA_SITE_KEY') ?? '',
    secret: text('TESSERA_CAPTCHA_SECRET') ?? '',
    script: url('TESSERA_CAPTCHA_SCRIPT', ['http:', 'https:']),
    verifyUrl: url('TESSERA_CAPTCHA_VERIFY_URL', ['http:', 'https:']),
    hostnames: (text('TESSERA_CAPTCHA_HOSTNAMES') ?? '').split(/[\s,]+/).filter(name => name !== ''),
    options: json('TESSERA_CAPTCHA_OPTIONS'),
  }
  if (provider !== 'builtin' && (!captcha.siteKey || !captcha.secret)) {
    throw new OperatorError(`TESSERA_CAPTCHA_PROVIDER is '${provider}': it needs TESSERA_CAPTCHA_SITE_KEY and TESSERA_CAPTCHA_SECRET.`)
  }
  return captcha
}

function attachmentTypesOf({ text }: Settings) {
  const types = (text('TESSERA_ATTACHMENT_TYPES') ?? 'image/jpeg,image/png,image/gif,image/webp')
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(type => type !== '')
  const strange = types.find(type => !/^[\w.+-]+\/[\w.+-]+$/.test(type))
  if (strange !== undefined || types.length === 0)
    throw new OperatorError(`TESSERA_ATTACHMENT_TYPES is '${strange ?? ','}': give media types, such as image/jpeg,application/pdf.`)
  return types
}

function firstRunOf({ text }: Settings, password: string | undefined): Config['firstRun'] {
  const login = text('TESSERA_ADMIN_LOGIN')
  if ((login === undefined) !== (password === undefined || password === '')) {
    throw new OperatorError(
      `${login === undefined ? 'TESSERA_ADMIN_LOGIN' : 'TESSERA_ADMIN_PASSWORD'} is missing: the first super user needs both.`,
    )
  }
  if (login === undefined || !password) return undefined
  return { login, password, email: text('TESSERA_ADMIN_EMAIL') ?? '', organization: text('TESSERA_ORGANIZATION') ?? 'My organization' }
}

/** Every setting of the environment; throws an OperatorError that names the variable when one cannot be used. */
export function readConfig(environment: Environment = process.env): Config {
  const settings = settingsOf(environment)
  const { text, number, choice, flag, url } = settings
  const port = number('PORT', 3000, 0, 65_535)
  const host = text('HOST') ?? '127.0.0.1'
  const publicUrl = (url('PUBLIC_URL', ['http:', 'https:']) ?? `http://localhost:${port}`).replace(/\/+$/, '')
  const storage = text('TESSERA_STORAGE') ?? 'file:'
  if (!storage.startsWith('file:') && !storage.startsWith('s3:'))
    throw new OperatorError(`TESSERA_STORAGE is '${storage}': give file: or s3://….`)

  const workers = number('TESSERA_WORKERS', 1, 1, 64)
  const databaseMemory = text('TESSERA_DATABASE_MEMORY')
  const databaseReplicaUrls = text('DATABASE_REPLICA_URL')?.split(/[\s,]+/) ?? []
  for (const each of databaseReplicaUrls) url('DATABASE_REPLICA_URL', ['postgres:', 'postgresql:'], each)
  if (databaseReplicaUrls.length > 0 && text('DATABASE_URL') === undefined)
    throw new OperatorError('DATABASE_REPLICA_URL is set without DATABASE_URL: the bundled PostgreSQL has no replicas.')
  return {
    port,
    host,
    data: path.resolve(text('TESSERA_DATA') ?? 'data'),
    databaseUrl: url('DATABASE_URL', ['postgres:', 'postgresql:']),
    databaseDirectUrl: url('DATABASE_DIRECT_URL', ['postgres:', 'postgresql:']),
    databaseReplicaUrls,
    databasePrepare: flag('DATABASE_PREPARE', true),
    databasePool: number('DATABASE_POOL', workers === 1 ? 9 : 6, 2, 500),
    databaseMemory: databaseMemory === undefined ? defaultDatabaseMemory() : parseDatabaseMemory(databaseMemory),
    publicUrl,
    secure: publicUrl.startsWith('https:'),
    trustProxy: number('TRUST_PROXY', 0, 0, 10),
    workers,
    smtpUrl: url('SMTP_URL', ['smtp:', 'smtps:']),
    mailFrom: text('TESSERA_MAIL_FROM') ?? `Tessera <no-reply@${new URL(publicUrl).hostname}>`,
    notificationSeconds: number('TESSERA_NOTIFICATION_SECONDS', 60, 0, 3600),
    storage,
    captcha: captchaOf(settings),
    language: text('TESSERA_LANGUAGE') ?? 'en',
    support: text('TESSERA_SUPPORT') ?? 'your administrator',
    session: {
      idleMinutes: number('TESSERA_SESSION_IDLE_MINUTES', 60, 1, 10_080),
      maxHours: number('TESSERA_SESSION_MAX_HOURS', 12, 1, 8760),
    },
    attachmentTypes: attachmentTypesOf(settings),
    attachmentMaxBytes: number('TESSERA_ATTACHMENT_MAX_MB', 25, 1, 10_240) * 1024 * 1024,
    clamdSocket: text('CLAMD_SOCKET'),
    silenceSeconds: number('TESSERA_SILENCE_SECONDS', 30, 1, 3600),
    passwordMinLength: number('TESSERA_PASSWORD_MIN_LENGTH', 8, 1, 128),
    simulateTimeout: flag('ALLOW_SIMULATE_TIMEOUT', true),
    backup: {
      enabled: flag('TESSERA_BACKUP', true),
      hour: number('TESSERA_BACKUP_HOUR', 2, 0, 23),
      keep: number('TESSERA_BACKUP_KEEP', 7, 1, 1000),
      directory: text('TESSERA_BACKUP_DIRECTORY'),
    },
    firstRun: firstRunOf(settings, environment.TESSERA_ADMIN_PASSWORD),
    logLevel: choice('LOG_LEVEL', ['silent', 'error', 'warn', 'info', 'debug'], 'info'),
    metricsToken: text('TESSERA_METRICS_TOKEN'),
    development: environment.NODE_ENV === 'development' || environment.NODE_ENV === 'test',
  }
}

import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { Email } from '@tessera/contract/scalars'
import { parseDatabaseMemory } from './db/embedded/memory.ts'
import { accept } from './http/schemas/accept.ts'
import { OperatorError } from './operator-error.ts'
import { type Environment, type Settings, settingsOf } from './settings.ts'
import { requireObjectStorage } from './storage/s3/object-storage-address.ts'
import { isRecognized } from './upload/file-content.ts'

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
  /** Shared buffers of the bundled PostgreSQL, in bytes; its default when undefined. */
  readonly databaseMemory: number | undefined
  /** The origin under which browsers reach the product, without a trailing slash. */
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
    /** Host names for which captcha answers are accepted; any when empty. */
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
  /** The title of the first organization, if it is not chosen on the set-up page. */
  readonly firstOrganization: string
  readonly logLevel: string
  /** The bearer token that `/metrics` requires; open when undefined. */
  readonly metricsToken: string | undefined
  readonly development: boolean
  /** TESSERA_ variables that are no settings, most likely misspelt. */
  readonly unknownSettings: readonly string[]
}

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
  const unrecognized = types.find(type => !isRecognized(type))
  if (unrecognized !== undefined)
    throw new OperatorError(
      `TESSERA_ATTACHMENT_TYPES names '${unrecognized}', which cannot be recognized by a file's content: leave it out.`,
    )
  return types
}

function firstRunOf({ text }: Settings, environment: Environment): Pick<Config, 'firstRun' | 'firstOrganization'> {
  const [login, email] = [text('TESSERA_ADMIN_LOGIN'), text('TESSERA_ADMIN_EMAIL')]
  const organization = text('TESSERA_ORGANIZATION') ?? 'My organization'
  // A password may begin or end with blanks.
  const password = text('TESSERA_ADMIN_PASSWORD') && environment.TESSERA_ADMIN_PASSWORD
  if (!login && !password && !email) return { firstRun: undefined, firstOrganization: organization }
  if (!login || !password) {
    const missing = login ? 'TESSERA_ADMIN_PASSWORD' : 'TESSERA_ADMIN_LOGIN'
    throw new OperatorError(`${missing} is missing: the first super user needs a login and a password.`)
  }
  return { firstRun: { login, password, email: email ?? '', organization }, firstOrganization: organization }
}

function publicUrlOf({ url }: Settings, port: number) {
  const given = url('PUBLIC_URL', ['http:', 'https:'])
  if (given === undefined) return `http://localhost:${port}`
  const { href, origin } = new URL(given)
  if (href !== `${origin}/`)
    throw new OperatorError(
      'PUBLIC_URL has more than an origin such as https://tickets.example.org: leave the rest out; Tessera does not run below a path.',
    )
  return origin
}

function storageOf({ text }: Settings) {
  const storage = (text('TESSERA_STORAGE') ?? 'file:').replace(/^(file|s3):/i, scheme => scheme.toLowerCase())
  if (storage.startsWith('s3:')) requireObjectStorage(storage)
  else if (storage !== 'file:' && !isFolder(storage))
    throw new OperatorError('TESSERA_STORAGE must be file:, an absolute address such as file:///srv/attachments, or s3://….')
  return storage
}

function isFolder(address: string) {
  try {
    return address.startsWith('file:///') && path.isAbsolute(fileURLToPath(address))
  } catch {
    return false
  }
}

/** The mail client ignores what it does not know, and would send without TLS. */
function requireKnownTls(smtpUrl: string) {
  const known = ['requireTLS', 'ignoreTLS', 'opportunisticTLS']
  const names = [...new URL(smtpUrl).searchParams.keys()]
  const stranger = names.find(name => /tls|ssl|secure/i.test(name) && !known.includes(name) && !name.startsWith('tls.'))
  if (stranger !== undefined)
    throw new OperatorError(
      `SMTP_URL has the unknown parameter ${stranger}: give requireTLS=true, or an address that begins with smtps://.`,
    )
}

function requireUsableMailServer(smtpUrl: string) {
  const { hostname, username, password } = new URL(smtpUrl)
  if (hostname === '') throw new OperatorError('SMTP_URL names no host: give smtp://user:password@host:587.')
  if (username !== '' && password === '')
    throw new OperatorError('SMTP_URL has a user without a password: give smtp://user:password@host:587, or leave the user out.')
  requireKnownTls(smtpUrl)
}

function mailOf({ text, url }: Settings, publicUrl: string) {
  const smtpUrl = url('SMTP_URL', ['smtp:', 'smtps:'])
  if (smtpUrl !== undefined) requireUsableMailServer(smtpUrl)
  const mailFrom = text('TESSERA_MAIL_FROM')
  // The address alone, or in angle brackets after a name.
  const address = mailFrom?.replace(/^[^<>]*<([^<>]*)>$/, '$1')
  if (address !== undefined && accept(Email, address) === undefined)
    throw new OperatorError(`TESSERA_MAIL_FROM is '${mailFrom}': give an address such as Tessera <no-reply@example.org>.`)
  return { smtpUrl, mailFrom: mailFrom ?? `Tessera <no-reply@${new URL(publicUrl).hostname}>` }
}

function languageOf({ text }: Settings) {
  const language = text('TESSERA_LANGUAGE') ?? 'en'
  if (!/^[a-z]{2,8}(-[a-z0-9]{1,8})*$/i.test(language))
    throw new OperatorError(`TESSERA_LANGUAGE is '${language}': give the code of a language, such as en or pt-BR.`)
  return language
}

function metricsTokenOf({ text }: Settings) {
  const token = text('TESSERA_METRICS_TOKEN')
  // The message does not show it: it is a secret.
  if (token !== undefined && !/^[ -~]+$/.test(token))
    throw new OperatorError('TESSERA_METRICS_TOKEN must be of ASCII letters, digits and signs: others do not fit into a header.')
  return token
}

function scannerOf({ text }: Settings) {
  const socket = text('CLAMD_SOCKET')
  if (socket !== undefined && !path.isAbsolute(socket))
    throw new OperatorError(`CLAMD_SOCKET is '${socket}': give the absolute path of a socket, such as /run/clamav/clamd.ctl.`)
  return socket
}

/** Every setting of the environment; throws an OperatorError that names the variable when one cannot be used. */
export function readConfig(environment: Environment = process.env): Config {
  const settings = settingsOf(environment)
  const { text, number, choice, flag, databaseUrl, unknown } = settings
  const port = number('PORT', 3000, 0, 65_535)
  const host = text('HOST') ?? '127.0.0.1'
  const publicUrl = publicUrlOf(settings, port)
  const workers = number('TESSERA_WORKERS', 1, 1, 64)
  // libuv reads it by itself, and takes what is no number for 1.
  number('UV_THREADPOOL_SIZE', 16, 1, 1024)
  const databaseMemory = text('TESSERA_DATABASE_MEMORY')
  const databaseReplicaUrls = (text('DATABASE_REPLICA_URL')?.split(/[\s,]+/) ?? []).map(each => databaseUrl('DATABASE_REPLICA_URL', each))
  if (databaseReplicaUrls.length > 0 && text('DATABASE_URL') === undefined)
    throw new OperatorError('DATABASE_REPLICA_URL is set without DATABASE_URL: the bundled PostgreSQL has no replicas.')
  if (text('DATABASE_DIRECT_URL') !== undefined && text('DATABASE_URL') === undefined)
    throw new OperatorError('DATABASE_DIRECT_URL is set without DATABASE_URL: set both, or only DATABASE_URL if there is no PgBouncer.')
  const config = {
    port,
    host,
    data: path.resolve(text('TESSERA_DATA') ?? 'data'),
    databaseUrl: databaseUrl('DATABASE_URL'),
    databaseDirectUrl: databaseUrl('DATABASE_DIRECT_URL'),
    databaseReplicaUrls,
    databasePrepare: flag('DATABASE_PREPARE', text('DATABASE_DIRECT_URL') === undefined),
    databasePool: number('DATABASE_POOL', workers === 1 ? 9 : 6, 2, 500),
    databaseMemory: databaseMemory === undefined ? undefined : parseDatabaseMemory(databaseMemory),
    publicUrl,
    secure: publicUrl.startsWith('https:'),
    trustProxy: number('TRUST_PROXY', 0, 0, 10),
    workers,
    ...mailOf(settings, publicUrl),
    notificationSeconds: number('TESSERA_NOTIFICATION_SECONDS', 60, 0, 3600),
    storage: storageOf(settings),
    captcha: captchaOf(settings),
    language: languageOf(settings),
    support: text('TESSERA_SUPPORT') ?? 'your administrator',
    session: {
      idleMinutes: number('TESSERA_SESSION_IDLE_MINUTES', 60, 1, 10_080),
      maxHours: number('TESSERA_SESSION_MAX_HOURS', 12, 1, 8760),
    },
    attachmentTypes: attachmentTypesOf(settings),
    attachmentMaxBytes: number('TESSERA_ATTACHMENT_MAX_MB', 25, 1, 10_240) * 1024 * 1024,
    clamdSocket: scannerOf(settings),
    silenceSeconds: number('TESSERA_SILENCE_SECONDS', 30, 1, 3600),
    passwordMinLength: number('TESSERA_PASSWORD_MIN_LENGTH', 8, 1, 128),
    simulateTimeout: flag('ALLOW_SIMULATE_TIMEOUT', true),
    backup: {
      enabled: flag('TESSERA_BACKUP', true),
      hour: number('TESSERA_BACKUP_HOUR', 2, 0, 23),
      keep: number('TESSERA_BACKUP_KEEP', 7, 1, 1000),
      directory: text('TESSERA_BACKUP_DIRECTORY'),
    },
    ...firstRunOf(settings, environment),
    logLevel: choice('LOG_LEVEL', ['silent', 'error', 'warn', 'info', 'debug'], 'info'),
    metricsToken: metricsTokenOf(settings),
    development: environment.NODE_ENV === 'development' || environment.NODE_ENV === 'test',
  }
  return { ...config, unknownSettings: unknown() }
}

/** Settings that work but are most likely not intended: a sentence each. */
export function settingNotices({ unknownSettings, secure, trustProxy, captcha, databaseUrl, databaseMemory }: Config) {
  const notices: string[] = []
  if (unknownSettings.length > 0)
    notices.push(`Not a setting, and without effect: ${unknownSettings.join(', ')} (docs/operations.md lists all).`)
  if (captcha.provider === 'builtin' && (captcha.siteKey || captcha.secret))
    notices.push('TESSERA_CAPTCHA_SITE_KEY and TESSERA_CAPTCHA_SECRET are without effect: set TESSERA_CAPTCHA_PROVIDER to whose they are.')
  if (databaseUrl !== undefined && databaseMemory !== undefined)
    notices.push("TESSERA_DATABASE_MEMORY is without effect, because DATABASE_URL is set: it is the bundled PostgreSQL's.")
  // The server speaks no TLS itself.
  if (secure && trustProxy === 0)
    notices.push('PUBLIC_URL is https and TRUST_PROXY is 0: everybody seems to come from the address of the proxy; set TRUST_PROXY=1.')
  return notices
}

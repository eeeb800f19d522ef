import type { Config } from '../config.ts'
import type { Db } from '../db/db.ts'
import { openReplicas, type Replicas } from '../db/replicas.ts'
import { openStorage, type Storage } from '../storage/storage.ts'
import { type Captcha, createCaptcha } from './captcha.ts'
import { watchDisk } from './disk-space.ts'
import { type Live, openLive } from './live.ts'
import { createMailer, type Mailer } from './mailer.ts'

type Report = (message: string, error?: unknown) => void

/** What a process has one of, made by `main.ts` or by a test and handed to every call. */
export interface System {
  readonly config: Config
  /** The pool. Handlers use the `db` of their context; this one is for work that outlives a request. */
  readonly db: Db
  /** Signs CSRF tokens and mail links; the same on all nodes. */
  readonly secret: Buffer
  readonly mailer: Mailer
  /** Standbys that answer lists; undefined when none is named. */
  readonly replicas: Replicas | undefined
  /** Where attachments lie. */
  readonly storage: Storage
  /** Tells open pages what others change. */
  readonly live: Live
  readonly captcha: Captcha
  /** The bundled database's disk has no room for writes; that of another database is its operator's. */
  readonly isDiskFull: () => boolean
}

/** Makes what a process has one of, on a migrated database. `main.ts` and the tests build the same thing. */
export async function createSystem(config: Config, db: Db, report: Report = () => {}): Promise<System> {
  const { secret } = await db.selectFrom('installation').select('secret').executeTakeFirstOrThrow()
  const { databaseReplicaUrls, databasePool: poolSize, databasePrepare: prepare } = config
  const replicas = databaseReplicaUrls.length > 0 ? await openReplicas(databaseReplicaUrls, db, { poolSize, prepare, report }) : undefined
  return {
    config,
    db,
    secret,
    mailer: createMailer(config),
    captcha: createCaptcha(config, db, secret),
    storage: openStorage(config),
    replicas,
    live: openLive(db, report, replicas?.noteChange),
    isDiskFull: config.databaseUrl === undefined ? watchDisk(config.data) : () => false,
  }
}

/** Lets go of what `createSystem` opened; the database stays with whoever opened it. */
export async function closeSystem({ mailer, replicas }: System) {
  mailer.close()
  await replicas?.close()
}

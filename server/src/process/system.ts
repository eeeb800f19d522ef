import { createSecretKey, type KeyObject } from 'node:crypto'
import { type Captcha, createCaptcha } from '../captcha/captcha.ts'
import type { Config } from '../config.ts'
import { poolOf } from '../db/connections/connect.ts'
import type { Db } from '../db/db.ts'
import { openReplicas, type Replicas } from '../db/replicas.ts'
import { changeTurns, costlyTurns, feedTurns } from '../http/costly-calls.ts'
import { bodyTurns } from '../http/json/body-turns.ts'
import { type Live, openLive } from '../live/live.ts'
import { createMailer, type Mailer } from '../mail/mailer.ts'
import { openStorage } from '../storage/open-storage.ts'
import type { Storage } from '../storage/storage.ts'
import { watchDisk } from './health/disk-space.ts'

type Report = (message: string, error?: unknown) => void

/** The singletons of a process, created by `main.ts` or by a test and passed to every call. */
export interface System {
  readonly config: Config
  /** The pool. Handlers use the `db` of their context; this one is for work outside a request. */
  readonly db: Db
  /** Signs mail links and CSRF tokens; the same on all nodes. */
  readonly secret: KeyObject
  readonly mailer: Mailer
  /** Standbys that answer lists; undefined when none is named. */
  readonly replicas: Replicas | undefined
  /** The storage of attachments. */
  readonly storage: Storage
  /** Notifies open pages of changes. */
  readonly live: Live
  readonly captcha: Captcha
  /** How many requests this process has answered: work that may wait compares it to know whether the server is in use. */
  readonly requests: { answered: number }
  /** Runs costly work of a person, by the id, when it is its turn. */
  readonly inTurn: ReturnType<typeof costlyTurns>
  /** Runs a change of the session's person, when it is that person's turn. */
  readonly changeInTurn: ReturnType<typeof changeTurns>
  /** Lets a large body of a person, by the id, be read when it is its turn. */
  readonly bodyInTurn: ReturnType<typeof bodyTurns>
  /** Reads a calendar feed of a person, by the id, when it is its turn. */
  readonly feedInTurn: ReturnType<typeof feedTurns>
  /** The bundled database's disk has no room for writes. With an external database, that is its operator's concern. */
  readonly isDiskFull: () => boolean
}

/** Creates the singletons of a process, on a migrated database, for `main.ts` and for tests. */
export async function createSystem(config: Config, db: Db, report: Report = () => {}): Promise<System> {
  const installation = await db.selectFrom('installation').select('secret').executeTakeFirstOrThrow()
  // As a key object: given a Buffer, Node.js takes 12 µs instead of 2 for each signature.
  const secret = createSecretKey(installation.secret)
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
    requests: { answered: 0 },
    inTurn: costlyTurns(),
    changeInTurn: changeTurns(poolOf(db).options.max),
    bodyInTurn: bodyTurns(),
    feedInTurn: feedTurns(),
    live: openLive(db, config.session, report, replicas?.noteChange),
    isDiskFull: config.databaseUrl === undefined ? watchDisk(config.data) : () => false,
  }
}

/** Closes what `createSystem` opened; the database is closed by its opener. */
export async function closeSystem({ mailer, replicas }: System) {
  mailer.close()
  await replicas?.close()
}

import type { Config } from '../config.ts'
import type { Db } from '../db/db.ts'

/** What a process has one of, made by `main.ts` or by a test and handed to every call. */
export interface System {
  readonly config: Config
  /** The pool. Handlers use the `db` of their context; this one is for work that outlives a request. */
  readonly db: Db
  /** Signs CSRF tokens and mail links; the same on all nodes. */
  readonly secret: Buffer
}

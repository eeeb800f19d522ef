import { isBusyOrAway, sqlState } from '../db/sql-state.ts'
import { Failure } from '../lib/failure.ts'
import { OperatorError, UsageError } from '../operator-error.ts'

/** One line for an error the operator can fix; all details for a defect. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof OperatorError) return error.message
  if (error instanceof Failure) return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message
  const [reason] = error.message.split('\n')
  // The client of S3 adds this to all its errors, and those of its connection look like the database's.
  if ('$metadata' in error)
    return `The storage of attachments failed (${reason}): make sure that it answers and that its key has every right it needs, then try again.`
  if (sqlState(error) === '53100') return `The disk of the database is full (${reason}): make room there, then try again.`
  if (sqlState(error) === '42501')
    return `The database refuses its user something (${reason}): make the user of DATABASE_URL the owner of the database and of all that is in it.`
  if (isBusyOrAway(error)) return `The database went away or is too busy (${reason}): make sure that it is running, then try again.`
  // ENOSPC, EROFS, EACCES and the like: the message names the file.
  if ('syscall' in error) return `A file cannot be read or written (${reason}): fix that, then try again.`
  return error.stack ?? error.message
}

/** One line when the command was called incorrectly; null for any other error. */
export function explainUsage(error: unknown, command: string | undefined) {
  if (error instanceof UsageError) return error.message
  const { code, message } = error as { code?: unknown; message: string }
  return String(code).startsWith('ERR_PARSE_ARGS') ? `${message.split('\n')[0]} (tessera ${command} --help)` : null
}

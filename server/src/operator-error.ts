/** An error the operator can fix. The message is one line: the problem and what to do. */
export class OperatorError extends Error {
  override name = 'OperatorError'
}

/** The command was called incorrectly; nothing was done. */
export class UsageError extends OperatorError {}

/** One line for an error the operator can fix; all details for a defect. */
export function explain(error: unknown): string {
  if (error instanceof OperatorError) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** One line when the command was called incorrectly; null for any other error. */
export function explainUsage(error: unknown, command: string | undefined) {
  if (error instanceof UsageError) return error.message
  const { code, message } = error as { code?: unknown; message: string }
  return String(code).startsWith('ERR_PARSE_ARGS') ? `${message.split('\n')[0]} (tessera ${command} --help)` : null
}

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

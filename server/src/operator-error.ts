/** A fault the operator can mend. The message is one line: what is wrong, and what to do. */
export class OperatorError extends Error {
  override name = 'OperatorError'
}

/** The command was called wrongly: nothing was tried. */
export class UsageError extends OperatorError {}

/** One line for a fault the operator can mend; everything known about a defect. */
export function explain(error: unknown): string {
  if (error instanceof OperatorError) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

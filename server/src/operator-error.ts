/** An error the operator can fix. The message is one line: the problem and what to do. */
export class OperatorError extends Error {
  override name = 'OperatorError'
}

/** The command was called incorrectly; nothing was done. */
export class UsageError extends OperatorError {}

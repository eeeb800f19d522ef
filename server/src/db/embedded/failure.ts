/** A fault the operator can mend. The message is one line: what is wrong, and what to do. */
export class EmbeddedPostgresError extends Error {
  override name = 'EmbeddedPostgresError'
}

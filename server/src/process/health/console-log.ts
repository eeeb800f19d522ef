import { promisify } from 'node:util'
import sonic from 'sonic-boom'

/**
 * Pino's stream to standard output, in batches, at most a quarter of a second late: each write costs a message to another thread. What a full disk or a
 * slow reader does not take is tried again with later lines, and beyond `maxLength` characters dropped: it costs the log, not the server. Pino's own
 * destination ends the process at such an error, and at the exit waits until there is room.
 */
export const consoleLog = new sonic.SonicBoom({ fd: 1, sync: false, minLength: 4096, periodicFlush: 250, maxLength: 1_000_000 })
// Without a listener the error would end the process.
consoleLog.on('error', () => undefined)

/** Resolves when the lines so far are written, or at an error; never if the reader has stopped. */
export async function writeOutLog() {
  const flush = promisify(consoleLog.flush.bind(consoleLog))
  // While a write is under way, the first one waits for it alone, and fewer than `minLength` characters may be left.
  for (let attempt = 1; attempt <= 2; attempt++) await flush().catch(() => undefined)
}

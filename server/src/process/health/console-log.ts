import { write, writeSync } from 'node:fs'

const standardOutput = 1
const batchLength = 4096
const batchMilliseconds = 250
/** Until a reader that is slow is asked again. */
const pauseMilliseconds = 100
/** Characters that may wait for a slow reader; lines beyond them are dropped. */
const mostWaiting = 1_000_000

let waiting = ''
let isWriting = false
let timer: NodeJS.Timeout | undefined
let whenWritten: (() => void)[] = []

/**
 * The log on standard output, in batches, at most a quarter of a second late: each write costs a message to another thread. Lines that cannot be
 * written are dropped, so a full disk, or a reader that has stopped, costs the log and neither the server nor its end. Pino's own destination ends the
 * process at such an error, and at the exit waits until there is room.
 */
export const consoleLog = {
  write(line: string) {
    if (waiting.length < mostWaiting) waiting += line
    if (waiting.length >= batchLength) send()
    else sendLater()
  },
  /** Resolves when all lines so far are written or dropped. */
  flush() {
    const { promise, resolve } = Promise.withResolvers<void>()
    whenWritten.push(resolve)
    send()
    return promise
  },
}

function sendLater() {
  timer ??= setTimeout(send, batchMilliseconds).unref()
}

function send() {
  clearTimeout(timer)
  timer = undefined
  if (isWriting) return
  if (waiting !== '') {
    const batch = Buffer.from(waiting)
    waiting = ''
    isWriting = true
    return writeBatch(batch)
  }
  for (const done of whenWritten) done()
  whenWritten = []
}

function writeBatch(batch: Buffer) {
  write(standardOutput, batch, (error, written) => {
    if (error?.code === 'EAGAIN') return setTimeout(writeBatch, pauseMilliseconds, batch).unref()
    if (!error && written < batch.length) return writeBatch(batch.subarray(written))
    isWriting = false
    if (waiting.length >= batchLength || whenWritten.length > 0) send()
    else if (waiting !== '') sendLater()
  })
}

process.on('exit', () => {
  // While a batch waits for its reader, so would these lines.
  if (isWriting || waiting === '') return
  try {
    writeSync(standardOutput, waiting)
  } catch {
    // Dropped, like all that cannot be written.
  }
})

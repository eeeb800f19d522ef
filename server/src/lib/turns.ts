import { Failure } from './failure.ts'

const last = new Map<string, Promise<unknown>>()

/** Runs work with the same key one at a time within this process; waiting takes no database connection. */
export async function withMutex<T>(key: string, work: () => Promise<T>): Promise<T> {
  const before = last.get(key) ?? Promise.resolve()
  const mine = before.then(work)
  const settled = mine.catch(() => undefined)
  last.set(key, settled)
  try {
    return await mine
  } finally {
    if (last.get(key) === settled) last.delete(key)
  }
}

const longestWait = 120_000

/** A semaphore per key within this process; callers beyond the limit wait, up to two minutes; others are refused with 429 and this message. */
export function limitPerKey(atOnce: number, mostWaiting: number, refusal: string) {
  const tooMany = (retryAfterSeconds: number) => new Failure('throttled', refusal, { retryAfterSeconds })
  const running = new Map<number, number>()
  const waiting = new Map<number, (() => void)[]>()

  /** Whether it had to wait. */
  async function acquire(key: number, gone?: AbortSignal) {
    if ((running.get(key) ?? 0) < atOnce) {
      running.set(key, (running.get(key) ?? 0) + 1)
      return false
    }
    const queue = waiting.get(key) ?? []
    waiting.set(key, queue)
    if (queue.length >= mostWaiting) throw tooMany(5)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    queue.push(resolve)
    const leave = (reason: unknown) => {
      const at = queue.indexOf(resolve)
      if (at === -1) return // its turn has come
      queue.splice(at, 1)
      reject(reason)
    }
    const timer = setTimeout(() => leave(tooMany(60)), longestWait)
    gone?.addEventListener('abort', () => leave(gone.reason), { once: true })
    await promise.finally(() => clearTimeout(timer))
    return true
  }

  function release(key: number) {
    // Whoever ends passes the turn on, so the number of those that run stays the same.
    const next = waiting.get(key)?.shift()
    if (next) return next()
    waiting.delete(key)
    const left = (running.get(key) ?? 1) - 1
    if (left === 0) running.delete(key)
    else running.set(key, left)
  }

  /** A caller that is `gone` leaves the queue and gets no turn. */
  return async <T>(key: number, work: (hasWaited: boolean) => Promise<T>, gone?: AbortSignal) => {
    gone?.throwIfAborted()
    const hasWaited = await acquire(key, gone)
    try {
      gone?.throwIfAborted()
      return await work(hasWaited)
    } finally {
      release(key)
    }
  }
}

interface Waiting {
  start(): void
  refuse(reason: Failure): void
}

/**
 * A semaphore for everybody within this process. Of those who wait, each key gets a turn before any gets another one, so that somebody with a
 * hundred calls delays the first call of others by a single one. `tooMany` refuses whoever waits for `longestWait` milliseconds, or has `mostWaiting` calls waiting.
 */
export function fairTurns<Key>(atOnce: number, mostWaiting: number, longestWait: number, tooMany: () => Failure) {
  let running = 0
  /** In the order of their next turns. */
  const queues = new Map<Key, Waiting[]>()

  async function acquire(key: Key) {
    if (running < atOnce) {
      running++
      return
    }
    const queue = queues.get(key) ?? []
    if (queue.length >= mostWaiting) throw tooMany()
    const { promise, resolve: start, reject: refuse } = Promise.withResolvers<void>()
    const own = { start, refuse }
    queue.push(own)
    queues.set(key, queue)
    const timer = setTimeout(() => {
      queue.splice(queue.indexOf(own), 1)
      if (queue.length === 0) queues.delete(key)
      refuse(tooMany())
    }, longestWait)
    await promise.finally(() => clearTimeout(timer))
  }

  function release() {
    // Whoever ends passes the turn on, so the number of those that run stays the same.
    for (const [key, queue] of queues) {
      const next = queue.shift()
      queues.delete(key)
      if (queue.length > 0) queues.set(key, queue)
      if (next) return next.start()
    }
    running--
  }

  return async <T>(key: Key, work: () => Promise<T>): Promise<T> => {
    await acquire(key)
    try {
      return await work()
    } finally {
      release()
    }
  }
}

import { Failure } from '../lib/failure.ts'

const waitingPerKey = 20
const longestWait = 120_000

/** A semaphore per key; callers beyond the limit wait for a bounded time. */
export function limitPerKey(atOnce: number) {
  const running = new Map<number, number>()
  const waiting = new Map<number, (() => void)[]>()

  async function acquire(key: number) {
    if ((running.get(key) ?? 0) < atOnce) {
      running.set(key, (running.get(key) ?? 0) + 1)
      return
    }
    const queue = waiting.get(key) ?? []
    waiting.set(key, queue)
    if (queue.length >= waitingPerKey) throw tooMany(atOnce)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    queue.push(resolve)
    const timer = setTimeout(() => {
      queue.splice(queue.indexOf(resolve), 1)
      reject(tooMany(atOnce))
    }, longestWait)
    await promise.finally(() => clearTimeout(timer))
  }

  function release(key: number) {
    const next = waiting.get(key)?.shift()
    if (next) return next()
    waiting.delete(key)
    const left = (running.get(key) ?? 1) - 1
    if (left === 0) running.delete(key)
    else running.set(key, left)
  }

  return async <T>(key: number, work: () => Promise<T>) => {
    await acquire(key)
    try {
      return await work()
    } finally {
      release(key)
    }
  }
}

function tooMany(atOnce: number) {
  return new Failure('throttled', `At most ${atOnce} files are received at once`, { retryAfterSeconds: 5 })
}

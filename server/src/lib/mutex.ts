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

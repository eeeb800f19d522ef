import { setTimeout as sleep } from 'node:timers/promises'

export interface Poller {
  /** Starts no further `work` and waits for the one that is running. */
  stop(): Promise<void>
}

/** Calls `work` until stopped: again after the milliseconds that it returns, or after `pause` milliseconds when it fails. Failures are reported. */
export function startPolling(work: () => Promise<number>, pause: number, report: (error: unknown) => void): Poller {
  const stopping = new AbortController()
  const { signal } = stopping
  const poll = async () => {
    while (!signal.aborted) {
      const next = await work().catch(error => {
        if (!signal.aborted) report(error)
        return pause
      })
      // `stop` ends it.
      await sleep(next, undefined, { signal }).catch(() => undefined)
    }
  }
  const done = poll()
  return {
    async stop() {
      stopping.abort()
      await done
    },
  }
}

import { setTimeout as sleep } from 'node:timers/promises'

export interface Poller {
  /** Starts no further `work` and waits for the one that is running. */
  stop(): Promise<void>
}

/**
 * Calls `work` until stopped: again at once when it returns true, since there is more to do, and after `pause` milliseconds when it returns false or
 * fails. Failures are reported.
 */
export function startPolling(work: () => Promise<boolean>, pause: number, report: (error: unknown) => void): Poller {
  const stopping = new AbortController()
  const { signal } = stopping
  const poll = async () => {
    while (!signal.aborted) {
      const more = await work().catch(error => {
        if (!signal.aborted) report(error)
        return false
      })
      // `stop` ends the pause.
      if (!more) await sleep(pause, undefined, { signal }).catch(() => undefined)
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

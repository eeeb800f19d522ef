export interface Poller {
  /** Starts no further `work` and waits for the one that is running. */
  stop(): Promise<void>
}

/**
 * Calls `work` until stopped: again at once when it returns true, since there is more to do, and after `pause` milliseconds when it returns false or
 * fails. Failures are reported.
 */
export function startPolling(work: () => Promise<boolean>, pause: number, report: (error: unknown) => void): Poller {
  let stopped = false
  let wake = () => {}
  const poll = async () => {
    while (!stopped) {
      const more = await work().catch(error => {
        if (!stopped) report(error)
        return false
      })
      if (more || stopped) continue
      await new Promise<void>(resolve => {
        const timer = setTimeout(resolve, pause)
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
  }
  const done = poll()
  return {
    async stop() {
      stopped = true
      wake()
      await done
    },
  }
}

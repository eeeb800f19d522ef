export interface Turns {
  /** Takes no further turn and waits for the one that is being taken. */
  stop(): Promise<void>
}

/**
 * Takes turns until stopped: at once while `work` answers true, since there is more to do, and `pause` milliseconds later when it answers
 * false or fails. Failures are reported.
 */
export function takeTurns(work: () => Promise<boolean>, pause: number, report: (error: unknown) => void): Turns {
  let stopped = false
  let wake = () => {}
  const turns = async () => {
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
  const done = turns()
  return {
    async stop() {
      stopped = true
      wake()
      await done
    },
  }
}

import { onReachedAgain } from '../../../lib/calls/reach.ts'

/** Loads a part. While it cannot be loaded, tries again each time that the server is reached again. */
export function onceReached<Part>(load: () => Promise<Part>): Promise<Part> {
  return load().catch(
    () =>
      new Promise<Part>(resolve => {
        const stop = onReachedAgain(() => {
          stop()
          resolve(onceReached(load))
        })
      }),
  )
}

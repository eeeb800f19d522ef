import { OperatorError } from '../../operator-error.ts'
import type { Storage } from '../../storage/storage.ts'

/** Most of the time passes in waiting for the disk or for S3. */
const atOnce = 8

/** Stores the files of an archive, some at once. `all` must have resolved before their rows are committed. Both throw OperatorError if a file cannot be stored. */
export function keepFiles(storage: Storage) {
  const storing = new Set<Promise<void>>()
  let fault: unknown
  return {
    async keep(key: string, _size: number, content: AsyncIterable<Buffer>) {
      while (storing.size >= atOnce) await Promise.race(storing)
      if (fault) throw fault
      const incoming = await storage.receive().catch(notStored)
      try {
        for await (const chunk of content) await incoming.write(chunk).catch(notStored)
      } catch (error) {
        await incoming.discard()
        throw error
      }
      const one: Promise<void> = incoming
        .keep(key)
        .catch(notStored)
        .finally(() => incoming.discard())
        .catch(error => {
          fault ??= error
        })
        .finally(() => storing.delete(one))
      storing.add(one)
    },
    async all() {
      await Promise.all(storing)
      if (fault) throw fault
    },
  }
}

function notStored(error: Error): never {
  throw new OperatorError(
    `The attachments cannot be stored (${error.message}): make room, or correct TESSERA_STORAGE, then restore again.`,
    { cause: error },
  )
}

import { constants } from 'node:fs'
import { link, mkdir, open, opendir, rename, statfs, unlink, writeFile } from 'node:fs/promises'
import path from 'node:path'

/** Every file in this folder and below it; none when there is no such folder. */
export async function* filesBelow(folder: string): AsyncGenerator<string> {
  const entries = await opendir(folder).catch(ignoreMissing)
  if (!entries) return
  for await (const entry of entries) {
    const file = path.join(folder, entry.name)
    if (entry.isDirectory()) yield* filesBelow(file)
    else if (entry.isFile()) yield file
  }
}

/** The file appears whole or not at all, and where the file system has links never in place of another. */
export async function publishOnce(temporary: string, file: string, content: string) {
  try {
    await writeFile(temporary, content, { mode: 0o600, flag: 'wx', flush: true })
    await link(temporary, file).catch(error => {
      // Without links one that appeared at the same moment is replaced.
      if (codeOf(error) !== 'EEXIST') return rename(temporary, file)
    })
  } finally {
    await unlink(temporary).catch(ignoreMissing)
  }
}

export async function syncFolder(folder: string) {
  // Windows cannot open a folder, and needs no such call.
  const handle = await open(folder, constants.O_RDONLY).catch(() => null)
  await handle?.sync().catch(() => {})
  await handle?.close()
}

export function codeOf(error: unknown) {
  return (error as NodeJS.ErrnoException | null)?.code
}
/** For `catch`: undefined where there is no such file. */
export function ignoreMissing(error: unknown): undefined {
  if (codeOf(error) !== 'ENOENT') throw error
}

/** The space on the disk of a folder, which is made if necessary. In bytes. */
export async function spaceAt(folder: string) {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const { bavail, blocks, bsize } = await statfs(folder)
  return { bytes: bavail * bsize, total: blocks * bsize }
}

/** Attachments are refused when less space than this would be free on a disk of this size. In bytes. */
export function leastFreeSpace(total: number) {
  return Math.max(2 ** 30, total / 20)
}

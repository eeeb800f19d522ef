import type { FileHandle } from 'node:fs/promises'

/** The bytes from `position` on; fewer than `length` at the end of the file. */
export async function readPart(handle: FileHandle, position: number, length: number) {
  const buffer = Buffer.alloc(length)
  const { bytesRead } = await handle.read(buffer, 0, length, position)
  return buffer.subarray(0, bytesRead)
}

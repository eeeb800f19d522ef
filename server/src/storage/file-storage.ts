import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { mkdir, open, opendir, readdir, readFile, rename, rm, stat, unlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { codeOf, filesBelow, ignoreMissing, leastFreeSpace, publishOnce, spaceAt, syncFolder } from './files.ts'
import { receiveIn, removeAbandoned, requireSpace, storageFailure } from './incoming.ts'
import type { BinnedFile, StorageMark } from './names.ts'
import { binFolder, binName, isKey, markName, parseBinName, parseMark, requireKey, writeMarkText } from './names.ts'
import type { Storage } from './storage.ts'

const temporaryFolder = 'incoming'

/** Files below one folder. Temporary files lie on the same volume, so that a rename publishes them whole. */
export class FileStorage implements Storage {
  readonly #directory: string

  constructor(directory: string) {
    this.#directory = directory
  }

  async receive() {
    await requireSpace(this.free())
    return receiveIn(this.#pathOf(temporaryFolder), (from, key) => this.#publish(from, requireKey(key)))
  }

  async #publish(from: string, name: string) {
    const target = this.#pathOf(name)
    const folder = path.dirname(target)
    const made = await mkdir(folder, { recursive: true, mode: 0o700 })
    await rename(from, target)
    // The name is durable only when its folder is, and a new folder only when its parents are.
    for (let at = folder; ; at = path.dirname(at)) {
      await syncFolder(at)
      if (made === undefined || at.length < made.length) break
    }
  }

  async read(key: string) {
    try {
      const handle = await open(this.#pathOf(requireKey(key)), constants.O_RDONLY)
      return handle.createReadStream()
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return null
      throw storageFailure(error)
    }
  }

  async remove(key: string) {
    await unlink(this.#pathOf(requireKey(key))).catch(ignoreMissing)
  }

  async *list(after = '') {
    for await (const key of this.#keysBelow('', after)) {
      const found = await stat(this.#pathOf(key)).catch(ignoreMissing)
      if (found) yield { key, modifiedAt: found.mtime }
    }
  }

  async *#keysBelow(folder: string, after: string): AsyncGenerator<string> {
    const entries = (await readdir(this.#pathOf(folder), { withFileTypes: true }).catch(ignoreMissing)) ?? []
    // Also the order of the whole keys, because `/` comes before all digits.
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      // There may be foreign folders, such as lost+found, which only root may read.
      if (folder === '' && !/^\d+$/.test(entry.name)) continue
      const name = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (folder !== '' && !entry.isDirectory()) {
        if (isKey(name) && name > after) yield name
      } else if (`${name}/` > after || after.startsWith(`${name}/`)) yield* this.#keysBelow(name, after)
    }
  }

  removeAbandoned(before: Date) {
    return removeAbandoned(this.#pathOf(temporaryFolder), before)
  }

  async moveToBin(key: string, stamp: string) {
    await this.#publish(this.#pathOf(requireKey(key)), binName({ key, stamp })).catch(ignoreMissing)
  }

  async putBack(file: BinnedFile) {
    await this.#publish(this.#pathOf(binName(file)), file.key).catch(ignoreMissing)
  }

  async removeFromBin(file: BinnedFile) {
    await unlink(this.#pathOf(binName(file))).catch(ignoreMissing)
  }

  async *listBin() {
    for await (const name of this.#names(binFolder)) {
      const file = parseBinName(name)
      if (file) yield file
    }
  }

  async readMark() {
    const text = await readFile(this.#pathOf(markName), 'utf8').catch(ignoreMissing)
    return text === undefined ? null : parseMark(text)
  }

  async writeFirstMark(mark: StorageMark) {
    await publishOnce(await this.#temporary(), this.#pathOf(markName), writeMarkText(mark))
  }

  async replaceMark(mark: StorageMark) {
    const temporary = await this.#temporary()
    await writeFile(temporary, writeMarkText(mark), { mode: 0o600, flag: 'wx', flush: true })
    await this.#publish(temporary, markName)
  }

  async removeMark() {
    await rm(this.#pathOf(markName), { force: true })
  }

  async holdsAnything() {
    const entries = await opendir(this.#directory).catch(ignoreMissing)
    if (!entries) return false
    for await (const entry of entries) {
      if ([markName, temporaryFolder, 'lost+found'].includes(entry.name)) continue
      if (!entry.isDirectory()) return true
      // Removed files leave empty folders behind.
      for await (const _ of filesBelow(this.#pathOf(entry.name))) return true
    }
    return false
  }

  async free() {
    const space = await spaceAt(this.#directory)
    return { ...space, least: leastFreeSpace(space.total) }
  }

  async *#names(folder: string) {
    for await (const file of filesBelow(this.#pathOf(folder))) yield path.relative(this.#directory, file).split(path.sep).join('/')
  }

  async #temporary() {
    const folder = this.#pathOf(temporaryFolder)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    return path.join(folder, randomUUID())
  }

  #pathOf(name: string) {
    return path.join(this.#directory, ...name.split('/'))
  }
}

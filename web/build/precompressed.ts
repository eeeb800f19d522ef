import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

// The server sends the smallest version a browser takes, and compresses nothing twice.
export const precompressed: Plugin = {
  name: 'precompressed',
  apply: 'build',
  async writeBundle({ dir = '' }, bundle) {
    const texts = Object.keys(bundle).filter(file => /^assets\/.*\.(js|css|svg)$/.test(file))
    await Promise.all(
      texts.map(async file => {
        const content = await readFile(path.join(dir, file))
        if (content.length < 1024) return
        await writeFile(path.join(dir, `${file}.br`), await promisify(brotliCompress)(content))
        await writeFile(path.join(dir, `${file}.gz`), await promisify(gzip)(content, { level: 9 }))
      }),
    )
  },
}

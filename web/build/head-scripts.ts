import { readFileSync } from 'node:fs'
import path from 'node:path'
import { type HtmlTagDescriptor, minify, type Plugin } from 'vite'

// They run before the application: classic scripts in the head, with the nonce of the page. As files they would wait for the large ones to be compiled.
const scripts = ['memory-storage.js', 'color-scheme.js', 'cannot-start.js']

export const headScripts: Plugin = {
  name: 'head-scripts',
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle }) =>
      Promise.all(
        scripts.map(async (script): Promise<HtmlTagDescriptor> => {
          if (!bundle) return { tag: 'script', attrs: { src: `/src/${script}` }, injectTo: 'head' }
          const file = path.resolve(import.meta.dirname, '../src', script)
          const { code } = await minify(file, readFileSync(file, 'utf8'))
          // In a block, because the scripts of a page share their top-level names.
          return { tag: 'script', attrs: { nonce: '__SCRIPT_NONCE__' }, children: `{${code}}`, injectTo: 'head' }
        }),
      ),
  },
}

import { readFileSync } from 'node:fs'
import path from 'node:path'
import { minify, type Plugin } from 'vite'

// The scheme holds from the first paint: a classic script in the head, with the nonce of the page. As a file it would wait for the large ones to be compiled.
export const colorSchemeScript: Plugin = {
  name: 'color-scheme-script',
  transformIndexHtml: {
    order: 'post',
    handler: async (_html, { bundle }) => {
      if (!bundle) return [{ tag: 'script', attrs: { src: '/src/color-scheme.js' }, injectTo: 'head' }]
      const file = path.resolve(import.meta.dirname, '../src/color-scheme.js')
      const { code } = await minify(file, readFileSync(file, 'utf8'))
      return [{ tag: 'script', attrs: { nonce: '__SCRIPT_NONCE__' }, children: code, injectTo: 'head' }]
    },
  },
}

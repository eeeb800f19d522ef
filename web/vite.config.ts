import { readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, minify, type Plugin } from 'vite'

/**
 * Parts of libraries that are imported with what is used and never run here, as no button ripples or shows that it is loading, and nothing is
 * rendered on a server: the importing file, and how it names the part.
 */
const idleParts = [
  [/@mui[\\/]material[\\/]ButtonBase[\\/]/, /TouchRipple\.mjs$/],
  [/@mui[\\/]material[\\/](Icon)?Button[\\/]/, /CircularProgress\/index\.mjs$/],
  [/react-router[\\/]dist[\\/]production[\\/]lib[\\/]router[\\/]/, /instrumentation\.js$/],
  [/react-router[\\/]dist[\\/]production[\\/]lib[\\/]dom[\\/]ssr[\\/]/, /links\.js$/],
] as const
const idleNames = [
  ...['consumeInstrumentationClientResultMetaReceiver', 'getRouteInstrumentationUpdates', 'instrumentClientSideRouter'],
  ...[
    'getKeyedLinksForMatches',
    'getKeyedPrefetchLinks',
    'getModuleLinkHrefs',
    'getNewMatchesForLinks',
    'isPageLinkDescriptor',
    'prefetchRouteCss',
    'prefetchStyleLinks',
  ],
]
const withoutIdleParts: Plugin = {
  name: 'without-idle-parts',
  apply: 'build',
  enforce: 'pre',
  resolveId: (part, importer = '') => (idleParts.some(([from, name]) => name.test(part) && from.test(importer)) ? '\0idle' : undefined),
  load: id =>
    id === '\0idle'
      ? `const idle = () => null\nexport { ${['default', ...idleNames].map(name => `idle as ${name}`).join(', ')} }`
      : undefined,
}

// The theme's colours and measures as variables: in the stylesheet, so that they are there before any script runs, and not written anew at each start.
const themeVariables: Plugin = {
  name: 'theme-variables',
  resolveId: id => (id === 'virtual:theme.css' ? id : undefined),
  load: async id => {
    if (id !== 'virtual:theme.css') return
    const { theme } = await import('./src/theme.ts')
    return theme
      .generateStyleSheets()
      .map(sheet => cssOf(sheet))
      .join('\n')
  },
}
type Rules = { [name: string]: string | number | Rules }
function cssOf(rules: Rules): string {
  return Object.entries(rules)
    .map(([name, value]) => {
      if (typeof value === 'object') return `${name} {\n${cssOf(value)}\n}`
      return `${name.replace(/[A-Z]/g, letter => (name.startsWith('--') ? letter : `-${letter.toLowerCase()}`))}: ${value};`
    })
    .join('\n')
}

// What the server adds to each page, so that the browser asks for all of it at once: by page, the scripts that it needs besides those of every
// page, and the script that sends the first calls.
const firstNeeds: Plugin = {
  name: 'first-needs',
  apply: 'build',
  generateBundle(_options, bundle) {
    const chunks = Object.values(bundle).filter(file => file.type === 'chunk')
    const withImports = (fileName: string, found = new Set<string>()) => {
      if (found.has(fileName)) return found
      found.add(fileName)
      for (const imported of chunks.find(chunk => chunk.fileName === fileName)?.imports ?? []) withImports(imported, found)
      return found
    }
    const firstCalls = chunks.find(({ name }) => name === 'first-calls')?.fileName ?? ''
    const entries = chunks.filter(({ isEntry, fileName }) => isEntry && fileName !== firstCalls)
    const always = new Set(entries.flatMap(({ fileName }) => [...withImports(fileName)]))
    const pages = chunks.flatMap(({ facadeModuleId, fileName }) => {
      const page = /([^/\\]+)-page\.tsx$/.exec(facadeModuleId ?? '')?.[1]
      return page ? [[page, [...withImports(fileName)].filter(file => !always.has(file))]] : []
    })
    this.emitFile({ type: 'asset', fileName: 'first-needs.json', source: JSON.stringify({ firstCalls, pages: Object.fromEntries(pages) }) })
  },
}

// The scheme holds from the first paint: a classic script in the head, with the nonce of the page. As a file it would wait for the large ones to be compiled.
const colorSchemeScript: Plugin = {
  name: 'color-scheme-script',
  transformIndexHtml: {
    order: 'post',
    handler: async (_html, { bundle }) => {
      if (!bundle) return [{ tag: 'script', attrs: { src: '/src/color-scheme.js' }, injectTo: 'head' }]
      const file = path.resolve(import.meta.dirname, 'src/color-scheme.js')
      const { code } = await minify(file, readFileSync(file, 'utf8'))
      return [{ tag: 'script', attrs: { nonce: '__SCRIPT_NONCE__' }, children: code, injectTo: 'head' }]
    },
  },
}

// The server sends the smallest version a browser takes, and compresses nothing twice.
const precompressed: Plugin = {
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

/** Small parts of nearly every page behind the sign-in: one file instead of eight. */
const common =
  /@mui[\\/](utils[\\/](?!useRovingTabIndex)|material[\\/](utils|Card|Checkbox|FormControlLabel|internal[\\/]SwitchBase|ListItemIcon|Skeleton)[\\/])|web[\\/]src[\\/](components[\\/](unseen|section-card|permission-gate|skeleton-rows|phase-mark|tooltip-area)|lib[\\/]format)|@tanstack.*[\\/](queriesObserver|useQueries)|contract[\\/]src[\\/](projects|tickets|project-config)/

const server = 'http://127.0.0.1:3000'

export default defineConfig({
  plugins: [withoutIdleParts, themeVariables, firstNeeds, colorSchemeScript, react(), precompressed],
  server: { port: 5173, proxy: { '/api': server, '/healthz': server } },
  build: {
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
    modulePreload: { polyfill: false },
    // All of it comes with the page; a page's own would wait for its scripts.
    cssCodeSplit: false,
    rolldownOptions: {
      input: ['index.html', 'src/first-calls.ts'],
      output: {
        // Most functions of a file run as soon as it is here: the browser compiles them all while it loads, off the main thread.
        postBanner: '//# allFunctionsCalledOnLoad',
        chunkFileNames: ({ name }) => `assets/${name.split('~')[0]}-[hash].js`,
        codeSplitting: {
          groups: [
            // What the first calls are made with comes in a small file of its own.
            { name: 'calls', test: /contract[\\/]src|src[\\/]lib[\\/]first-calls|[\\/]ticket-view\.ts/, priority: 6 },
            // What every page needs: a file that changes with each release and three that hardly do, as one thread compiles a file. The rest goes by
            // who shares it.
            { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/, tags: ['$initial'], priority: 5 },
            { name: 'mui', test: /node_modules[\\/](@mui|@emotion|stylis)[\\/]/, tags: ['$initial'], priority: 4 },
            { name: 'vendor', test: /node_modules/, tags: ['$initial'], priority: 3 },
            { name: 'app', test: /^(?!.*src[\\/]first-calls)/, tags: ['$initial'], priority: 2 },
            { name: 'common', test: common, priority: 1 },
            { name: 'shared', minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 1200 },
          ],
        },
      },
    },
  },
})

import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { firstNeeds } from './build/first-needs.ts'
import { headScripts } from './build/head-scripts.ts'
import { precompressed } from './build/precompressed.ts'

const server = 'http://127.0.0.1:3000'

export default defineConfig({
  plugins: [firstNeeds, headScripts, react(), precompressed],
  server: { port: 5173, proxy: { '/api': server, '/healthz': server } },
  build: {
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
    modulePreload: { polyfill: false },
    // All of it comes with the page; a page's own would wait for its scripts.
    cssCodeSplit: false,
    rolldownOptions: {
      input: ['index.html', 'src/first-calls.ts'],
      // On a slow machine it prints which plugin took how long.
      checks: { bundlerTimings: false },
      output: {
        chunkFileNames: ({ name }) => `assets/${name.split('~')[0]}-[hash].js`,
        codeSplitting: {
          groups: [
            // What the first calls are made with comes in a small file of its own. Markdown and the query language are no part of it.
            {
              name: 'calls',
              test: /contract[\\/]src[\\/](?!text[\\/]|query-language[\\/])|src[\\/]lib[\\/]calls[\\/]first-calls|[\\/](ticket-view|saved-view|first-view|board-request|kept-board)\.ts/,
              priority: 6,
            },
            // What every page needs: a file that changes with each release and one that hardly does.
            { name: 'vendor', test: /node_modules/, tags: ['$initial'], priority: 3 },
            { name: 'app', test: /^(?!.*src[\\/]first-calls)/, tags: ['$initial'], priority: 2 },
            // Large, and wanted only where a text is drawn: it must not be merged with what many pages share.
            {
              name: 'markdown',
              test: /node_modules[\\/](markdown-it|linkify-it|mdurl|uc\.micro|entities|punycode\.js)[\\/]|src[\\/]text[\\/]markdown\.ts|[\\/]use-named\.ts/,
              priority: 2,
            },
            // Small parts of nearly every page come together; those of dialogs come with the first dialog.
            {
              name: 'parts',
              test: /web[\\/]src[\\/](lib|components)[\\/](?!autocomplete|select|dialog|form-dialog|confirm-dialog|leave-guard)/,
              minShareCount: 3,
              priority: 2,
            },
            { name: 'dialogs', test: /web[\\/]src[\\/]components[\\/]/, minShareCount: 3, priority: 1 },
            // What the pages without a session share.
            { name: 'entry', test: /features[\\/](session[\\/]entry|password-reset)[\\/]/, minShareCount: 2, priority: 1 },
            // As large as markdown: it must not be merged with small parts of the ticket page.
            { name: 'sortable', test: /node_modules[\\/]@dnd-kit[\\/]|components[\\/]sortable[\\/]/, priority: 1 },
            // The rest goes by who shares it.
            { name: 'shared', minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 5000 },
          ],
        },
      },
    },
  },
})

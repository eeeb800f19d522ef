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
        codeSplitting: {
          // The first group that fits takes a module and what it imports. What is left goes by who shares it.
          groups: [
            // What the first calls are made with comes in a small file of its own. Markdown and the query language are no part of it.
            {
              name: 'calls',
              test: /contract[\\/]src[\\/](?!names|text[\\/]|query-language[\\/])|src[\\/]lib[\\/]calls[\\/]first-calls|[\\/](ticket-view|saved-view|first-view|board-request|kept-board)\.ts/,
            },
            // What every page needs: a file that hardly changes and one that does with each release.
            { name: 'vendor', test: /node_modules/, tags: ['$initial'] },
            {
              name: 'app',
              test: /web[\\/](index\.html|src[\\/](components[\\/](card|link|skeleton)[\\/]|lib[\\/]display[\\/]format\.ts))/,
            },
            // What three or more pages share is one file. What forms share, and what dialogs share, are two more, for the first that needs them.
            {
              name: 'parts',
              test: /web[\\/]src[\\/](lib|components)[\\/](?!forms|input|calls[\\/]mutations|alert|field|text-field|toggle-group|switch|scroll-area|autocomplete|date-field|select|dialog|form-dialog|confirm-dialog|leave-guard)/,
              minShareCount: 3,
            },
            {
              name: 'forms',
              test: /web[\\/]src[\\/](lib[\\/](forms[\\/](?!drafts[\\/]kept)|input[\\/]copy-text)|components[\\/](alert|field|text-field|tabs))/,
              minShareCount: 2,
            },
            { name: 'dialogs', test: /web[\\/]src[\\/](components|lib[\\/]calls[\\/]mutations)[\\/]/, minShareCount: 3 },
            // Small modules that a ticket's page shares with dialogs and boards.
            { name: 'ticket', test: /tickets[\\/](ticket\.ts|text[\\/](?!diff)|ticket[\\/]fields[\\/](?!value-field))/, minShareCount: 2 },
            // The list of tickets, which the ticket's page has too.
            { name: 'view-project-page', test: /[\\/]view-project-page\.tsx/ },
          ],
        },
      },
    },
  },
})

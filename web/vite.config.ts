import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

// sonner injects its stylesheet from script, which a strict CSP refuses; app.css imports the same sheet as a file instead.
const sonnerCssAsFile: Plugin = {
  name: 'sonner-css-as-file',
  enforce: 'pre',
  transform: (code, id) => (id.includes('/sonner/dist/index.mjs') ? code.replace(/^__insertCSS\(.*$/m, '') : undefined),
}

const server = 'http://127.0.0.1:3000'

export default defineConfig({
  plugins: [sonnerCssAsFile, react()],
  server: { port: 5173, proxy: { '/api': server, '/healthz': server } },
  build: {
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler|react-router|@tanstack[\\/](react-)?query)/ },
            { name: 'mui', test: /node_modules[\\/](@mui|@emotion|@popperjs|react-transition-group|stylis)/ },
          ],
        },
      },
    },
  },
})

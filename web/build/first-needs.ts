import type { Plugin } from 'vite'

// What the server adds to each page, so that the browser asks for all of it at once: by page, the scripts that it needs besides those of every
// page, and the script that sends the first calls.
export const firstNeeds: Plugin = {
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
    const loadedLater = new Set(chunks.flatMap(({ dynamicImports }) => dynamicImports))
    const pages = chunks.flatMap(({ moduleIds, fileName }) => {
      const page = loadedLater.has(fileName) && moduleIds.flatMap(id => /([^/\\]+)-page\.tsx$/.exec(id)?.[1] ?? [])[0]
      return page ? [[page, [...withImports(fileName)].filter(file => !always.has(file))]] : []
    })
    this.emitFile({ type: 'asset', fileName: 'first-needs.json', source: JSON.stringify({ firstCalls, pages: Object.fromEntries(pages) }) })
  },
}

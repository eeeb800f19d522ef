import { configDefaults, defineConfig } from 'vitest/config'

// A test may take 60 s; one that may take longer says so itself, and why. On a Citus cluster every test may take longer: each statement
// passes two servers, and a database is created on three.
const isOnCluster = process.env.TESSERA_TEST_DATABASE === 'citus'
const limit = isOnCluster ? 300_000 : 60_000
const times = { testTimeout: limit, hookTimeout: limit, expect: { poll: { timeout: limit / 3 } } }

// What is about one PostgreSQL: the rows that it says it has read, and the settings of the one that the tests start.
const aboutOneServer = [
  'server/test/statement-count.test.ts',
  'server/test/postgres/database-cluster.test.ts',
  'server/src/features/search/known-words.test.ts',
]

// Workers are kept from file to file. Four for two processors: many tests wait for processes that they started.
const workers = { maxWorkers: 4, isolate: false }

export default defineConfig({
  test: {
    tags: [{ name: 'long', description: 'Left to `npm run test:all` by `npm test`: see CONTRIBUTING.md.' }],
    projects: [
      {
        test: {
          name: 'server',
          include: ['{contract,server}/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...(isOnCluster ? aboutOneServer : [])],
          globalSetup: ['server/test/postgres/database-cluster.ts'],
          ...workers,
          ...times,
        },
      },
      {
        test: {
          name: 'web',
          include: ['web/**/*.test.{ts,tsx}'],
          environment: 'jsdom',
          setupFiles: ['web/test/take-down.ts'],
          // Not setInterval: jsdom drives animation frames with an interval that outlives the test file.
          fakeTimers: { toFake: ['setTimeout', 'clearTimeout', 'Date'] },
          ...workers,
          ...times,
        },
      },
    ],
  },
})

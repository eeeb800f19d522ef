import { defineConfig } from 'vitest/config'

const times = { testTimeout: 120_000, hookTimeout: 120_000, expect: { poll: { timeout: 10_000 } } }

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'server',
          include: ['{contract,server}/**/*.test.ts'],
          globalSetup: ['server/test/database-cluster.ts'],
          maxWorkers: 3,
          ...times,
        },
      },
      {
        test: {
          name: 'web',
          include: ['web/**/*.test.{ts,tsx}'],
          environment: 'jsdom',
          setupFiles: ['web/test/take-down.ts'],
          ...times,
        },
      },
    ],
  },
})

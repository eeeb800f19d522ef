import { defineConfig } from '@playwright/test'

const executablePath = process.env.CHROME_PATH

export default defineConfig({
  testDir: '.',
  outputDir: '../test-results',
  globalSetup: './build-web.ts',
  // Node.js runs these as they are; translated by Playwright, 700 files take 4 s more.
  build: { external: ['**/server/**', '**/contract/**'] },
  fullyParallel: true,
  // Three for two processors: journeys wait for the network, the database and the next frame.
  workers: 3,
  forbidOnly: Boolean(process.env.CI),
  reporter: [['list']],
  // A test that takes longer says so, and why. None is tried again: one that passes only sometimes is a failure.
  timeout: 60_000,
  retries: 0,
  expect: { timeout: 20_000 },
  use: {
    viewport: { width: 1440, height: 900 },
    locale: 'en-US',
    timezoneId: 'UTC',
    // Motion takes a seventh of the processor time: `withMotion` is for tests of what moves.
    contextOptions: { reducedMotion: 'reduce' },
    // A recording takes as long again as the test; `npm run test:e2e -- --trace on` makes one.
    screenshot: 'only-on-failure',
    launchOptions: {
      ...(executablePath ? { executablePath } : {}),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
})

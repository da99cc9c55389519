import { defineConfig } from '@playwright/test'

const chromium = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium'
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run'
]

/** Chromium without its windows takes a quarter less time for the same pages. */
export const launchOptions = { executablePath: process.env['CHROMIUM_SHELL_PATH'] ?? chromium, args }

export default defineConfig({
  testDir: 'test/e2e',
  outputDir: 'test-results',
  // Limits are for what never ends. On a busy machine all takes many times as long.
  timeout: 180_000,
  expect: { timeout: 45_000 },
  forbidOnly: process.env['CI'] === 'true',
  fullyParallel: true,
  // A test waits for its server and its page more than half of its time: one more than there are processors in CI.
  workers: 3,
  reporter: [['list']],
  use: {
    browserName: 'chromium',
    viewport: { width: 1440, height: 900 },
    timezoneId: 'UTC',
    locale: 'en-GB',
    // A trace of every test would cost a fifth of all time: `--trace on` makes them where one has to be understood.
    screenshot: 'only-on-failure'
  },
  // What a whole browser keeps and sends is of interest in one file.
  projects: [
    {
      name: 'browser',
      testMatch: 'loopback.spec.ts',
      use: { launchOptions: { executablePath: chromium, args } }
    },
    { name: 'pages', testIgnore: 'loopback.spec.ts', use: { launchOptions } }
  ]
})

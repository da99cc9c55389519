import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import react from '@vitejs/plugin-react'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { nodeWorker } from './test/node-worker-plugin.ts'
import { webAssemblyText } from './webassembly-text.js'

const executablePath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium'
// Without a browser the rest still runs, except in CI, where a missing browser has to fail.
const withBrowser = existsSync(executablePath) || process.env['CI'] === 'true'

/**
 * These replace modules, for which all that imports them is loaded anew, or take a time of which loading is no part. All others share what
 * they load, which would take much of their time: what they change of a process they change back.
 */
const alone = [
  'src/backend/sources/{log-file,log-watch,run-watch}.test.ts',
  'src/backend/{library/unreadable,live-runs/recording-files,saved/cache-faults}.test.ts',
  'test/conformance/{contract,electron,mutations}.test.ts',
  'test/write-faults.test.ts'
]

const setupFiles = ['test/renew-folder.ts']

/** Whoever takes longest begins: at the end it would run alone. The others wait for processes and files while these compute. */
const longest = ['mutations', 'fixed-log', 'electron', 'live-recordings', 'growth', 'formats', 'corpus']

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      const at = longest.findIndex((name) => moduleId.endsWith(`/conformance/${name}.test.ts`))
      return at < 0 ? longest.length : at
    }
    return (await super.sort(files)).toSorted((a, b) => place(a) - place(b))
  }
}

export default defineConfig({
  plugins: [react(), webAssemblyText, nodeWorker()],
  test: {
    // A limit is for what never ends. On a busy machine all takes many times as long.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    // Many tests wait for processes, files and clocks: more of them at once than there are cores.
    maxWorkers: 2 * availableParallelism(),
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'node',
          environment: 'node',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: alone,
          setupFiles,
          isolate: false
        }
      },
      { extends: true, test: { name: 'alone', environment: 'node', setupFiles, include: alone } },
      ...(withBrowser
        ? [
            {
              extends: true as const,
              optimizeDeps: {
                include: [
                  '@tanstack/react-virtual',
                  'anser',
                  'diff',
                  'lowlight',
                  'marked',
                  'react',
                  'react-dom/client',
                  'react/jsx-dev-runtime',
                  'zustand',
                  'lucide-react',
                  'vitest-browser-react'
                ]
              },
              test: {
                name: 'browser',
                // After all others, and by itself: a page that has no time to draw is not what is tested.
                sequence: { groupOrder: 1 },
                maxWorkers: availableParallelism(),
                include: ['src/renderer/**/*.test.tsx'],
                env: { PLAYHEAD_THOROUGH: process.env['PLAYHEAD_THOROUGH'] ?? '' },
                browser: {
                  enabled: true,
                  headless: true,
                  screenshotFailures: false,
                  provider: playwright({ launchOptions: { executablePath, args: ['--no-sandbox'] } }),
                  instances: [{ browser: 'chromium' as const }]
                }
              }
            }
          ]
        : [])
    ]
  }
})

import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { webAssemblyText } from '../../webassembly-text.js'
import { nodeWorker } from '../node-worker-plugin.ts'

export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  plugins: [webAssemblyText, nodeWorker()],
  test: { include: ['test/real-agents/*.check.ts'], testTimeout: 120_000, fileParallelism: false, maxConcurrency: 1 }
})

// Loaded into the served process (`node --import`): reports, when it ends, how its main thread and its memory did.
import { writeFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'

if (isMainThread) {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  // Starting up is not what is measured: the log is opened by a call, a second later.
  setTimeout(() => delay.enable(), 700).unref()
  process.on('exit', () => {
    delay.disable()
    writeFileSync(
      process.env.PLAYHEAD_BENCH_REPORT,
      JSON.stringify({ longestBlockMs: delay.max / 1e6, peakRssBytes: process.resourceUsage().maxRSS * 1024 })
    )
  })
}

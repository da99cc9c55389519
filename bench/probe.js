// Loaded into the served process (`node --import`): reports, when it ends, how its main thread did.
import { readFileSync, writeFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'

/** Milliseconds this thread has run, which another process cannot lengthen; NaN where the system does not say. */
function threadMs() {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6
  } catch {
    return NaN
  }
}

if (isMainThread) {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  let longestRunMs = 0
  let last = NaN
  // Starting up is not what is measured: the log is opened by a call, a second later.
  setTimeout(() => {
    delay.enable()
    last = threadMs()
    setInterval(() => {
      const now = threadMs()
      longestRunMs = Math.max(longestRunMs, now - last)
      last = now
    }, 1).unref()
  }, 700).unref()
  process.on('exit', () => {
    const report = { longestBlockMs: delay.max / 1e6, longestRunMs }
    writeFileSync(process.env.PLAYHEAD_BENCH_REPORT, JSON.stringify(report))
  })
}

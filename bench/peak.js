// Loaded into a process (`node --import`): says, when it ends, how much memory it had at most.
import { readFileSync, writeFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

function peakBytes() {
  try {
    return 1024 * Number(/VmHWM:\s*(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1])
  } catch {
    return process.resourceUsage().maxRSS * 1024
  }
}

if (isMainThread) {
  process.on('exit', () => writeFileSync(process.env.PLAYHEAD_BENCH_REPORT, JSON.stringify({ peakBytes: peakBytes() })))
}

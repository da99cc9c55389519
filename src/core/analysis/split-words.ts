import type { Parallelism, TimeSplit } from './time-split.ts'

/** "model ≈ 38 %, tools ≈ 41 %, waiting for the person ≈ 17 %, unknown 4 %". Empty parts are left out. */
export function splitText(split: TimeSplit): string {
  const parts = [
    ['model ≈', split.modelMs],
    ['tools ≈', split.toolsMs],
    ['waiting for the person ≈', split.waitingMs],
    ['unknown', split.unknownMs]
  ] as const
  return parts.flatMap(([name, ms]) => (ms === 0 ? [] : [`${name} ${percent(ms, split.wallMs)}`])).join(', ')
}

/** "≈ 1.8, at most 3 calls and 2 subagents at once"; null if no length is known. */
export function parallelismText({ selfMs, busyMs, mostCalls, mostSubagents }: Parallelism): string | null {
  if (busyMs === 0) return null
  const most = `at most ${mostCalls} ${mostCalls === 1 ? 'call' : 'calls'}`
  const subagents = mostSubagents === 0 ? '' : ` and ${mostSubagents} ${mostSubagents === 1 ? 'subagent' : 'subagents'}`
  return `≈ ${(selfMs / busyMs).toFixed(1)}, ${most}${subagents} at once`
}

/** A small part is never nothing. */
function percent(ms: number, of: number): string {
  const share = (100 * ms) / of
  return share < 1 ? '< 1 %' : share > 99 && ms < of ? '> 99 %' : `${Math.round(share)} %`
}

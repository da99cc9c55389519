import type { AgentEvent } from '../../src/core/events/agent-event.ts'
import type { IssueDraft } from '../../src/core/formats/issue.ts'
import type { FoldedEvent, LogFormat } from '../../src/core/formats/log-format.ts'
import { LogReader } from '../../src/core/formats/log-reader.ts'
import { soloIdentity } from '../../src/core/formats/solo-identity.ts'
import { stamp } from '../../src/core/formats/stamp.ts'

/** A line of a log that was read, without its bytes. */
export interface LineSeen {
  readonly line: number
  readonly offset: number
  readonly length: number
  readonly terminated: boolean
  readonly blank: boolean
  readonly issues: readonly IssueDraft[]
}

export interface LogSeen {
  readonly lines: readonly LineSeen[]
  readonly folded: readonly FoldedEvent[]
  readonly events: readonly AgentEvent[]
}

/** Reads a whole log, in chunks that end at `cuts` (byte offsets, ascending). */
export function readLog(format: LogFormat, bytes: Uint8Array, cuts: readonly number[] = []): LogSeen {
  const lines: LineSeen[] = []
  const folded: FoldedEvent[] = []
  const reader = new LogReader(format, {
    line({ at, blank, issues, events }) {
      const { line, offset, length, terminated } = at
      lines.push({ line, offset, length, terminated, blank, issues })
      folded.push(...events)
    },
    end: (events) => folded.push(...events)
  })
  let start = 0
  for (const end of [...cuts, bytes.length]) {
    // A chunk of its own, overwritten afterwards: a reader that keeps the caller's bytes is found out.
    const chunk = bytes.slice(start, end)
    reader.push(chunk)
    chunk.fill(0x21)
    start = end
  }
  reader.end()
  const identity = soloIdentity(format.agentType)
  return { lines, folded, events: folded.map((event) => stamp(event, format.agentType, identity)) }
}

/** Offsets after every byte: each chunk is one byte. */
export function everyByte(length: number): number[] {
  return Array.from({ length }, (_, index) => index)
}

/** Offsets in ascending order, the same for the same seed. */
export function someCuts(length: number, count: number, seed: number): number[] {
  let state = seed
  const cuts = Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 0x100000000) * length)
  })
  return cuts.sort((a, b) => a - b)
}

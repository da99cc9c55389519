import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { AgentId } from '#contract/live-runs.ts'
import { allFixtures } from '../conformance/fixtures.ts'

export type Signal = 'SIGINT' | 'SIGTERM' | 'SIGKILL'

/** What a stand-in does, and when: as it was recorded. Times are ms since its start. */
export interface Play {
  readonly name: string
  readonly agent: AgentId
  /** The one that it prints, and can go on with. */
  readonly session: string | null
  /** As `--version` says it. */
  readonly version: string
  /** Files with what it prints. */
  readonly stdout: string
  readonly stderr: string | null
  /** When it writes how many bytes of stdout. */
  readonly chunks: readonly (readonly [ms: number, bytes: number])[]
  /** It goes on only after this signal, which it got at `signalledAfterMs`; null: it was not sent one. */
  readonly signalled: Signal | null
  readonly signalledAfterMs: number | null
  readonly exitedAfterMs: number
  readonly exitCode: number | null
  readonly exitSignal: Signal | null
  /** A command that it started is still there after it. */
  readonly leavesBehind: boolean
  /** How many times faster than it was recorded. */
  readonly speed: number
}

const ownPlays: Readonly<Record<string, AgentId>> = {
  'claude-stream-json/tasks-2.1.330': 'claude',
  'claude-stream-json/damage': 'claude',
  'codex-exec-json/plan-0.77': 'codex',
  'gemini-stream-json/todos-0.61': 'gemini'
}

/** Runs of the project's own fixtures, in pieces that end anywhere: they are there without a corpus, too. */
export function fixturePlays(): Play[] {
  return allFixtures().flatMap(({ formatId, name, input }) => {
    const agent = ownPlays[`${formatId}/${name}`]
    if (agent === undefined) return []
    const { length } = readFileSync(input)
    const piece = 331
    const pieces = Array.from({ length: Math.ceil(length / piece) }, (_, i) => Math.min(piece, length - i * piece))
    return [
      {
        name: `${formatId}/${name}`,
        agent,
        version: '1.2.3',
        session: sessionIn(input),
        stdout: fileURLToPath(input),
        stderr: null,
        chunks: pieces.map((bytes, i): [number, number] => [i * 25, bytes]),
        signalled: null,
        signalledAfterMs: null,
        exitedAfterMs: pieces.length * 25,
        exitCode: 0,
        exitSignal: null,
        leavesBehind: false,
        speed: 1
      }
    ]
  })
}

/** The first that is named in what it printed. */
export function sessionIn(file: string | URL): string | null {
  return /"(?:session_id|thread_id)":"([^"]+)"/.exec(readFileSync(file, 'utf8'))?.[1] ?? null
}

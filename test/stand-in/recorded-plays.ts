import { readFileSync } from 'node:fs'
import type { AgentId } from '#contract/live-runs.ts'
import { corpusFiles, corpusPath } from '../conformance/corpus.ts'
import { type Play, sessionIn, type Signal } from './play.ts'

/** As the recorder writes it (`meta.json`). */
interface Meta {
  readonly version: string
  readonly signal?: string
  readonly runs: readonly {
    readonly exitCode: number | null
    readonly exitSignal: Signal | null
    readonly exitedAfterMs: number
    readonly signalledAfterMs?: number
    readonly leftBehind: readonly string[]
  }[]
  readonly stdoutChunks: readonly Play['chunks'][]
}

/** Every run of real agents in the corpus, as recorded; none where there is no corpus. */
export function recordedPlays(): Play[] {
  return corpusFiles('recorded/')
    .filter((path) => path.endsWith('/meta.json'))
    .flatMap((path) => {
      const folder = path.slice(0, -'meta.json'.length)
      const meta = JSON.parse(readFileSync(corpusPath(path), 'utf8')) as Meta
      return meta.runs.map((run, i): Play => {
        const nth = i === 0 ? '' : `-${i + 1}`
        const stdout = corpusPath(`${folder}stdout${nth}.jsonl`)
        const signalled = run.signalledAfterMs === undefined ? null : (meta.signal?.split(' ')[0] as Signal)
        return {
          name: `${folder.slice('recorded/'.length, -1)}${nth}`,
          agent: agentOf(folder.split('/')[1] ?? ''),
          version: meta.version,
          session: sessionIn(stdout),
          stdout,
          stderr: corpusPath(`${folder}stderr${nth}.txt`),
          chunks: meta.stdoutChunks[i] ?? [],
          signalled,
          signalledAfterMs: run.signalledAfterMs ?? null,
          exitedAfterMs: run.exitedAfterMs,
          exitCode: run.exitCode,
          exitSignal: run.exitSignal,
          leavesBehind: run.leftBehind.length > 0,
          speed: 1
        }
      })
    })
}

function agentOf(run: string): AgentId {
  const [agent] = run.split('-')
  if (agent === 'claude' || agent === 'codex' || agent === 'gemini') return agent
  throw new Error(`${run}: a run of which agent?`)
}

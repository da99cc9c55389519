import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { json } from '../command-line.ts'
import { sharedFolder } from '../shared-folder.ts'
import { corpusIsHere, corpusLogs, corpusPath } from './corpus.ts'
import * as reader from './usage-reader.ts'

if (!corpusIsHere) console.warn('usage.test.ts: skipped, ../shared/corpus is not here')

const cursorFolder = sharedFolder('corpus-next/cursor-stream-json')

interface Usage extends Record<keyof reader.Sums, number | null> {
  readonly requests: number | null
  readonly understatedRequests: number
}

interface Stats {
  readonly format: string
  readonly usage: Usage | null
  readonly files?: readonly { readonly name: string }[]
}

function sumsOf(path: string, { format, files = [] }: Stats): reader.Sums | null {
  const paths = [path, ...files.map(({ name }) => join(dirname(path), name))]
  switch (format) {
    case 'claude-transcript':
      return reader.claudeTranscriptSums(paths)
    case 'claude-stream-json':
      return reader.claudeStreamSums(path)
    case 'codex-rollout':
      return reader.rolloutSums(paths)
    case 'codex-exec-json':
      return reader.execSums(path)
    case 'gemini-chat':
      return reader.geminiChatSums(paths)
    case 'gemini-stream-json':
      return reader.geminiStreamSums(path)
    case 'cursor-stream-json':
      return reader.cursorSums(path)
    default:
      return null
  }
}

/** A log that states nothing has no usage; the small reader knows no difference between that and 0. */
function counted(usage: Usage | null): reader.Sums {
  const { input, cacheRead, cacheWrite, output } = usage ?? { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 }
  return { input: input ?? 0, cacheRead: cacheRead ?? 0, cacheWrite: cacheWrite ?? 0, output: output ?? 0 }
}

/** Its messages say nothing of most requests; the end of the turn states what those took. */
const statedByTurn: Readonly<Record<string, reader.Sums>> = {
  'claude-stream-json/marquex__trackgentic__975d2bda.jsonl': {
    input: 18_073,
    cacheRead: 1_515_008,
    cacheWrite: 0,
    output: 6969
  }
}

/**
 * Of transcripts: written by Claude Code 1.0.51 to 2.1.39, or cut. On stdout a subagent's output is not stated, nor is that of a run without
 * its result.
 */
const understatedLogs = [
  'claude-stream-json/BloopAI__vibe-kanban__75bfb7fb.jsonl',
  'claude-stream-json/generated/c21112-agenttask.jsonl',
  'claude-stream-json/generated/c330-agent.jsonl',
  'claude-stream-json/marquex__trackgentic__2a00ec2d.jsonl',
  'claude-transcript/d-kimuson__claude-code-viewer__836aad49.jsonl',
  'claude-transcript/d-kimuson__claude-code-viewer__fa5d7b90.jsonl',
  'claude-transcript/dagster-io__erk__76f9e465.jsonl',
  'claude-transcript/dagster-io__erk__a98d6941.jsonl',
  'claude-transcript/entireio__cli__1a2aeb4e.jsonl',
  'claude-transcript/entireio__cli__27fe42cd.jsonl',
  'claude-transcript/entireio__cli__36ec89aa.jsonl',
  'claude-transcript/entireio__cli__4fe67600.jsonl',
  'claude-transcript/entireio__cli__64321a2b.jsonl',
  'claude-transcript/entireio__cli__b8fdde18.jsonl',
  'claude-transcript/entireio__cli__fc44860a.jsonl',
  'claude-transcript/jnarowski__agentcmd__2934b369.jsonl',
  'claude-transcript/jnarowski__agentcmd__3eb42517.jsonl',
  'claude-transcript/marot__spotter__4d5611e5-241a-462a-8d15-5122611a9569.jsonl',
  'claude-transcript/marot__spotter__4d5611e5-241a-462a-8d15-5122611a9569/subagents/agent-a2898e3.jsonl',
  'claude-transcript/slopus__happy__9468c8d6.jsonl',
  'claude-transcript/slopus__happy__96d6070a.jsonl',
  'claude-transcript/slopus__happy__df2a8a03.jsonl',
  'recorded/claude/sigint-in-text/stdout.jsonl',
  'recorded/claude/sigint-in-text/transcript/projects/-tmp-demo-project/467f4f51-1ae0-449c-9405-973d45a65137.jsonl',
  'recorded/claude/sigkill-group-in-tool/stdout.jsonl',
  'recorded/claude/sigkill-in-tool/stdout.jsonl',
  'recorded/claude/sigterm-group-in-tool/stdout.jsonl',
  'recorded/claude/sigterm-in-tool/stdout.jsonl',
  'recorded/claude/subagent-todowrite/stdout.jsonl'
]

const understated: string[] = []

describe.skipIf(!corpusIsHere)('the usage of stats', () => {
  for (const name of corpusLogs()) {
    test(name, async () => {
      const path = corpusPath(name)
      const stats = (await json('stats', path)) as unknown as Stats
      expect(counted(stats.usage)).toEqual(statedByTurn[name] ?? sumsOf(path, stats))
      if ((stats.usage?.understatedRequests ?? 0) > 0) understated.push(name)
    })
  }

  test('these logs state less output than there is', () => {
    expect(understated).toEqual(understatedLogs)
  })
})

describe.skipIf(cursorFolder === null)('the usage of Cursor', () => {
  for (const name of cursorFolder === null ? [] : readdirSync(cursorFolder)) {
    test(name, async () => {
      const path = `${cursorFolder}${name}`
      const stats = (await json('stats', path)) as unknown as Stats
      expect(stats.format).toBe('cursor-stream-json')
      expect(counted(stats.usage)).toEqual(sumsOf(path, stats))
    })
  }
})

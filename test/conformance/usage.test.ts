import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { json } from '../command-line.ts'
import { sharedFolder } from '../shared-folder.ts'
import { every } from '../thorough.ts'
import { corpusIsHere, corpusLogs, corpusPath } from './corpus.ts'
import * as reader from './usage-reader.ts'

if (!corpusIsHere) console.warn('usage.test.ts: skipped, ../shared/corpus is not here')

const nextFolder = sharedFolder('corpus-next')

interface Usage extends Record<keyof reader.Sums, number | null> {
  readonly requests: number | null
  readonly understatedRequests: number
}

interface Stats {
  readonly format: string | null
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
    case 'trae':
      return reader.rolloutSums(paths)
    case 'codex-app-server':
      return reader.appServerSums(path)
    case 'pi':
    case 'openclaw':
      return reader.piSums(path)
    case 'opencode':
      return reader.opencodeSums(path)
    case 'copilot-cli':
      return reader.copilotSums(path)
    case 'kimi-cli':
      return reader.kimiSums(path)
    case 'atif':
      return reader.atifSums(path)
    case 'swe-agent':
      return reader.sweAgentSums(path)
    default:
      return null
  }
}

/** A log that states nothing has no usage; the small reader knows no difference between that and 0. */
function counted(usage: Usage | null): reader.Sums {
  const { input, cacheRead, cacheWrite, output } = usage ?? { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 }
  return { input: input ?? 0, cacheRead: cacheRead ?? 0, cacheWrite: cacheWrite ?? 0, output: output ?? 0 }
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
      expect(counted(stats.usage)).toEqual(sumsOf(path, stats))
      if ((stats.usage?.understatedRequests ?? 0) > 0) understated.push(name)
    })
  }

  test('these logs state less output than there is', () => {
    expect(understated).toEqual(understatedLogs)
  })
})

/** Files beside the logs of `corpus-next`, and logs in which only the product knows what is one request. */
const noLogs =
  /(?:README\.md|expected\.json|meta\.json|state\.json|summary\.json|stdin[^/]*|order\.jsonl|stderr[^/]*|\.db|\.vscdb)$/
const unread = new Set(['openhands', 'qwen-code', 'amp', 'iflow', 'mini-swe-agent', 'factory-droid', 'crush'])

/** Every third log of runs that were recorded alike; all others. */
const further = nextFolder === null ? [] : readdirSync(nextFolder, { recursive: true, encoding: 'utf8' }).sort()
const logs = further.filter((name) => /\.(?:jsonl|json|traj)$/.test(name) && !noLogs.test(name))
const isRecorded = (name: string): boolean => /^(?:interactive|recorded-3)/.test(name)
const chosen = [...logs.filter((name) => !isRecorded(name)), ...every(3, logs.filter(isRecorded))]

describe.skipIf(nextFolder === null)('the usage of further logs', () => {
  for (const name of chosen) {
    test(name, async () => {
      const path = `${nextFolder}${name}`
      const stats = (await json('stats', path, '--single')) as unknown as Stats
      if (stats.format === null || unread.has(stats.format)) return
      expect(counted(stats.usage)).toEqual(sumsOf(path, stats) ?? stats.format)
    })
  }
})

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { issueCodes } from '../../src/core/formats/issue.ts'
import {
  expectCutReadable,
  expectEveryLineRead,
  expectExportAgrees,
  expectInOrder,
  expectReadableAgain,
  expectSameInChunks,
  expectUniqueIds
} from './properties.ts'
import { openLog, readLog, someCuts } from './read-log.ts'

/** Real logs of further agents, if they are beside the checkout: what each is read as was compared with the log by hand. */
const root = new URL('../../../shared/corpus-next/other-agents/', import.meta.url).pathname
const isHere = existsSync(root)
if (!isHere) console.warn('other-agents.test.ts: skipped, ../shared/corpus-next is not here')

/** By path: the format, and `records calls/results/failed lists notices`; violations are listed one by one. */
const logs: Readonly<Record<string, readonly [format: string, counts: string, ...violations: string[]]>> = {
  'opencode/SREGym__opencode-export.json': ['opencode', '15 18/18/0 0 0'],
  'opencode/tsutoringo__shui__3ea5cea8.json': ['opencode', '37 119/119/1 0 0'],
  'opencode/untether__run_json.jsonl': ['opencode', '5 1/1/0 0 0'],
  'copilot-cli/SREGym__copilot-cli.jsonl': ['copilot-cli', '171 10/10/0 0 0', 'JsonParse null'],
  'copilot-cli/jazzyalex__events-small.jsonl': ['copilot-cli', '32 2/4/3 0 0'],
  'pi/pi-mono__before-compaction.jsonl': ['pi', '1003 454/448/12 0 0'],
  'pi/ivoba__dotfiles__9078454b.jsonl': ['pi', '281 130/129/19 0 0'],
  'pi/prime-radiant__pi-session.slice.jsonl': ['pi', '10 3/2/0 0 0'],
  'openclaw/jazzyalex__large.jsonl': ['openclaw', '11 2/2/0 0 0'],
  'qwen-code/jazzyalex__system_telemetry.jsonl': ['qwen-code', '8 1/1/0 0 0'],
  'qwen-code/jazzyalex__0004.jsonl': ['qwen-code', '9 1/0/0 0 0'],
  'factory-droid/jazzyalex__session_store_large.jsonl': ['factory-droid', '9 1/1/0 0 0'],
  'factory-droid/jazzyalex__stream_json_large.jsonl': ['factory-droid', '7 1/1/0 0 0'],
  'amp/untether__amp_stream_success.jsonl': ['amp', '5 1/1/0 0 0'],
  'iflow/session-5de701fc.jsonl': ['iflow', '16 6/6/0 0 0'],
  'trae/rollout_subagent.jsonl': ['trae', '18 3/3/0 0 0'],
  'kimi-cli/context.jsonl': ['kimi-cli', '7 1/1/0 0 0'],
  'openhands/trajs-basic.json': ['openhands', '4 1/1/0 0 0'],
  'openhands/harbor-session/events/0.json': ['openhands', '1 0/0/0 0 0'],
  'openhands/harbor-session/events/3.json': ['openhands', '1 0/1/0 0 0 unpaired 1'],
  'swe-agent/swe-agent__test-repo-i1.traj': ['swe-agent', '19 5/5/0 0 0'],
  'mini-swe-agent/local.traj.json': ['mini-swe-agent', '6 2/1/0 0 0']
}

describe.skipIf(!isHere)('logs of further agents', () => {
  for (const [path, [format, counts, ...violations]] of Object.entries(logs)) {
    test(path, { timeout: 60_000 }, () => {
      const bytes = new Uint8Array(readFileSync(join(root, path)))
      const log = openLog(bytes)
      expect(log.format.id).toBe(format)
      const seen = readLog(log)
      expectEveryLineRead(log, seen)
      expectInOrder(seen)
      expectUniqueIds(seen)
      expectReadableAgain(log, seen)
      expectExportAgrees(seen)
      expectSameInChunks(log, seen, someCuts(bytes.length, 100, 7))
      for (const cut of someCuts(bytes.length, bytes.length > 1_000_000 ? 2 : 8, 11)) expectCutReadable(log, seen, cut)
      const of = (type: string) => seen.events.filter((event) => event.type === type)
      const issues = seen.lines.flatMap((line) => line.issues)
      const severe = issues.filter(({ code }) => issueCodes[code].severity !== 'notice')
      const called = new Set(of('tool.started').flatMap((event) => ('toolId' in event ? [event.toolId] : [])))
      for (const event of of('todo_list')) if ('todoId' in event) called.add(event.todoId)
      const answers = seen.events.flatMap((event) => (event.type === 'tool.completed' ? [event] : []))
      const unpaired = answers.filter(({ toolId }) => !called.has(toolId)).length
      const failed = answers.filter(({ error }) => error !== undefined).length
      expect(severe.map(({ code, path: at }) => `${code} ${at}`)).toEqual(violations)
      expect(
        `${seen.lines.length} ${of('tool.started').length}/${answers.length}/${failed} ${of('todo_list').length} ${issues.length - severe.length}` +
          (unpaired === 0 ? '' : ` unpaired ${unpaired}`)
      ).toBe(counts)
    })
  }
})

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { issueCodes } from '../../src/core/formats/issue.ts'
import { openLog as openSource } from '#backend/sources/open-log.ts'
import { json } from '../command-line.ts'
import { sharedFolder } from '../shared-folder.ts'
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
const folder = sharedFolder('corpus-next/other-agents')
const isHere = folder !== null
const root = folder ?? ''
if (!isHere) console.warn('other-agents.test.ts: skipped, ../shared/corpus-next is not here')

interface Expected {
  readonly format: string
  /** `records calls/results/failed lists notices`. */
  readonly counts: string
  /** `input/cache read/cache write/output`; `-` is what the log does not state. */
  readonly tokens?: string
  /** The first and the last time of records that are events, as stated. Some logs have none. */
  readonly times?: readonly [first: string, last: string]
  readonly violations?: readonly string[]
}

/** By path. All values are those of the log itself, counted with a script that shares nothing with Playhead. */
const logs: Readonly<Record<string, Expected>> = {
  'opencode/SREGym__opencode-export.json': {
    format: 'opencode',
    counts: '15 18/18/0 0 0',
    tokens: '15825/216704/0/4351',
    times: ['2026-06-30T05:34:08.284Z', '2026-06-30T05:38:07.611Z']
  },
  'opencode/tsutoringo__shui__3ea5cea8.json': {
    format: 'opencode',
    counts: '37 119/119/1 0 0',
    tokens: '471759/3745792/0/52820',
    times: ['2026-08-15T21:12:22.513Z', '2026-08-15T21:36:51.943Z']
  },
  'opencode/untether__run_json.jsonl': {
    format: 'opencode',
    counts: '5 1/1/0 0 0',
    tokens: '534/0/0/192',
    times: ['2026-01-03T12:56:40.200Z', '2026-01-03T12:56:42.000Z']
  },
  'copilot-cli/SREGym__copilot-cli.jsonl': {
    format: 'copilot-cli',
    counts: '171 10/10/0 0 0',
    tokens: '-/-/-/1642',
    times: ['2026-07-04T14:18:29.585Z', '2026-07-04T14:19:45.666Z'],
    violations: ['JsonParse null']
  },
  'copilot-cli/jazzyalex__events-small.jsonl': {
    format: 'copilot-cli',
    counts: '32 2/4/3 0 18',
    tokens: '100/5/0/15',
    times: ['2025-12-18T21:32:05.000Z', '2025-12-18T21:32:16.000Z']
  },
  'pi/pi-mono__before-compaction.jsonl': {
    format: 'pi',
    counts: '1003 454/448/12 0 0',
    tokens: '3689/54693675/1685320/187895',
    times: ['2025-12-08T22:41:05.306Z', '2025-12-09T00:53:29.825Z']
  },
  'pi/ivoba__dotfiles__9078454b.jsonl': {
    format: 'pi',
    counts: '281 130/129/19 0 0',
    tokens: '37853/1892992/0/8303',
    times: ['2026-08-04T06:19:38.381Z', '2026-08-05T06:40:08.241Z']
  },
  'pi/prime-radiant__pi-session.slice.jsonl': {
    format: 'pi',
    counts: '10 3/2/0 0 0',
    tokens: '22100/21728/8/213',
    times: ['2026-06-15T21:09:55.184Z', '2026-06-15T21:11:10.000Z']
  },
  'openclaw/jazzyalex__large.jsonl': {
    format: 'openclaw',
    counts: '11 2/2/0 0 0',
    times: ['2026-02-24T10:00:00.000Z', '2026-05-19T18:12:00.000Z']
  },
  'qwen-code/jazzyalex__system_telemetry.jsonl': { format: 'qwen-code', counts: '8 1/1/0 0 8' },
  'qwen-code/jazzyalex__0004.jsonl': {
    format: 'qwen-code',
    counts: '9 1/0/0 0 0',
    tokens: '12/-/-/4',
    times: ['2026-08-17T13:00:00.000Z', '2026-08-17T13:00:06.000Z']
  },
  'factory-droid/jazzyalex__session_store_large.jsonl': {
    format: 'factory-droid',
    counts: '9 1/1/0 0 0',
    times: ['2025-12-26T00:10:00.000Z', '2025-12-26T00:10:06.000Z']
  },
  'factory-droid/jazzyalex__stream_json_large.jsonl': {
    format: 'factory-droid',
    counts: '7 1/1/0 0 0',
    times: ['2025-12-26T02:00:00.000Z', '2025-12-26T02:00:05.000Z']
  },
  'amp/untether__amp_stream_success.jsonl': { format: 'amp', counts: '5 1/1/0 0 0', tokens: '150/-/-/30' },
  'iflow/session-5de701fc.jsonl': {
    format: 'iflow',
    counts: '16 6/6/0 0 0',
    times: ['2026-01-21T05:56:34.812Z', '2026-01-21T05:57:03.810Z']
  },
  'trae/rollout_subagent.jsonl': {
    format: 'trae',
    counts: '18 3/3/0 0 0',
    tokens: '600/3600/-/180',
    times: ['2026-08-01T18:07:04.550Z', '2026-08-01T18:07:15.100Z']
  },
  'kimi-cli/context.jsonl': { format: 'kimi-cli', counts: '7 1/1/0 0 0' },
  'openhands/trajs-basic.json': {
    format: 'openhands',
    counts: '4 1/1/0 0 0',
    tokens: '10/3482/4640/1312',
    times: ['2025-01-27T22:44:56.900Z', '2025-01-27T22:45:18.405Z']
  },
  'openhands/harbor-session/events/0.json': {
    format: 'openhands',
    counts: '1 0/0/0 0 0',
    times: ['2026-06-17T10:00:00.000Z', '2026-06-17T10:00:00.000Z']
  },
  'openhands/harbor-session/events/1.json': {
    format: 'openhands',
    counts: '1 0/0/0 0 0',
    times: ['2026-06-17T10:00:01.000Z', '2026-06-17T10:00:01.000Z']
  },
  'openhands/harbor-session/events/2.json': {
    format: 'openhands',
    counts: '1 1/0/0 0 0',
    times: ['2026-06-17T10:00:02.000Z', '2026-06-17T10:00:02.000Z']
  },
  'openhands/harbor-session/events/3.json': {
    format: 'openhands',
    counts: '1 0/1/0 0 0 unpaired 1',
    times: ['2026-06-17T10:00:02.100Z', '2026-06-17T10:00:02.100Z']
  },
  'openhands/harbor-session/events/4.json': {
    format: 'openhands',
    counts: '1 1/0/0 0 0',
    times: ['2026-06-17T10:00:03.000Z', '2026-06-17T10:00:03.000Z']
  },
  'openhands/harbor-session/events/5.json': {
    format: 'openhands',
    counts: '1 0/1/0 0 0 unpaired 1',
    times: ['2026-06-17T10:00:03.100Z', '2026-06-17T10:00:03.100Z']
  },
  'swe-agent/swe-agent__test-repo-i1.traj': { format: 'swe-agent', counts: '19 5/5/0 0 0', tokens: '52861/-/-/326' },
  'mini-swe-agent/local.traj.json': { format: 'mini-swe-agent', counts: '6 2/1/0 0 0' },
  'atif/prime-radiant__serf-real-trajectory.json': {
    format: 'atif',
    counts: '14 6/6/0 0 0',
    tokens: '15/125263/-/1572',
    times: ['2026-06-22T17:22:35.000Z', '2026-06-22T17:23:04.000Z']
  }
}

interface Stats {
  readonly usage: Readonly<Record<'input' | 'cacheRead' | 'cacheWrite' | 'output', number | null>> | null
}

describe.skipIf(!isHere)('logs of further agents', () => {
  for (const [path, { format, counts, tokens, times, violations = [] }] of Object.entries(logs)) {
    test(path, async () => {
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
      const { usage } = (await json('stats', join(root, path), '--single')) as unknown as Stats
      const sums = [usage?.input, usage?.cacheRead, usage?.cacheWrite, usage?.output]
      expect(sums.map((sum) => sum ?? '-').join('/')).toBe(tokens ?? '-/-/-/-')
      const stated = seen.events.filter(({ timestampFrom, timestamp }) => timestampFrom === undefined && timestamp > 0)
      const moments = stated.map(({ timestamp }) => timestamp)
      const ends = [Math.min(...moments), Math.max(...moments)]
      expect(moments.length === 0 ? undefined : ends.map((end) => new Date(end).toISOString())).toEqual(times)
    })
  }

  test('a run of OpenHands is all files of its folder', async () => {
    const stats = await json('stats', join(root, 'openhands/harbor-session/events/0.json'))
    expect(stats).toMatchObject({ format: 'openhands', calls: { total: 2, failed: 0 } })
    expect(stats).toMatchObject({ firstTimestamp: Date.parse('2026-06-17T10:00:00Z') })
    expect(stats).toMatchObject({ lastTimestamp: Date.parse('2026-06-17T10:00:03.100Z') })
  })

  test('a database without a session says so', async () => {
    await expect(openSource(join(root, 'crush/aaditagrawal__slopmeter__crush.db'))).rejects.toThrow('has no session')
  })
})

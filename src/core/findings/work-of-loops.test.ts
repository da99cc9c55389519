import { expect, test, vi } from 'vitest'
import type { FoldedEvent } from '../formats/log-format.ts'
import { rowKinds } from '../index/row-kind.ts'
import type { JsonObject } from '../json.ts'
import { RequestList } from '../requests/request-list.ts'
import { commandsOfCall } from '../shell/shell-commands.ts'
import { RunFindings } from './run-findings.ts'

vi.mock(import('../shell/shell-commands.ts'), async (original) => {
  const actual = await original()
  return { ...actual, commandsOfCall: vi.fn(actual.commandsOfCall) }
})

const events = { seqOf: (row: number) => row, statedTime: () => null }

/** The work of a log of equal failed calls: how often inputs are looked at, and how many lines are read as a shell reads them. */
function workOf(calls: number, text: (i: number) => string): { looks: number; lines: number } {
  vi.mocked(commandsOfCall).mockClear()
  let looks = 0
  const input = (): JsonObject =>
    new Proxy<JsonObject>(
      { command: 'npm run build && npm test' },
      {
        get: (target, name) => {
          looks++
          return Reflect.get(target, name) as unknown
        }
      }
    )
  const findings = new RunFindings()
  const add = (seq: number, draft: FoldedEvent['draft'], kind: (typeof rowKinds)[number]): void => {
    const at = { offset: seq * 100, length: 100, line: seq + 1, terminated: true }
    findings.add({ at, ordinal: 0, draft, body: 0, timestamp: 0 }, seq, rowKinds.indexOf(kind))
  }
  for (let i = 0; i < calls; i++) {
    const toolId = `t${i}`
    add(2 * i, { type: 'tool.started', toolName: 'Bash', toolId, input: input() }, 'tool')
    add(2 * i + 1, { type: 'tool.completed', toolId, error: text(i) }, 'tool-error')
  }
  const { list } = findings.all(new RequestList(), events)
  expect(list.map(({ rule }) => rule)).toContain('failure-series')
  return { looks, lines: vi.mocked(commandsOfCall).mock.calls.length }
}

test.each([
  ['the same error', () => 'Exit code 1\nerror: it broke'],
  ['another error each time', (i: number) => `Exit code 1\nerror: it broke at line ${i}`]
])('twice as many equal calls with %s are twice the work, and their line is read once', (_what, text) => {
  const [small, middle, large] = [10_000, 20_000, 40_000].map((calls) => workOf(calls, text))
  expect(middle?.looks).toBeLessThan(2.01 * (small?.looks ?? 0))
  expect(large?.looks).toBeLessThan(2.01 * (middle?.looks ?? 0))
  expect((small?.looks ?? 0) / 10_000).toBeLessThan(60)
  for (const { lines } of [small, middle, large].map((work) => work ?? { lines: NaN })) expect(lines).toBeLessThan(2)
})

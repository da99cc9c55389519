import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { LogStatus, RecentLog } from '#contract/methods.ts'
import { RememberedLogs, type RememberReason } from './remembered-logs.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const statusOf = (events: number): LogStatus =>
  ({
    ...{ log: 'log-1', path: '/r/stdout.jsonl', name: 'stdout.jsonl', phase: 'done', generation: 1, bytes: events },
    ...{ format: null, events, todoSnapshots: 0, issues: { malformed: 0, violation: 0, notice: 0 } }
  }) as LogStatus

test('the counts of a growing log are written without a call, and not for each line', async () => {
  const written: [events: number, why: RememberReason][] = []
  const recent = {
    list: async (): Promise<RecentLog[]> => [],
    remember: async ({ events }: RecentLog, why: RememberReason) => void written.push([events, why])
  }
  const logs = new RememberedLogs({ recent, todo: async () => null, problem: () => {}, now: () => 1 })
  logs.onStatus(statusOf(0))
  await vi.advanceTimersByTimeAsync(0)
  expect(written).toEqual([[0, 'opened']])
  for (let events = 1; events <= 100; events++) logs.onStatus(statusOf(events))
  await vi.advanceTimersByTimeAsync(9000)
  expect(written).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(1000)
  expect(written.slice(1)).toEqual([[100, 'grown']])
})

test('a list of logs that cannot be written is told in words', async () => {
  const error = Object.assign(new Error("EROFS: read-only file system, open '/state/recent.json'"), {
    ...{ code: 'EROFS', syscall: 'open', path: '/state/recent.json' }
  })
  const recent = { list: async (): Promise<RecentLog[]> => [], remember: async () => await Promise.reject(error) }
  const problems: string[] = []
  const problem = (message: string): void => void problems.push(message)
  new RememberedLogs({ recent, todo: async () => null, problem, now: () => 1 }).onStatus(statusOf(0))
  await vi.advanceTimersByTimeAsync(0)
  expect(problems).toEqual(['/state/recent.json: its disk is read-only'])
})

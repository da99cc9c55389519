import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from 'vitest'
import type { AgentEvent } from '../../src/core/events/agent-event.ts'
import { type TodoItem } from '../../src/core/events/todo.ts'
import type { Decoded } from '../../src/core/formats/log-format.ts'
import { RunReader, type RunSource } from '../../src/core/formats/run-reader.ts'
import { RunIndex } from '../../src/core/index/run-index.ts'
import { snapshotOf } from '../../src/core/replay/snapshot-of.ts'
import { LogPages } from '../../src/queries/log-pages.ts'
import { TodoLanes } from '../../src/renderer/stores/todo-lanes.ts'
import { TodoSnapshots } from '../../src/renderer/stores/todo-snapshots.ts'
import { corpusBytes, corpusIsHere, corpusLogs } from './corpus.ts'
import { allFixtures, bytesOfFixture } from './fixtures.ts'
import { type Log, openLog, readLog } from './read-log.ts'
import { filesBeside, readRun } from './read-run.ts'
import { every, times } from '../thorough.ts'

if (!corpusIsHere) console.warn('todo-panel.test.ts: the logs of people are skipped, ../shared/corpus is not here')

/** What the page is told of a log: the answers of its index. */
function answersOf({ format, framing, bytes }: Log, files: readonly (RunSource & { bytes: Uint8Array })[] = []) {
  const index = new RunIndex(format)
  const reader = new RunReader<Decoded, RunIndex>(format, index, { framing, files })
  for (const [number, file] of [bytes, ...files.map((source) => source.bytes)].entries()) {
    reader.push(number, file)
    reader.endFile(number)
  }
  reader.end()
  const nowhere = { read: () => Promise.reject(new Error('todo lists are in the index')) }
  const framingOf = () => framing
  return { index, pages: new LogPages({ format, files: [{ name: undefined, source: nowhere }], framingOf }, index) }
}

/** The lists in force after each event, by track, as `playhead todos --at` folds them: from the events alone. */
function* foldedLists(events: readonly AgentEvent[]): Generator<ReadonlyMap<string | null, readonly TodoItem[]>> {
  const lists = new Map<string | null, readonly TodoItem[]>()
  for (const [seq, event] of events.entries()) {
    const snapshot = snapshotOf(event, seq, { line: 1 })
    if (snapshot !== null) lists.set(snapshot.trackId ?? null, snapshot.items)
    yield lists
  }
}

/** At every event, and for every track, the panel shows the list in force there, and each item in the state its lane is in. */
async function expectPanelToAgree(
  events: readonly AgentEvent[],
  { index, pages }: ReturnType<typeof answersOf>
): Promise<number> {
  const todos = new TodoSnapshots(
    async (from, count) => pages.todos(from, count).snapshots,
    async (from, count) => pages.todoLanes(from, count)
  )
  const columns = pages.todoColumns(0)
  todos.append(columns)
  const snapshots: Awaited<ReturnType<typeof pages.todos>>['snapshots'] = []
  while (snapshots.length < columns.count) snapshots.push(...pages.todos(snapshots.length, 200).snapshots)
  const { lanes } = todos
  lanes.load()
  while (!lanes.isComplete) await new Promise((resolve) => setTimeout(resolve))
  const tracks = [...index.rows.tracks]
  const held = new Map<number, { shown: number; list: readonly TodoItem[] | undefined }>()
  let seq = 0
  for (const lists of foldedLists(events)) {
    for (const [track, { trackId }] of tracks.entries()) {
      const shown = todos.indexAt(seq, track)
      const list = lists.get(trackId)
      // Both are those that were found equal at the event before.
      const before = held.get(track)
      if (before?.shown === shown && before.list === list) continue
      held.set(track, { shown, list })
      const snapshot = shown < 0 ? undefined : snapshots[shown]
      const states = list === undefined ? undefined : statesAt(lanes, shown, snapshot?.lanes ?? [])
      // `expect` itself takes many times as long, and there are many thousand lists.
      if (isDeepStrictEqual([snapshot?.items, states], [list, list])) continue
      expect([snapshot?.items, states], `event ${seq}, track ${trackId}`).toEqual([list, list])
    }
    seq++
  }
  expect(seq).toBe(index.rows.events)
  return columns.count
}

function statesAt(lanes: TodoLanes, snapshot: number, numbers: readonly number[]): unknown[] {
  return numbers.map((lane) => {
    const { text, state } = lanes.span(lane, lanes.positionAt(lane, snapshot)) ?? {}
    return { text, status: state }
  })
}

describe('the todo panel shows what `playhead todos --at SEQ` prints, at every event', () => {
  test.each(allFixtures().map((fixture) => ({ ...fixture, title: `${fixture.formatId}/${fixture.name}` })))(
    '$title',
    async (fixture) => {
      let log: Log
      try {
        log = openLog(bytesOfFixture(fixture))
      } catch {
        return // No format claims it: it has no events.
      }
      await expectPanelToAgree(readLog(log).events, answersOf(log))
    }
  )

  const files = corpusLogs()
  test.skipIf(files.length === 0)('of logs of the corpus, alone and as a run', async () => {
    let lists = 0
    for (const path of every(3, files)) {
      const log = openLog(corpusBytes(path))
      lists += await expectPanelToAgree(readLog(log).events, answersOf(log))
      const beside = filesBeside(path)
      if (beside.length > 0) await expectPanelToAgree(readRun(path).events, answersOf(log, beside))
    }
    expect(lists).toBeGreaterThan(times(100, 400))
  })
})

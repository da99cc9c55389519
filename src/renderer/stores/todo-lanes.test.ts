import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { sameTodoItems, type TodoItem, todoStatuses } from '#core/events/todo.ts'
import { TodoHistory } from '#core/replay/todo-history.ts'
import { type FetchLanes, TodoLanes } from './todo-lanes.ts'

interface Step {
  readonly track: number
  readonly items: readonly TodoItem[]
}

const plan = (...texts: string[]): TodoItem[] => texts.map((text) => ({ text, status: 'pending' }))

function historyOf(steps: readonly Step[]): TodoHistory {
  const history = new TodoHistory()
  for (const [seq, { track, items }] of steps.entries()) {
    const place = { seq, line: seq + 1, timestamp: seq, agentId: 'agent', todoId: 'todos', items }
    history.add(track === 0 ? place : { ...place, trackId: `track ${track}` })
  }
  return history
}

/** Without repeated lists, which are no snapshots. */
function changing(steps: readonly Step[]): Step[] {
  const last = new Map<number, readonly TodoItem[]>()
  return steps.filter(({ track, items }) => {
    const former = last.get(track)
    last.set(track, items)
    return former === undefined || !sameTodoItems(former, items)
  })
}

/** Answers for a log of `steps` at the time of the request, with at most `most` transitions. */
function hostOf(steps: () => readonly Step[], most = Infinity): FetchLanes {
  return async (from, count) => {
    const { lanes } = historyOf(steps())
    const { snapshot, lane, state, text, beside, texts } = lanes.transitionsFrom(from, Math.min(count, most))
    return {
      ...{ from, transitions: lanes.transitions, lanes: lanes.count, texts: [...texts] },
      ...{ snapshot: snapshot.buffer, lane: lane.buffer, state: state.buffer, text: text.buffer },
      beside: beside.buffer
    }
  }
}

/** All known facts about the lanes. */
function seen(lanes: TodoLanes): unknown {
  return lanes
    .tracks()
    .map((track) => [
      track,
      lanes
        .ofTrack(track)
        .map((lane) => [lane, ...Array.from({ length: lanes.transitionsOf(lane) }, (_, at) => lanes.span(lane, at))])
    ])
}

async function loaded(steps: readonly Step[], most?: number): Promise<TodoLanes> {
  const lanes = new TodoLanes(
    hostOf(() => steps, most),
    (snapshot) => steps[snapshot]?.track ?? 0
  )
  lanes.extend(steps.length)
  lanes.load()
  await vi.waitFor(() => expect(lanes.isComplete).toBe(true), 60_000)
  return lanes
}

describe('TodoLanes', () => {
  it('returns the states of each item, in list order', async () => {
    const lanes = await loaded([
      { track: 0, items: plan('Read', 'Write') },
      { track: 1, items: plan('Check') },
      { track: 0, items: [...plan('Plan'), { text: 'Write', status: 'in_progress' }] }
    ])
    expect([lanes.tracks(), lanes.ofTrack(0), lanes.ofTrack(1)]).toEqual([[0, 1], [0, 1], [2]])
    expect(lanes.span(0, 1)).toEqual({ position: 1, from: 2, to: Infinity, state: 'pending', text: 'Plan' })
    expect(lanes.span(1, 0)).toMatchObject({ from: 0, to: 2, state: 'pending' })
    expect(lanes.span(1, 2)).toBeUndefined()
    expect([-1, 0, 1, 2, 9].map((snapshot) => lanes.positionAt(1, snapshot))).toEqual([-1, 0, 0, 1, 1])
  })

  it('lists a later item at its place in the list', async () => {
    const lanes = await loaded([
      { track: 0, items: plan('Read', 'Ship') },
      { track: 0, items: plan('Plan it', 'Read', 'Write', 'Test', 'Ship') }
    ])
    expect(lanes.ofTrack(0).map((lane) => lanes.span(lane, 0)?.text)).toEqual([
      ...['Plan it', 'Read', 'Write', 'Test', 'Ship']
    ])
  })

  it('loads nothing before it is requested', () => {
    const fetch = vi.fn<FetchLanes>()
    new TodoLanes(fetch, () => 0).extend(3)
    expect(fetch).not.toHaveBeenCalled()
  })

  it('reports a read error, and retries only on request', async () => {
    let failing = true
    const steps = [{ track: 0, items: plan('Read') }]
    const answer = hostOf(() => steps)
    const lanes = new TodoLanes(
      async (from, count) => {
        if (failing) throw new Error('The file is gone.')
        return await answer(from, count)
      },
      () => 0
    )
    lanes.extend(1)
    lanes.load()
    await vi.waitFor(() => expect(lanes.error).toBe('The file is gone.'), 60_000)
    failing = false
    lanes.extend(1)
    expect(lanes.error).toBe('The file is gone.')
    lanes.retry()
    await vi.waitFor(() => expect(lanes.count).toBe(1), 60_000)
  })

  it('is the same after any growth, truncation and paging', async () => {
    const items = fc.array(
      fc.record({
        text: fc.constantFrom('a', 'b', 'c', 'write it', 'write all'),
        status: fc.constantFrom(...todoStatuses)
      }),
      { maxLength: 4 }
    )
    const step = fc.record({ track: fc.nat(2), items })
    const part = fc.record({ back: fc.nat(3), added: fc.array(step, { maxLength: 4 }), wait: fc.boolean() })
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 6 }), fc.integer({ min: 1, max: 7 }), async (parts, most) => {
        let steps: Step[] = []
        const lanes = new TodoLanes(
          hostOf(() => steps, most),
          (snapshot) => steps[snapshot]?.track ?? 0
        )
        lanes.load()
        for (const { back, added, wait } of parts) {
          const kept = Math.max(0, steps.length - back)
          steps = changing([...steps.slice(0, kept), ...added])
          // Like the loader: first removes what may have changed.
          lanes.truncate(kept)
          lanes.extend(steps.length)
          if (wait) await vi.waitFor(() => expect(lanes.isComplete).toBe(true), { timeout: 60_000, interval: 1 })
        }
        await vi.waitFor(() => expect(lanes.isComplete).toBe(true), { timeout: 60_000, interval: 1 })
        expect(seen(lanes)).toEqual(seen(await loaded(steps)))
      }),
      { numRuns: 60 }
    )
  })
})

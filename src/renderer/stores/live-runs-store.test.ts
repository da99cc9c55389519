import { describe, expect, it } from 'vitest'
import type { LiveRun } from '#contract/live-runs.ts'
import { HostError } from '#contract/host-error.ts'
import type { Handlers } from '#contract/methods.ts'
import { testStart } from '../../../test/page/host.ts'
import { listOf, runsHost, testRun } from '../../../test/page/runs.ts'
import { createLiveRunsStore, isOngoing } from './live-runs-store.ts'

const memory = () => {
  const kept = new Map<string, string>()
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value)
  }
}

async function loaded(runs: readonly LiveRun[] = [], handlers: Partial<Handlers> = {}, storage = memory()) {
  const host = runsHost(runs, { handlers })
  const store = createLiveRunsStore(host.host, storage)
  await store.getState().load()
  const ids = () => store.getState().runs.map(({ run }) => run)
  return { host, store, ids, storage, state: store.getState() }
}

const ofThen = (run: string, seconds: number, changes: Partial<LiveRun> = {}) =>
  testRun({ run, startedAt: testStart + seconds * 1000, ...changes })

describe('live runs', () => {
  it('are listed latest first, and updated by notices', async () => {
    const { host, store, ids } = await loaded([ofThen('a', 1), ofThen('b', 2)])
    expect(ids()).toEqual(['b', 'a'])
    host.changed(ofThen('a', 1, { todo: { completed: 3, total: 7 } }))
    await expect.poll(() => store.getState().runs[1]?.todo?.completed).toBe(3)
    host.changed(ofThen('c', 3))
    await expect.poll(ids).toEqual(['c', 'b', 'a'])
    host.say('run.removed', { run: 'b' })
    await expect.poll(ids).toEqual(['c', 'a'])
  })

  it('keep changes that arrive while the list is loaded', async () => {
    let answer = () => {}
    const waits = new Promise<void>((resolve) => (answer = resolve))
    const host = runsHost([], {
      handlers: {
        'run.list': async () => {
          await waits
          return listOf([ofThen('a', 1), ofThen('b', 2)])
        }
      }
    })
    const store = createLiveRunsStore(host.host, memory())
    const loading = store.getState().load()
    host.changed(ofThen('a', 1, { state: 'ended', finishReason: 'done' }))
    host.say('run.removed', { run: 'b' })
    await expect.poll(() => store.getState().runs.length).toBe(1)
    answer()
    await loading
    expect(store.getState().runs.map(({ run, state }) => [run, state])).toEqual([['a', 'ended']])
  })

  it('report a failed list, and stay until the next one', async () => {
    let broken = true
    const { state, store, ids } = await loaded([], {
      'run.list': async () => {
        if (broken) throw new HostError('internal', 'No room.')
        return listOf([ofThen('a', 1)])
      }
    })
    expect(store.getState().runsError).toBe('No room.')
    broken = false
    await state.load()
    expect([store.getState().runsError, ids()]).toEqual([null, ['a']])
  })

  it('are stopped and deleted; a refusal is shown for its run', async () => {
    const { host, state, store, ids } = await loaded([ofThen('a', 1), ofThen('b', 2)])
    await state.stop('a')
    expect(store.getState().runs.find(({ run }) => run === 'a')?.state).toBe('stopping')
    expect(await state.remove(['none'])).toBe(null)
    expect(store.getState().fault).toEqual({ run: 'none', message: 'There is no such run.' })
    expect(await state.remove(['b'])).toMatchObject({ removed: ['b'] })
    expect([host.stopped, host.removed, ids(), store.getState().fault]).toEqual([['a'], ['b'], ['a'], null])
  })

  it('are loaded page by page, with the total disk use', async () => {
    const over = { state: 'ended', endedAt: testStart } as const
    const many = Array.from({ length: 450 }, (_, i) =>
      ofThen(`run-${String(999 - i)}`, -i, { ...over, stdoutBytes: 10 })
    )
    const { host, state, store, ids } = await loaded(many)
    const facts = () => [ids().length, store.getState().total, store.getState().bytes]
    expect(facts()).toEqual([200, 450, 4500])
    await Promise.all([state.loadMore(), state.loadMore()])
    expect(facts()).toEqual([400, 450, 4500])
    await state.loadMore()
    await state.loadMore()
    expect(facts()).toEqual([450, 450, 4500])
    expect(ids()).toEqual(many.map(({ run }) => run))
    host.changed(ofThen('run-new', 1, { stdoutBytes: 7 }))
    await expect.poll(facts).toEqual([451, 451, 4500])
    host.changed(ofThen('run-new', 1, { ...over, stdoutBytes: 8 }))
    await expect.poll(facts).toEqual([451, 451, 4508])
    await state.remove(['run-new', 'run-999'])
    expect(facts()).toEqual([449, 449, 4490])
  })

  it('are not reverted by an answer older than a notice', async () => {
    const over = ofThen('a', 1, { state: 'ended', finishReason: 'cancelled', endedAt: testStart })
    const { host, state, store } = await loaded([ofThen('a', 1)], {
      'run.stop': async () => {
        host.changed(over)
        return ofThen('a', 1, { state: 'stopping' })
      }
    })
    await state.stop('a')
    expect(store.getState().runs[0]?.state).toBe('ended')
  })

  it('stay removed after a notice from before', async () => {
    const { host, store, state, ids } = await loaded([ofThen('a', 1), ofThen('b', 2)], {
      'run.remove': async ({ runs }) => {
        for (const run of runs) host.changed(ofThen(run, 1, { stdoutBytes: 1 }))
        return { removed: [...runs], bytes: 1, spared: [] }
      }
    })
    await state.remove(['a'])
    host.changed(ofThen('b', 2, { stdoutBytes: 2 }))
    await expect.poll(() => store.getState().runs.find(({ run }) => run === 'b')?.stdoutBytes).toBe(2)
    expect(ids()).toEqual(['b'])
  })

  it('change once a frame, to the last of many notices; at once where nothing is drawn', async () => {
    const { host, store } = await loaded([ofThen('a', 1)])
    const seen: unknown[] = []
    store.subscribe(({ runs }) => seen.push(runs[0]?.todo?.completed))
    const change = (completed: number) => host.changed(ofThen('a', 1, { todo: { completed, total: 99 } }))
    for (let completed = 1; completed <= 99; completed++) change(completed)
    await expect.poll(() => seen.at(-1)).toBe(99)
    expect(seen.length).toBeLessThan(9)

    const hidden = runsHost([ofThen('a', 1)])
    const inBackground = createLiveRunsStore(hidden.host, memory(), () => true)
    await inBackground.getState().load()
    let changes = 0
    inBackground.subscribe(() => changes++)
    for (let bytes = 1; bytes <= 9; bytes++) hidden.changed(ofThen('a', 1, { stdoutBytes: bytes }))
    await expect.poll(() => inBackground.getState().runs[0]?.stdoutBytes).toBe(9)
    expect(changes).toBe(9)
  })

  it('store which lost runs were dismissed', async () => {
    const { state, storage } = await loaded([ofThen('a', 1, { state: 'lost' })])
    state.markSeen('a')
    expect((await loaded([], {}, storage)).state.seen.has('a')).toBe(true)
  })

  it('are unended until they are done, failed or lost', () => {
    const states = ['starting', 'running', 'stopping', 'ended', 'failed', 'lost'] as const
    expect(states.map((state) => isOngoing(testRun({ state })))).toEqual([true, true, true, false, false, false])
  })
})

describe('agents', () => {
  it('are searched once at a time, and stay known meanwhile', async () => {
    let asked = 0
    const { state, store } = await loaded([], {
      'agent.list': async () => {
        if (++asked > 1) throw new HostError('internal', 'Not now.')
        return { agents: [] }
      }
    })
    await Promise.all([state.lookForAgents(), state.lookForAgents()])
    expect([asked, store.getState().agents]).toEqual([1, []])
    await state.lookForAgents()
    expect(store.getState()).toMatchObject({ agents: [], agentsError: 'Not now.', looking: false })
  })

  it('accept another command, or report why not', async () => {
    const { state, store } = await loaded()
    await state.lookForAgents()
    expect(await state.setCommand('claude', '/opt/missing')).toBe('/opt/missing is not there.')
    expect(store.getState().agents?.[0]).toMatchObject({ chosen: '/opt/missing', command: null })
    expect(await state.setCommand('claude', '/opt/claude')).toBeNull()
    expect(store.getState().agents?.[0]).toMatchObject({ command: '/opt/claude', problem: null })
  })
})

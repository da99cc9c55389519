import { describe, expect, it } from 'vitest'
import { defaultDialogueLimits, type LiveRun } from '#contract/live-runs.ts'
import { HostError } from '#contract/host-error.ts'
import type { Handlers } from '#contract/methods.ts'
import { runsHost, testAgents, testRun } from '../../../test/page/runs.ts'
import { createLiveRunsStore } from './live-runs-store.ts'
import { createNewRunStore } from './new-run-store.ts'

const memory = () => {
  const kept = new Map<string, string>()
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value)
  }
}

async function form(handlers: Partial<Handlers> = {}, storage = memory(), runs: readonly LiveRun[] = []) {
  const host = runsHost(runs, { handlers })
  const liveRuns = createLiveRunsStore(host.host, storage)
  await liveRuns.getState().lookForAgents()
  const store = createNewRunStore(liveRuns, storage)
  return { host, store, storage, state: store.getState(), draft: () => store.getState().draft }
}

const filled = { prompt: 'Do it', cwd: '/home/me' }

describe('the form of a new run', () => {
  it('starts its run, and is ready for the next one', async () => {
    const { host, state, draft } = await form()
    state.change({ ...filled, mode: 'edits', model: 'large', extra: '-v' })
    const run = await state.start(false)
    expect(run?.run).toBe('started-1')
    expect(host.started).toMatchObject([{ confirmed: false, request: { ...filled, mode: 'edits', model: 'large' } }])
    expect(draft()).toMatchObject({ prompt: '', extra: '', cwd: '/home/me', mode: 'edits', model: 'large' })
  })

  it('shows problems, and removes that of a changed field', async () => {
    const { host, store, state } = await form()
    expect(await state.start(false)).toBeNull()
    expect(Object.keys(store.getState().problems)).toEqual(['prompt', 'cwd'])
    state.change({ prompt: 'Do it' })
    expect(Object.keys(store.getState().problems)).toEqual(['cwd'])
    expect(host.started).toEqual([])
  })

  it('asks before a dangerous run, and starts it only on consent', async () => {
    const { host, store, state, draft } = await form()
    state.change({ ...filled, mode: 'anything' })
    expect(await state.start(false)).toBeNull()
    expect([store.getState().asking, host.started.length]).toEqual([
      'Skip permissions: Runs any command without asking.',
      0
    ])
    state.goBack()
    expect(store.getState().asking).toBeNull()
    await state.start(false)
    expect(await state.start(true)).not.toBeNull()
    expect(host.started).toMatchObject([{ confirmed: true, request: { mode: 'anything' } }])
    expect(draft().mode).toBeNull()
  })

  it('asks also if only the host knows the danger', async () => {
    const { host, store, state } = await form({
      'run.start': async ({ request, confirmed }) => {
        if (!confirmed) throw new HostError('not-confirmed', 'The argument --yolo lets it do anything.')
        return testRun(request)
      }
    })
    state.change({ ...filled, extra: '--yolo' })
    expect(await state.start(false)).toBeNull()
    expect(store.getState()).toMatchObject({ asking: 'The argument --yolo lets it do anything.', fault: null })
    expect((await state.start(true))?.extraArguments).toEqual(['--yolo'])
    expect(host.started).toEqual([])
  })

  it('asks first about danger, then about disk space', async () => {
    const asked: object[] = []
    const { store, state } = await form({
      'run.start': async ({ request, confirmed, lowDisk }) => {
        asked.push({ confirmed, lowDisk })
        if (lowDisk !== true) throw new HostError('low-disk', 'The disk /home has only 9 MB left.')
        return testRun(request)
      }
    })
    state.change({ ...filled, mode: 'anything' })
    expect(await state.start(false)).toBeNull()
    expect(await state.start(true)).toBeNull()
    expect(store.getState()).toMatchObject({ asking: 'The disk /home has only 9 MB left.', asksForRoom: true })
    expect(await state.start(true)).not.toBeNull()
    expect(asked).toEqual([
      { confirmed: true, lowDisk: false },
      { confirmed: true, lowDisk: true }
    ])
    expect(await state.start(false)).toBeNull()
  })

  it('stores agent, folder, model and mode, but no dangerous mode', async () => {
    const { state, storage } = await form()
    state.change({ ...filled, mode: 'edits', model: 'large' })
    await state.start(false)
    state.chooseAgent('codex')
    state.change({ ...filled, cwd: '/home/you', model: 'small' })
    await state.start(false)
    const again = await form({}, storage)
    expect(again.draft()).toMatchObject({ agent: 'codex', cwd: '/home/you', model: 'small', mode: null, prompt: '' })
    again.state.chooseAgent('claude')
    expect(again.draft()).toMatchObject({ model: 'large', mode: 'edits' })
    again.state.change({ ...filled, mode: 'anything' })
    await again.state.start(true)
    const last = await form({}, storage)
    expect(last.draft()).toMatchObject({ agent: 'claude', model: 'large', mode: null })
  })

  it('starts with the choices of the latest run if none are stored, but not dangerous ones', async () => {
    const storage = memory()
    const ran = testRun({ agent: 'claude', cwd: '/home/last', model: 'large', mode: 'edits' })
    const host = runsHost([ran])
    const liveRuns = createLiveRunsStore(host.host, storage)
    const store = createNewRunStore(liveRuns, storage)
    const draft = () => store.getState().draft
    await liveRuns.getState().load()
    expect(draft()).toMatchObject({ agent: 'claude', cwd: '/home/last', model: 'large', mode: null })
    await liveRuns.getState().lookForAgents()
    expect(draft().mode).toBe('edits')
    host.changed({ ...ran, mode: 'anything' })
    await expect.poll(() => draft().mode).toBeNull()
    store.getState().change({ cwd: '/home/typed' })
    host.changed(ran)
    await expect.poll(() => liveRuns.getState().runs[0]?.mode).toBe('edits')
    expect(draft()).toMatchObject({ cwd: '/home/typed', mode: null })
  })

  it('starts with an installed agent', async () => {
    const without = testAgents.map((agent) => (agent.agent === 'claude' ? { ...agent, problem: 'Not there.' } : agent))
    const host = runsHost([], { handlers: { 'agent.list': async () => ({ agents: without }) } })
    const liveRuns = createLiveRunsStore(host.host, memory())
    const store = createNewRunStore(liveRuns, memory())
    expect(store.getState().draft.agent).toBe('claude')
    await liveRuns.getState().lookForAgents()
    expect(store.getState().draft.agent).toBe('codex')
    // A missing agent can still be chosen.
    store.getState().chooseAgent('claude')
    await liveRuns.getState().lookForAgents()
    expect(store.getState().draft.agent).toBe('claude')
  })

  it.each(['{', 'null', '[]', '{"agent":"x","cwd":7,"choices":{"claude":3,"y":{}}}', '{"choices":"z"}'])(
    'makes nothing of what it cannot read: %s',
    async (text) => {
      const storage = memory()
      storage.setItem('playhead.new-run', text)
      expect((await form({}, storage)).draft()).toMatchObject({ agent: 'claude', cwd: '', mode: null, model: '' })
    }
  )

  it('shows errors of the folder at its field, and others below the form', async () => {
    const said: [string, { field?: string }?][] = [
      ['/home/me is a file.', { field: 'cwd' }],
      ['There is no mode x in /home/me.']
    ]
    const { store, state } = await form({
      'run.start': async () => {
        throw new HostError('bad-params', ...(said.shift() ?? ['']))
      }
    })
    state.change(filled)
    await state.start(false)
    expect(store.getState()).toMatchObject({ problems: { cwd: '/home/me is a file.' }, fault: null })
    await state.start(false)
    expect(store.getState()).toMatchObject({ problems: {}, fault: 'There is no mode x in /home/me.', starting: false })
  })

  it('shows why a program did not start, and keeps the input', async () => {
    const failed = (request: Partial<LiveRun>) => testRun({ ...request, state: 'failed', message: 'No such program.' })
    const { store, state, draft } = await form({ 'run.start': async ({ request }) => failed(request) })
    state.change(filled)
    expect(await state.start(false)).toBeNull()
    expect([store.getState().fault, draft().prompt]).toEqual(['No such program.', 'Do it'])
  })

  it('goes on with the session of a run, and is for a new one after that', async () => {
    const ran = testRun({ state: 'ended', endedAt: 1, sessionId: 's-1', mode: 'edits', extraArguments: ['-v'] })
    const { host, store, state, draft } = await form({}, memory(), [ran])
    state.change({ prompt: 'Half written' })
    await state.goOn(ran.recording)
    expect(draft()).toMatchObject({
      ...{ agent: 'claude', cwd: ran.cwd, mode: 'edits', extra: '-v', prompt: '' },
      resumes: { session: 's-1', run: ran.run }
    })
    expect(store.getState()).toMatchObject({
      ...{ replaced: 'Half written', looking: false },
      session: { title: ran.prompt, warnings: ['1 line is damaged.'] }
    })
    state.change({ prompt: 'And now?' })
    expect(await state.start(false)).not.toBeNull()
    expect(host.started[0]?.request).toMatchObject({ prompt: 'And now?', resumes: { session: 's-1', run: ran.run } })
    expect([draft().resumes, store.getState().session]).toEqual([null, null])
  })

  it('goes on with a conversation as a conversation', async () => {
    const limits = { ...defaultDialogueLimits, usd: 2.5 }
    const ran = testRun({ state: 'ended', endedAt: 1, sessionId: 's-1', interactive: true, limits })
    const { host, state, draft } = await form({}, memory(), [{ ...ran, mayBecomeDangerous: true }])
    await state.goOn(ran.recording)
    expect(draft()).toMatchObject({ interactive: true, mayBecomeDangerous: false, limits: { usd: '2.5' } })
    state.change({ prompt: 'And now?' })
    await state.start(false)
    expect(host.started[0]?.request).toMatchObject({ interactive: true, mayBecomeDangerous: false, limits })
  })

  it('says why nothing can go on, and goes on with the session that was chosen last', async () => {
    const ran = (run: string) => testRun({ run, state: 'ended', endedAt: 1, sessionId: `of-${run}` })
    const { host, store, state, draft } = await form({}, memory(), [ran('a'), ran('b')])
    await state.goOn('/nowhere')
    expect(store.getState()).toMatchObject({ fault: 'The session is gone. Start a new one.', looking: false })
    await Promise.all([state.goOn(ran('a').recording), state.goOn(ran('b').recording)])
    expect([draft().resumes?.session, store.getState().fault]).toEqual(['of-b', null])
    const asked = state.goOn(ran('a').recording)
    state.change({ prompt: 'Typed meanwhile' })
    expect(await state.start(false)).toBeNull()
    await asked
    expect([draft().prompt, draft().resumes?.session, host.started]).toEqual(['Typed meanwhile', 'of-a', []])
    const left = state.goOn(ran('a').recording)
    state.leaveSession()
    await left
    expect([draft().resumes, store.getState().looking]).toEqual([null, false])
  })

  it('starts only once', async () => {
    const { host, state } = await form()
    state.change(filled)
    await Promise.all([state.start(false), state.start(false)])
    expect(host.started.length).toBe(1)
  })

  it('starts the same run again, or shows the reason, and restores the replaced prompt', async () => {
    const { host, store, state, draft } = await form()
    const run = testRun({ prompt: 'The same', extraArguments: ['-a', 'b c'], timeLimitMs: 600_000 })
    expect((await state.again(run))?.run).toBe('started-1')
    expect(host.started[0]?.request).toMatchObject({ prompt: 'The same', extraArguments: ['-a', 'b c'] })

    state.change({ prompt: 'Half written' })
    expect(await state.again({ ...run, mode: 'anything' })).toBeNull()
    expect(store.getState()).toMatchObject({
      asking: "Skip permissions: Runs any command without asking. Arguments are added: -a 'b c'",
      replaced: 'Half written'
    })
    expect(draft()).toMatchObject({ prompt: 'The same', mode: 'anything', extra: `-a 'b c'`, minutes: '10' })
    state.putBack()
    expect([draft().prompt, store.getState().replaced]).toEqual(['Half written', null])
  })
})

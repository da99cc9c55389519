import { describe, expect, it } from 'vitest'
import type { TypedLog } from '#contract/library.ts'
import type { Handlers } from '#contract/methods.ts'
import { testCapabilities, testHost } from '../../../test/page/host.ts'
import { createAppStore } from './app-store.ts'
import type { Given, GivenFiles } from './given-files.ts'
import type { SendFiles } from './sending.ts'

const storage = { getItem: () => null, setItem: () => {} }

/** A host that accepts files, and finds `sessions` among them. */
function hostThatFinds(sessions: readonly string[], others = 0) {
  const asked: (readonly string[])[] = []
  const { status } = testHost([{ kind: 'prompt' }])
  const handlers: Partial<Handlers> = {
    'host.capabilities': async () => ({ ...testCapabilities, drops: '/drops' }),
    'log.list': async () => ({ logs: [] }),
    'log.open': async ({ path }) => ({ ...status, log: path, path, name: path.split('/').at(-1) ?? '' }),
    'library.sessionsIn': async ({ paths }) => {
      asked.push(paths)
      const logs: TypedLog[] = sessions.map((path) => ({ path, title: null, at: null }))
      return { logs: logs.slice(0, 50), total: sessions.length, others }
    },
    'library.missingFiles': async ({ log, paths }) => {
      asked.push([log, ...paths])
      return { paths: paths.filter((path) => /^(?:[^/]+[/]subagents[/])?agent-/.test(path)) }
    }
  }
  return { host: testHost([{ kind: 'prompt' }], {}, handlers).host, asked }
}

/** An upload that the test controls and records. */
function sending(send: (path: string, signal: AbortSignal) => Promise<void> = async () => {}) {
  const sent: string[] = []
  const groups = new Set<string>()
  const places: string[] = []
  const discarded = new Set<string>()
  const files: SendFiles = {
    async send({ path }, group, { signal }) {
      await send(path, signal)
      sent.push(path)
      groups.add(group)
      places.push(`${group} ${path}`)
      return `/drops/${group}/${path}`
    },
    discard: (group) => void discarded.add(group)
  }
  return { files, sent, groups, places, discarded }
}

async function connected(host: ReturnType<typeof hostThatFinds>['host'], files: SendFiles) {
  const store = createAppStore(host, { storage, files })
  store.getState().setConnection('open')
  await expect.poll(() => store.getState().capabilities).not.toBeNull()
  return store
}

function given(paths: readonly string[], hasFolder = false): Given {
  const files = paths.map((path) => ({ file: new File(['x'], path.split('/').at(-1) ?? ''), path }))
  const name = paths[0]?.split('/')[0] ?? 'empty'
  return { items: files.map(({ file }) => file), read: async (): Promise<GivenFiles> => ({ files, hasFolder, name }) }
}

describe('uploaded files', () => {
  it('are one group, whose sessions are opened, the latest last', async () => {
    const { host, asked } = hostThatFinds(['/late', '/early'], 2)
    const { files, sent, groups } = sending()
    const store = await connected(host, files)
    await store.getState().openFiles(given(['p/late.jsonl', 'p/early.jsonl', 'p/agent.jsonl'], true))
    expect(sent).toEqual(['p/late.jsonl', 'p/early.jsonl', 'p/agent.jsonl'])
    expect([groups.size, asked.length, asked[0]?.length]).toEqual([1, 1, 3])
    const { logs, active, leftOut, opening, openError } = store.getState()
    expect([logs.map(({ name }) => name), active]).toEqual([['early', 'late'], '/late'])
    expect([leftOut, opening, openError]).toEqual([2, null, null])
    store.getState().dismissLeftOut()
    expect(store.getState().leftOut).toBe(0)
  })

  it('are opened in any case if there is only one', async () => {
    const { host, asked } = hostThatFinds([])
    const { files } = sending()
    const store = await connected(host, files)
    await store.getState().openFiles(given(['notes.txt']))
    expect([store.getState().logs.map(({ name }) => name), asked]).toEqual([['notes.txt'], []])
  })

  it('with many sessions offer a choice', async () => {
    const { host } = hostThatFinds(Array.from({ length: 60 }, (_, at) => `/${at}`))
    const store = await connected(host, sending().files)
    await store.getState().openFiles(given(['p/a.jsonl', 'p/b.jsonl'], true))
    const { logs, candidates, moreCandidates } = store.getState()
    expect([logs, candidates.length, moreCandidates]).toEqual([[], 50, 10])
    store.getState().dismissTyped()
    expect([store.getState().candidates, store.getState().moreCandidates]).toEqual([[], 0])
  })

  it('without a session are reported and deleted', async () => {
    const { host } = hostThatFinds([])
    const { files, groups, discarded } = sending()
    const store = await connected(host, files)
    await store.getState().openFiles(given(['p/a.json'], true))
    const message = 'The folder holds no session Playhead can read.'
    expect(store.getState().openError).toEqual({ path: 'a.json', code: 'not-found', message })
    await store.getState().openFiles(given(['a.txt', 'b.txt']))
    expect(store.getState().openError?.message).toBe('None of the files is a session log Playhead can read.')
    expect(discarded).toEqual(groups)
    await store.getState().openFiles(given([], true))
    expect(store.getState().openError?.message).toBe(message)
  })

  it('that fail are deleted', async () => {
    const { host } = hostThatFinds(['/a'])
    const { files, discarded } = sending(async (path) => {
      if (path === 'b.jsonl') throw new Error('too large')
    })
    const store = await connected(host, files)
    await store.getState().openFiles(given(['a.jsonl', 'b.jsonl']))
    expect([store.getState().openError?.message, discarded.size]).toEqual(['too large', 1])
  })

  it('show progress after a while, and can be cancelled', async () => {
    const { host } = hostThatFinds(['/a'])
    const { files, discarded } = sending(
      (_path, signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    )
    const store = await connected(host, files)
    const opened = store.getState().openFiles(given(['a.jsonl', 'b.jsonl']))
    await expect.poll(() => store.getState().sending).toEqual({ files: 2, bytes: 2, sentFiles: 0, sentBytes: 0 })
    store.getState().cancelSending()
    await opened
    const { sending: now, openError, opening, logs } = store.getState()
    expect([now, openError, opening, logs, discarded.size]).toEqual([null, null, null, [], 1])
  })
})

describe('a log uploaded alone', () => {
  it('is recognized by its folder', async () => {
    const store = await connected(hostThatFinds([]).host, sending().files)
    const isSent = (path: string) => store.getState().isSent(path)
    expect(['/drops/g/a.jsonl', '/drops/g/p/a.jsonl'].map(isSent)).toEqual([true, true])
    expect(['/drops/a.jsonl', '/dropsx/g/a.jsonl', '/logs/a.jsonl', '/drops'].map(isSent)).toEqual([
      ...[false, false, false, false]
    ])
  })

  it.each<[string, string, string[], string[]]>([
    ['its own folder', '/drops/g/s.jsonl', ['s/subagents/agent-1.jsonl'], ['g s/subagents/agent-1.jsonl']],
    [
      'the folder it lies in',
      '/drops/g/p/s.jsonl',
      ['home/project/s.jsonl', 'home/project/s/subagents/agent-1.jsonl', 'home/other/agent-2.jsonl'],
      ['g p/s/subagents/agent-1.jsonl']
    ],
    ['another folder', '/drops/g/s.jsonl', ['backup/old/agent-1.jsonl', 'backup/x.jsonl'], ['g agent-1.jsonl']]
  ])('gets what is missing from %s', async (_what, log, paths, places) => {
    const { host } = hostThatFinds([])
    const sender = sending()
    const store = await connected(host, sender.files)
    await store.getState().completeLog(log, given(paths, true))
    expect(sender.places).toEqual(places)
  })

  it('stays the same without missing files, or when the upload fails', async () => {
    const { host } = hostThatFinds([])
    const sender = sending(async () => Promise.reject(new Error('no room')))
    const { completeLog } = (await connected(host, sender.files)).getState()
    const log = '/drops/g/s.jsonl'
    await expect(completeLog(log, given(['x/y.jsonl'], true))).rejects.toThrow(
      'The folder holds no missing subagent log'
    )
    await expect(completeLog(log, given(['x/agent-1.jsonl'], true))).rejects.toThrow('no room')
    await expect(completeLog('/logs/s.jsonl', given([], true))).rejects.toThrow('not supported')
    expect(sender.discarded.size).toBe(0)
  })
})

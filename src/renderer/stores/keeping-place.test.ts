import { describe, expect, it } from 'vitest'
import { HostError } from '#contract/host-error.ts'
import type { Handlers, LogStatus } from '#contract/methods.ts'
import { type CannedRow, statusOf, testHost } from '../../../test/page/host.ts'
import { createAppStore } from './app-store.ts'
import type { PlaceKeeper } from './keeping-place.ts'

const rows: CannedRow[] = [{ kind: 'prompt' }, { kind: 'tool' }, { kind: 'record' }, { kind: 'tool' }]

/** A page with the address `asked` and the stored place `kept`, on a host with `open` logs and `recent` ones. */
async function page({
  asked = null,
  kept = null,
  open = [],
  recent = []
}: {
  asked?: string | null
  kept?: string | null
  open?: string[]
  recent?: string[]
}) {
  const of = (path: string): LogStatus => ({ ...statusOf(rows), log: path, path, name: path.slice(1) })
  const opened: string[] = []
  const handlers: Partial<Handlers> = {
    'log.list': async () => ({ logs: open.map(of) }),
    'log.open': async ({ path }) => {
      if (path === '/missing') throw new HostError('not-found', 'There is no file /missing.')
      opened.push(path)
      return of(path)
    },
    'recent.list': async () => ({
      recent: recent.map((path) => ({ ...of(path), openedAt: 0, malformed: 0, violation: 0, todo: null }))
    })
  }
  const texts: string[] = []
  const hear: { asked?: (text: string) => void } = {}
  const place: PlaceKeeper = {
    asked: () => asked,
    kept: () => kept,
    keep: (text) => void texts.push(text),
    onAsked: (listener) => void (hear.asked = listener),
    linkTo: (path, seq, filter) => `${path} ${seq} ${filter}`,
    onLeaving: () => {}
  }
  const storage = { getItem: () => null, setItem: () => {} }
  const { host } = testHost(rows, {}, handlers)
  const app = createAppStore(host, { storage, place })
  app.getState().setConnection('open')
  await expect.poll(() => app.getState().connection).toBe('open')
  const log = () =>
    app
      .getState()
      .logStores.get(app.getState().active ?? '')
      ?.getState()
  return { app, log, texts, opened, ask: (text: string) => hear.asked?.(text) }
}

describe('KeepingPlace', () => {
  it('stores the place: log, event or record, or the library', async () => {
    const { app, log, texts } = await page({ open: ['/a'] })
    await expect.poll(() => log()?.isComplete).toBe(true)
    log()?.playhead.placeEvent(1)
    await expect.poll(() => texts.at(-1)).toBe('path=/a&seq=1')
    log()?.playhead.select(2)
    await expect.poll(() => texts.at(-1)).toBe('path=/a&seq=1&row=2')
    app.getState().layout.getState().setView('todos')
    await expect.poll(() => texts.at(-1)).toBe('path=/a&seq=1&row=2&view=todos')
    app.getState().leaveLog()
    await expect.poll(() => texts.at(-1)).toBe('library')
  })

  it.each(['asked', 'kept'] as const)('comes back to what was %s, with what was looked for', async (which) => {
    const { app, log } = await page({
      [which]: 'path=/a&seq=1&row=2&tab=raw&view=todos&kinds=tool&find=x',
      open: ['/b', '/a', '/c']
    })
    expect(app.getState().active).toBe('/a')
    await expect.poll(() => log()?.row).toBe(2)
    expect(log()).toMatchObject({ seq: 1, moved: true, reveals: 1, inspectorTab: 'raw', find: { text: 'x' } })
    expect(log()?.filter.text).toBe('kind:tool')
    expect(app.getState().layout.getState().view).toBe('todos')
  })

  it('stores nothing older while the rows are loaded', async () => {
    const { log, texts } = await page({ asked: 'path=/a&seq=2', open: ['/a'] })
    await expect.poll(() => log()?.seq).toBe(2)
    await expect.poll(() => texts.length).toBe(1)
    expect(texts).toEqual(['path=/a&seq=2'])
  })

  it('opens a log again that the host has closed', async () => {
    const { opened, log } = await page({ kept: 'path=/a&seq=2' })
    await expect.poll(() => log()?.seq).toBe(2)
    expect(opened).toEqual(['/a'])
  })

  it('keeps the log that the host was started with, and the other logs if the stored one is gone', async () => {
    const started = await page({ kept: 'path=/a&seq=2', open: ['/b'] })
    expect([started.app.getState().active, started.opened]).toEqual(['/b', []])
    const gone = await page({ asked: 'path=/missing&seq=2', recent: ['/missing'], open: ['/b'] })
    expect(gone.app.getState().active).toBe('/b')
    expect(gone.app.getState().openError?.message).toBe('There is no file /missing.')
  })

  it('stays in the library', async () => {
    expect((await page({ asked: 'library', open: ['/a'] })).app.getState().active).toBeNull()
  })

  it('opens no new file without consent', async () => {
    const { app, log, opened } = await page({ asked: 'path=/strange&seq=1' })
    expect([opened, app.getState().active, app.getState().candidates.map(({ path }) => path)]).toEqual([
      [],
      null,
      ['/strange']
    ])
    await app.getState().openLog('/strange')
    await expect.poll(() => log()?.seq).toBe(1)
    expect((await page({ asked: 'path=/strange&seq=1', recent: ['/strange'] })).opened).toEqual(['/strange'])
  })

  it('follows a new address of the open page', async () => {
    const { app, log, ask } = await page({ open: ['/a', '/b'] })
    ask('path=/a&seq=2')
    await expect.poll(() => log()?.seq).toBe(2)
    expect(app.getState().active).toBe('/a')
    ask('library')
    await expect.poll(() => app.getState().active).toBeNull()
  })
})

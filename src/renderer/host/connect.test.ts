import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { memoryTransports } from '../../../test/memory-transport.ts'
import { type NoticeName, notices } from '#contract/methods.ts'
import { serveHost, type ServedHost } from '#contract/serve.ts'
import type { Transport } from '#contract/transport.ts'
import { testHandlers } from '../../../test/page/host.ts'
import { keepConnected } from './connect.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** A page whose host can be stopped and started; `servers`: the server ends of its connections. */
function openPage() {
  const servers: { transport: Transport; served: ServedHost }[] = []
  const said: string[] = []
  const retries: (number | null)[] = []
  let running = true
  const { host, reconnect } = keepConnected(
    async () => {
      if (!running) throw new Error('refused')
      const [page, server] = memoryTransports()
      servers.push({ transport: server, served: serveHost(server, testHandlers([])) })
      return page
    },
    (connection, _refusal, retryAt) => {
      said.push(connection)
      retries.push(retryAt)
    }
  )
  const stop = () => {
    running = false
    servers.at(-1)?.transport.close()
  }
  return { host, reconnect, servers, said, retries, stop, start: () => (running = true) }
}

describe('keepConnected', () => {
  it('reports when the host can be called, and forwards its notices', async () => {
    const { host, servers, said } = openPage()
    await vi.waitFor(() => expect(said).toEqual(['open']), 20_000)
    expect((await host.call('host.capabilities', {})).host).toBe('browser')
    const shown: string[] = []
    const stop = host.on('log.show', ({ log }) => shown.push(log))
    servers[0]?.served.notify('log.show', { log: 'a' })
    await vi.waitFor(() => expect(shown).toEqual(['a']), 20_000)
    stop()
    servers[0]?.served.notify('log.show', { log: 'b' })
    await vi.advanceTimersByTimeAsync(10)
    expect(shown).toEqual(['a'])
  })

  it('forwards every notice', async () => {
    const { host, servers, said } = openPage()
    await vi.waitFor(() => expect(said).toEqual(['open']), 20_000)
    const heard: string[] = []
    for (const name of Object.keys(notices) as NoticeName[]) host.on(name, () => heard.push(name))
    // The contents do not matter.
    for (const name of Object.keys(notices) as NoticeName[]) servers[0]?.served.notify(name, {} as never)
    await vi.waitFor(() => expect(heard.toSorted()).toEqual(Object.keys(notices).toSorted()), 20_000)
  })

  it('retries with growing delays, and keeps listeners', async () => {
    const { host, servers, said, stop, start } = openPage()
    const shown: string[] = []
    host.on('log.show', ({ log }) => shown.push(log))
    await vi.waitFor(() => expect(said).toEqual(['open']), 20_000)
    stop()
    await vi.waitFor(() => expect(said).toEqual(['open', 'lost']), 20_000)
    await expect(host.call('log.list', {})).rejects.toMatchObject({ code: 'closed' })
    await vi.advanceTimersByTimeAsync(500 + 500 + 1000)
    // Each wait and each attempt is reported.
    expect(said).toEqual(['open', ...Array.from({ length: 7 }, () => 'lost')])
    start()
    await vi.advanceTimersByTimeAsync(2000)
    expect(said.at(-1)).toBe('open')
    servers[1]?.served.notify('log.show', { log: 'again' })
    await vi.waitFor(() => expect(shown).toEqual(['again']), 20_000)
  })

  it('reports the next attempt, and retries at once on demand', async () => {
    const { reconnect, said, retries, stop, start } = openPage()
    await vi.waitFor(() => expect(said).toEqual(['open']), 20_000)
    reconnect()
    stop()
    await vi.advanceTimersByTimeAsync(0)
    expect(retries).toEqual([null, performance.now() + 500])
    start()
    reconnect()
    reconnect()
    expect(retries).toEqual([null, expect.any(Number), null])
    await vi.waitFor(() => expect(said).toEqual(['open', 'lost', 'lost', 'open']), 20_000)
    // The awaited answer never arrives.
    await vi.advanceTimersByTimeAsync(20_000)
    expect(said).toHaveLength(4)
  })
})

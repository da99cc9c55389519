import { connectHost } from '#contract/client.ts'
import { HostError } from '#contract/host-error.ts'
import { type Host, type NoticeName, notices } from '#contract/methods.ts'
import { NoticeListeners } from '#contract/notice-listeners.ts'
import type { Transport } from '#contract/transport.ts'

/** Opens a pipe to the host; resolves when it can be used, rejects when it cannot be had now, with `NotLetIn` where this page is refused. */
export type OpenTransport = () => Promise<Transport>

/** The host does not take this page. The message says why, for people. */
export class NotLetIn extends Error {}

type Connection = 'open' | 'lost' | 'refused'

const noticeNames = Object.keys(notices) as NoticeName[]
const firstRetry = 500
const longestRetry = 5000

/**
 * A host that outlives its connection: when the pipe breaks it is opened again, and whoever listens to notices goes on
 * listening. Calls fail with code 'closed' meanwhile. `onConnection` says how it stands, and why the page is refused.
 */
export function keepConnected(
  open: OpenTransport,
  onConnection: (connection: Connection, why: string | null) => void
): Host {
  const listeners = new NoticeListeners()
  let current: Host | null = null

  function forward<N extends NoticeName>(host: Host, name: N): void {
    host.on(name, (payload) => listeners.tell(name, payload))
  }

  async function connect(retry: number): Promise<void> {
    try {
      const host = connectHost(await open())
      for (const name of noticeNames) forward(host, name)
      current = host
      onConnection('open', null)
      host.onClose(() => {
        current = null
        onConnection('lost', null)
        setTimeout(() => void connect(firstRetry), firstRetry)
      })
    } catch (error) {
      if (error instanceof NotLetIn) onConnection('refused', error.message)
      else onConnection('lost', null)
      setTimeout(() => void connect(Math.min(longestRetry, retry * 2)), retry)
    }
  }

  // Whoever made this host has to have it in hand before it hears that it is open.
  queueMicrotask(() => void connect(firstRetry))

  return {
    call(method, params) {
      if (current !== null) return current.call(method, params)
      return Promise.reject(
        new HostError('closed', `${method} cannot be answered. The connection to Playhead is lost. Reconnecting…`)
      )
    },
    on: (name, listener) => listeners.on(name, listener),
    // The page never gives up on its host.
    onClose() {}
  }
}

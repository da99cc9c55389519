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

/** `refusal`: why the page is refused. `retryAt`: when it tries again, as of `performance.now()`; null while it tries, and when it is connected. */
type OnConnection = (connection: Connection, refusal: string | null, retryAt: number | null) => void

const noticeNames = Object.keys(notices) as NoticeName[]
const firstRetry = 500
const longestRetry = 5000

/**
 * A host that outlives its connection: when the pipe breaks it is opened again, and whoever listens to notices goes on
 * listening. Calls fail with code 'closed' meanwhile. `reconnect`: where it waits to try again, it tries now.
 */
export function keepConnected(open: OpenTransport, onConnection: OnConnection): { host: Host; reconnect(): void } {
  const listeners = new NoticeListeners()
  let current: Host | null = null
  /** Until it tries again. */
  let waiting: ReturnType<typeof setTimeout> | undefined

  function forward<N extends NoticeName>(host: Host, name: N): void {
    host.on(name, (payload) => listeners.tell(name, payload))
  }

  /** `retry`: how long it waits where this fails, in ms. */
  async function connect(retry: number): Promise<void> {
    try {
      const host = connectHost(await open())
      for (const name of noticeNames) forward(host, name)
      current = host
      onConnection('open', null, null)
      host.onClose(() => {
        current = null
        wait(firstRetry, firstRetry, null)
      })
    } catch (error) {
      wait(retry, Math.min(longestRetry, retry * 2), error instanceof NotLetIn ? error.message : null)
    }
  }

  function wait(ms: number, next: number, refusal: string | null): void {
    const isRefused = refusal !== null
    onConnection(isRefused ? 'refused' : 'lost', refusal, isRefused ? null : performance.now() + ms)
    waiting = setTimeout(() => again(next, isRefused), ms)
  }

  function again(retry: number, isRefused: boolean): void {
    waiting = undefined
    if (!isRefused) onConnection('lost', null, null)
    void connect(retry)
  }

  // Whoever made this host has to have it in hand before it hears that it is open.
  queueMicrotask(() => void connect(firstRetry))

  const host: Host = {
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
  return {
    host,
    reconnect() {
      if (waiting === undefined) return
      clearTimeout(waiting)
      again(firstRetry, false)
    }
  }
}

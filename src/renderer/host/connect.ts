import { connectHost } from '#contract/client.ts'
import { HostError } from '#contract/host-error.ts'
import { type Host, type NoticeName, notices } from '#contract/methods.ts'
import { NoticeListeners } from '#contract/notice-listeners.ts'
import type { Transport } from '#contract/transport.ts'

/** Opens a transport. Rejects if that is impossible now; with `RefusedError` if the host refuses this page. */
export type OpenTransport = () => Promise<Transport>

/** The host refuses this page. The message is shown. */
export class RefusedError extends Error {}

type Connection = 'open' | 'lost' | 'refused'

/** `refusal`: why the page is refused. `retryAt`: as `performance.now()`; null if not waiting. */
type OnConnection = (connection: Connection, refusal: string | null, retryAt: number | null) => void

const noticeNames = Object.keys(notices) as NoticeName[]
const firstRetryMs = 500
const maxRetryMs = 5000

/** A host that outlives its connections; listeners stay, calls meanwhile fail. `reconnect`: retries now. */
export function keepConnected(open: OpenTransport, onConnection: OnConnection): { host: Host; reconnect(): void } {
  const listeners = new NoticeListeners()
  let current: Host | null = null
  /** The timer of the next attempt. */
  let waiting: ReturnType<typeof setTimeout> | undefined

  function forward<N extends NoticeName>(host: Host, name: N): void {
    host.on(name, (payload) => listeners.emit(name, payload))
  }

  /** `retry`: delay before the next attempt, in ms. */
  async function connect(retry: number): Promise<void> {
    try {
      const host = connectHost(await open())
      for (const name of noticeNames) forward(host, name)
      current = host
      onConnection('open', null, null)
      host.onClose(() => {
        current = null
        wait(firstRetryMs, firstRetryMs, null)
      })
    } catch (error) {
      wait(retry, Math.min(maxRetryMs, retry * 2), error instanceof RefusedError ? error.message : null)
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

  // The caller needs the returned host before the first callback.
  queueMicrotask(() => void connect(firstRetryMs))

  const host: Host = {
    call(method, params) {
      if (current !== null) return current.call(method, params)
      return Promise.reject(
        new HostError('closed', `${method} cannot be answered. The connection to Playhead is lost. Reconnecting…`)
      )
    },
    on: (name, listener) => listeners.on(name, listener),
    // Not called: the page always reconnects.
    onClose() {}
  }
  return {
    host,
    reconnect() {
      if (waiting === undefined) return
      clearTimeout(waiting)
      again(firstRetryMs, false)
    }
  }
}

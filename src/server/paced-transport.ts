import type { Socket } from 'node:net'
import type { WebSocket } from 'ws'
import { methods } from '#contract/methods.ts'
import type { Transport, WireMessage } from '#contract/transport.ts'
import { webSocketTransport } from '#contract/websocket-transport.ts'

/** Of one page. */
const maxUnderWay = 16
const maxBufferedBytes = 8 << 20
/** Of all pages: what waits to be taken, and what calls under way are expected to answer. */
const maxInAllBytes = 64 << 20
/** A page with more than this to take is dropped. */
const maxStuckBytes = 256 << 20
/** Of a method without an answer so far. */
const firstAnswerBytes = 4 << 20

interface Page {
  /** Expected bytes of its calls under way. */
  readonly expectedBytes: number
  readonly bufferedBytes: number
  admit(): void
}

/** The pages of a server, which share a limit of bytes: SECURITY.md#limits-of-the-server. */
export class PacedPages {
  readonly #unreadMs: number
  readonly #pages = new Set<Page>()
  /** Bytes of the largest of the last answers, by method. */
  readonly #answerBytes = new Map<string, number>()

  /** A page that takes nothing of an answer for `unreadMs` is dropped. */
  constructor(unreadMs: number) {
    this.#unreadMs = unreadMs
  }

  /**
   * Pauses the socket at 16 calls or 8 MiB to send, and at 64 MiB of all pages, where only a page that has taken everything
   * is answered, one call at a time.
   */
  transport(socket: WebSocket, stream: Socket): Transport {
    const inner = webSocketTransport(socket)
    const waiting: WireMessage[] = []
    /** Calls under way by their id, with the method and the bytes expected of each. */
    const underWay: { readonly id: unknown; readonly method: unknown; readonly bytes: number }[] = []
    let listener: (message: WireMessage) => void = () => {}
    let admitting = false

    const page: Page = {
      get expectedBytes() {
        return underWay.reduce((sum, { bytes }) => sum + bytes, 0)
      },
      get bufferedBytes() {
        return socket.bufferedAmount
      },
      admit: () => {
        if (admitting) return
        admitting = true
        for (let message = waiting[0]; message !== undefined && mayAdmit(message); message = waiting[0]) {
          waiting.shift()
          const { id, method } = message.body
          underWay.push({ id, method, bytes: this.#expected(method) })
          listener(message)
        }
        admitting = false
        if (waiting.length > 0) socket.pause()
        else if (socket.isPaused) socket.resume()
      }
    }
    const mayAdmit = ({ body }: WireMessage): boolean => {
      if (underWay.length >= maxUnderWay || socket.bufferedAmount >= maxBufferedBytes) return false
      if (this.#inAll() + this.#expected(body['method']) <= maxInAllBytes) return true
      return underWay.length === 0 && socket.bufferedAmount === 0
    }

    this.#pages.add(page)
    const admitAll = (): void => {
      for (const each of this.#pages) each.admit()
    }
    inner.onClose(() => {
      this.#pages.delete(page)
      admitAll()
    })
    stream.on('drain', admitAll)
    // Node counts it as progress if a part of a large write is taken.
    stream.setTimeout(this.#unreadMs)
    stream.on('timeout', () => {
      if (socket.bufferedAmount > 0) socket.terminate()
    })
    return {
      ...inner,
      onMessage(listen) {
        listener = listen
        inner.onMessage((message) => {
          waiting.push(message)
          page.admit()
        })
      },
      send: (message) => {
        const before = socket.bufferedAmount
        inner.send(message)
        if (socket.bufferedAmount > maxStuckBytes) socket.terminate()
        if (message.body['kind'] === 'notice') return
        const at = underWay.findIndex(({ id }) => id === message.body['id'])
        const [answered] = underWay.splice(at < 0 ? 0 : at, 1)
        if (answered !== undefined) this.#answered(answered.method, socket.bufferedAmount - before)
        admitAll()
      }
    }
  }

  #inAll(): number {
    let sum = 0
    for (const { expectedBytes, bufferedBytes } of this.#pages) sum += expectedBytes + bufferedBytes
    return sum
  }

  #expected(method: unknown): number {
    if (!isMethod(method)) return 0
    return this.#answerBytes.get(method) ?? firstAnswerBytes
  }

  #answered(method: unknown, bytes: number): void {
    if (isMethod(method)) this.#answerBytes.set(method, Math.max(bytes, this.#expected(method) / 2))
  }
}

function isMethod(method: unknown): method is string {
  return typeof method === 'string' && Object.hasOwn(methods, method)
}

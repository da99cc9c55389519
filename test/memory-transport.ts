import { Inbox } from '#contract/inbox.ts'
import type { Transport } from '#contract/transport.ts'
import { decodeFrame, encodeFrame } from '#contract/wire.ts'

/** Two ends in one process. Every message is encoded and decoded as on the wire. */
export function memoryTransports(): [Transport, Transport] {
  const left = new Inbox()
  const right = new Inbox()
  return [end(left, right), end(right, left)]
}

function end(own: Inbox, other: Inbox): Transport {
  const later = (act: () => void): void => void Promise.resolve().then(act)
  return {
    send(message) {
      if (own.closed) return
      const frame = encodeFrame(message)
      later(() => other.receive(decodeFrame(frame)))
    },
    onMessage: (listener) => own.listen(listener),
    onClose: (listener) => own.onClose(listener),
    close() {
      own.close()
      later(() => other.close())
    }
  }
}

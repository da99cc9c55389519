import { HostError } from './host-error.ts'
import { Inbox } from './inbox.ts'
import type { Transport, WireMessage } from './transport.ts'
import { isJsonObject } from '#core/json.ts'

/** The used part of a MessagePort of browsers and Node; Electron's is adapted in `main/`. */
export interface PortLike {
  postMessage(message: unknown, transfer: ArrayBuffer[]): void
  addEventListener(type: 'message' | 'close', listener: (event: object) => void): void
  start(): void
  close(): void
}

/** A transport over a MessagePort. Buffers are transferred, so the sender's become empty. An invalid message closes it. */
export function portTransport(port: PortLike): Transport {
  const inbox = new Inbox()
  port.addEventListener('message', (event) => {
    const data: unknown = 'data' in event ? event.data : undefined
    if (isWireMessage(data)) inbox.receive(data)
    else close()
  })
  port.addEventListener('close', () => inbox.close())
  port.start()

  function close(): void {
    port.close()
    inbox.close()
  }

  return {
    send(message) {
      if (inbox.closed) return
      try {
        port.postMessage({ body: message.body, buffers: message.buffers }, [...new Set(message.buffers)])
      } catch {
        throw new HostError('internal', 'A message cannot be sent: it holds more than JSON and buffers.')
      }
    },
    onMessage: (listener) => inbox.listen(listener),
    onClose: (listener) => inbox.onClose(listener),
    close
  }
}

function isWireMessage(data: unknown): data is WireMessage {
  if (!isJsonObject(data) || !isJsonObject(data['body'])) return false
  const buffers: unknown = data['buffers']
  return Array.isArray(buffers) && buffers.every((buffer) => buffer instanceof ArrayBuffer)
}

import { Inbox } from './inbox.ts'
import type { Transport, WireMessage } from './transport.ts'
import { decodeFrame, encodeFrame, type Frame } from './wire.ts'

/** The used part of a WebSocket of browsers and of `ws`. */
export interface WebSocketLike {
  binaryType: string
  readonly readyState: number
  send(frame: Frame): void
  close(): void
  addEventListener(type: 'open' | 'close' | 'error', listener: () => void): void
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void
}

const connecting = 0
const open = 1

/** A transport over a WebSocket that is connecting or open. An invalid frame closes it. The caller reconnects. */
export function webSocketTransport(socket: WebSocketLike): Transport {
  const inbox = new Inbox()
  const waiting: Frame[] = []
  socket.binaryType = 'arraybuffer'
  socket.addEventListener('open', () => {
    for (const frame of waiting.splice(0)) socket.send(frame)
  })
  socket.addEventListener('message', (event) => {
    const message = messageOf(event.data)
    if (message) inbox.receive(message)
    else close()
  })
  socket.addEventListener('close', () => inbox.close())
  socket.addEventListener('error', () => inbox.close())
  if (socket.readyState > open) inbox.close()

  function close(): void {
    socket.close()
    inbox.close()
  }

  return {
    send(message) {
      if (inbox.closed) return
      const frame = encodeFrame(message)
      if (socket.readyState === connecting) waiting.push(frame)
      else if (socket.readyState === open) socket.send(frame)
    },
    onMessage: (listener) => inbox.listen(listener),
    onClose: (listener) => inbox.onClose(listener),
    close
  }
}

function messageOf(data: unknown): WireMessage | null {
  try {
    return decodeFrame(data)
  } catch {
    return null
  }
}

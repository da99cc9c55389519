import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import type { Transport, WireMessage } from '#contract/transport.ts'
import { webSocketTransport } from '#contract/websocket-transport.ts'

const maxUnderWay = 16
const maxBufferedBytes = 8 * 1024 * 1024
const maxStuckBytes = 256 * 1024 * 1024

/** Pauses the socket at 16 calls or 8 MiB to send, so a slow page cannot fill the memory. Disconnects at 256 MiB. */
export function pacedTransport(socket: WebSocket, stream: Duplex): Transport {
  const inner = webSocketTransport(socket)
  const waiting: WireMessage[] = []
  let listener: (message: WireMessage) => void = () => {}
  let underWay = 0
  let admitting = false

  function admit(): void {
    if (admitting) return
    admitting = true
    while (underWay < maxUnderWay && socket.bufferedAmount < maxBufferedBytes) {
      const message = waiting.shift()
      if (!message) break
      underWay++
      listener(message)
    }
    admitting = false
    if (waiting.length > 0) socket.pause()
    else if (socket.isPaused) socket.resume()
  }

  stream.on('drain', admit)
  return {
    ...inner,
    onMessage(listen) {
      listener = listen
      inner.onMessage((message) => {
        waiting.push(message)
        admit()
      })
    },
    send(message) {
      inner.send(message)
      if (socket.bufferedAmount > maxStuckBytes) socket.terminate()
      if (message.body['kind'] === 'notice') return
      underWay--
      admit()
    }
  }
}

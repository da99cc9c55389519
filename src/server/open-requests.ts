import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Clients send a request after the answer to the last one. Only an attacker sends hundreds, and reads none. */
const maxOfSocket = 8

/** Closes a connection with more than 8 unanswered requests. */
export class OpenRequests {
  readonly #open = new WeakMap<Socket, number>()

  /** False: the connection is closed, so there is nothing to answer. */
  admit({ socket }: IncomingMessage, response: ServerResponse): boolean {
    // Node has parsed the requests behind it already.
    if (socket.destroyed) return false
    const open = this.#open.get(socket) ?? 0
    if (open >= maxOfSocket) {
      socket.destroy()
      return false
    }
    this.#open.set(socket, open + 1)
    response.once('close', () => this.#open.set(socket, (this.#open.get(socket) ?? 1) - 1))
    return true
  }
}

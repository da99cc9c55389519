import type { Socket } from 'node:net'

/** Any user can open connections, and each needs a descriptor, so the oldest unauthenticated one is closed at a limit. */
export class UnauthenticatedSockets {
  readonly #maxSockets: number
  /** Oldest first. */
  readonly #sockets = new Set<Socket>()

  constructor(maxSockets: number) {
    this.#maxSockets = maxSockets
  }

  add(socket: Socket): void {
    this.#sockets.add(socket)
    socket.once('close', () => this.#sockets.delete(socket))
    if (this.#sockets.size <= this.#maxSockets) return
    const [oldest] = this.#sockets
    if (!oldest) return
    this.#sockets.delete(oldest)
    oldest.destroy()
  }

  /** The connection has authenticated. */
  remove(socket: Socket): void {
    this.#sockets.delete(socket)
  }
}

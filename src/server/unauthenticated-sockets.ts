import type { Socket } from 'node:net'

/** Connections without authentication. Any user can open them, and each needs a descriptor, so the oldest above the limit is closed. */
export class UnauthenticatedSockets {
  readonly #most: number
  /** Oldest first. */
  readonly #sockets = new Set<Socket>()

  constructor(most: number) {
    this.#most = most
  }

  arrived(socket: Socket): void {
    this.#sockets.add(socket)
    socket.once('close', () => this.#sockets.delete(socket))
    if (this.#sockets.size <= this.#most) return
    const [oldest] = this.#sockets
    if (!oldest) return
    this.#sockets.delete(oldest)
    oldest.destroy()
  }

  /** The connection has authenticated. */
  known(socket: Socket): void {
    this.#sockets.delete(socket)
  }
}

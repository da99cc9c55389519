import type { Socket } from 'node:net'

/**
 * Connections that have not shown the token yet. Anybody on this machine can open them, and each takes a file descriptor that a log may
 * need; so of more than `most` the oldest is ended. Whoever has the token shows it at once and is not among them any more.
 */
export class Strangers {
  readonly #most: number
  /** In the order in which they came. */
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

  /** This one has shown the token. */
  known(socket: Socket): void {
    this.#sockets.delete(socket)
  }
}

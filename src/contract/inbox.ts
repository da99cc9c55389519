import type { WireMessage } from './transport.ts'

/** The receiving half of all transports: buffers messages until there is a listener, and closes once. */
export class Inbox {
  #kept: WireMessage[] = []
  #listener: ((message: WireMessage) => void) | null = null
  #closeListeners: (() => void)[] = []
  #closed = false

  get closed(): boolean {
    return this.#closed
  }

  receive(message: WireMessage): void {
    if (this.#closed) return
    if (this.#listener) this.#listener(message)
    else this.#kept.push(message)
  }

  listen(listener: (message: WireMessage) => void): void {
    this.#listener = listener
    for (const message of this.#kept.splice(0)) listener(message)
  }

  onClose(listener: () => void): void {
    if (this.#closed) listener()
    else this.#closeListeners.push(listener)
  }

  close(): void {
    if (this.#closed) return
    this.#closed = true
    for (const listener of this.#closeListeners.splice(0)) listener()
  }
}

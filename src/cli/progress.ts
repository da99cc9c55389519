import type { Environment } from './environment.ts'
import { isTerminal } from './terminal.ts'

/** Short work shows no progress. */
const quietMs = 1000
const betweenMs = 200

const clearLine = '\r\u001b[K'

/** Shows progress on one line of a terminal; nothing if stderr is no terminal or the data goes to it as well. */
export class Progress {
  readonly #environment: Environment
  readonly #what: string
  readonly #isShown: boolean
  /** The next update, in ms since the epoch. */
  #next: number
  #hasLine = false

  /** `what`: "reading". `toTerminal`: the data goes to stdout. */
  constructor(environment: Environment, what: string, toTerminal: boolean) {
    this.#environment = environment
    this.#what = what
    this.#isShown = isTerminal(environment.stderr) && !(toTerminal && isTerminal(environment.stdout))
    this.#next = environment.now() + quietMs
  }

  /** A growing log may exceed `all`. */
  at(done: number, all: number): void {
    if (!this.#isShown || all === 0) return
    const now = this.#environment.now()
    if (now < this.#next) return
    this.#next = now + betweenMs
    this.#hasLine = true
    const part = Math.min(99, Math.floor((100 * done) / all))
    this.#environment.stderr.write(`${clearLine}playhead: ${this.#what}, ${part} %`)
  }

  /** Clears the line, before any other output. */
  end(): void {
    if (!this.#hasLine) return
    this.#hasLine = false
    this.#environment.stderr.write(clearLine)
  }
}

import type { Environment } from './environment.ts'
import { isTerminal } from './terminal.ts'

/** What is soon done says nothing. */
const quietMs = 1000
const betweenMs = 200

const clearLine = '\r\u001b[K'

/** Says on one line of a terminal how far long work is. Where people do not look on (a file, a pipe), or read the data itself, nothing. */
export class Progress {
  readonly #environment: Environment
  readonly #what: string
  readonly #isShown: boolean
  /** When it is due again, in ms since the epoch. */
  #next: number
  #hasLine = false

  /** `what` is done, e.g. `reading`. `toTerminal`: the data goes to the terminal, unless stdout leads elsewhere. */
  constructor(environment: Environment, what: string, toTerminal: boolean) {
    this.#environment = environment
    this.#what = what
    this.#isShown = isTerminal(environment.stderr) && !(toTerminal && isTerminal(environment.stdout))
    this.#next = environment.now() + quietMs
  }

  /** `done` of `all`; the log may have grown meanwhile. */
  at(done: number, all: number): void {
    if (!this.#isShown || all === 0) return
    const now = this.#environment.now()
    if (now < this.#next) return
    this.#next = now + betweenMs
    this.#hasLine = true
    const part = Math.min(99, Math.floor((100 * done) / all))
    this.#environment.stderr.write(`${clearLine}playhead: ${this.#what}, ${part} %`)
  }

  /** Takes the line away, before anything else is said. */
  end(): void {
    if (!this.#hasLine) return
    this.#hasLine = false
    this.#environment.stderr.write(clearLine)
  }
}

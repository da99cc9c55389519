import type { Handlers, Params, Result } from './methods.ts'

/** The library search of one page: its next search or the end of its connection ends it. */
export class OwnSearch {
  readonly #handlers: Handlers
  #find: number | null = null
  /** Counts requests: an outdated search is ended as soon as its number is known. */
  #asked = 0

  constructor(handlers: Handlers) {
    this.#handlers = handlers
  }

  async begin(params: Params<'library.find'>): Promise<Result<'library.find'>> {
    const asked = ++this.#asked
    await this.#endLast()
    const begun = await this.#handlers['library.find'](params)
    if (asked === this.#asked) this.#find = begun.find
    else await this.#handlers['library.endFind'](begun)
    return begun
  }

  async end(): Promise<void> {
    this.#asked++
    await this.#endLast()
  }

  async #endLast(): Promise<void> {
    const find = this.#find
    this.#find = null
    if (find !== null) await this.#handlers['library.endFind']({ find })
  }
}

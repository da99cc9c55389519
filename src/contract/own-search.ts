import type { Handlers, Params, Result } from './methods.ts'

/** The search of the library that one page has: its next one ends it, and so does the end of its connection. */
export class OwnSearch {
  readonly #handlers: Handlers
  #find: number | null = null
  /** One that was asked for before the last, or before the end, is ended as soon as its number is known. */
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

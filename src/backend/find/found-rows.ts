import { FindProgress, type Handlers, type NoticeName, type Params } from '#contract/methods.ts'

/** For tests: what a page hears of the searches it began. */
export class FoundRows {
  readonly heard: FindProgress[] = []

  /** Takes in a notice of the backend, whichever it is. */
  hear(name: NoticeName, payload: unknown): void {
    if (name === 'log.found') this.heard.push(FindProgress.parse(payload))
  }

  /** Begins a search and gives its rows when it is over. */
  async search(
    { handlers }: { readonly handlers: Pick<Handlers, 'log.find' | 'log.hits'> },
    params: Params<'log.find'>
  ): Promise<number[]> {
    const { find } = await handlers['log.find'](params)
    const { hits } = await this.end(params.log, find)
    const { rows } = await handlers['log.hits']({ log: params.log, find, from: 0, count: Math.max(hits, 1) })
    return [...new Uint32Array(rows)]
  }

  /** What is said of a search when it is over. */
  async end(log: string, find: number): Promise<FindProgress> {
    for (;;) {
      const last = this.heard.findLast((progress) => progress.log === log && progress.find === find)
      if (last?.searching === false) return last
      await new Promise((resume) => setTimeout(resume, 2))
    }
  }
}

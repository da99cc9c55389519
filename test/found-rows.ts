import { FindProgress, type Handlers, type NoticeName, type Params } from '#contract/methods.ts'

/** The searches of a page and their notices. */
export class FoundRows {
  readonly notices: FindProgress[] = []

  onNotice(name: NoticeName, payload: unknown): void {
    if (name === 'log.found') this.notices.push(FindProgress.parse(payload))
  }

  /** The rows of a search, after its end. */
  async search(
    { handlers }: { readonly handlers: Pick<Handlers, 'log.find' | 'log.hits'> },
    params: Params<'log.find'>
  ): Promise<number[]> {
    const { find } = await handlers['log.find'](params)
    const { hits } = await this.end(params.log, find)
    const { rows } = await handlers['log.hits']({ log: params.log, find, from: 0, count: Math.max(hits, 1) })
    return [...new Uint32Array(rows)]
  }

  /** The last notice of a search. */
  async end(log: string, find: number): Promise<FindProgress> {
    for (;;) {
      const last = this.notices.findLast((progress) => progress.log === log && progress.find === find)
      if (last?.searching === false) return last
      await new Promise((resume) => setTimeout(resume, 2))
    }
  }
}

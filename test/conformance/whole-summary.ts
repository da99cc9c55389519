import type { Handlers, RunSummary } from '#contract/methods.ts'

/** The summary of a log that is read: it is asked for until all rows are counted, as the page does. */
export async function wholeSummary({
  handlers,
  log
}: {
  readonly handlers: Pick<Handlers, 'log.summary'>
  readonly log: string
}): Promise<RunSummary> {
  for (;;) {
    const summary = await handlers['log.summary']({ log })
    if (summary.problem !== null) throw new Error(summary.problem)
    if (summary.counted >= summary.rows && summary.read >= summary.rows) return summary
  }
}

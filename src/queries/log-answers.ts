import type { MethodName, Params, Result } from '#contract/methods.ts'
import type { LogFinder } from './find/log-finder.ts'
import type { LogPages } from './log-pages.ts'

/** The methods of the contract that need only an open log, in the host's thread or in a page. */
export type LogMethod = Exclude<
  Extract<MethodName, `log.${string}`>,
  'log.list' | 'log.open' | 'log.close' | 'log.status'
>

export type LogAnswers = { readonly [M in LogMethod]: (params: Params<M>) => Promise<Result<M>> }

/** The answers of a log. `pages`: of its current index; throws a `HostError` while there is none. */
export function logAnswers(
  pages: () => LogPages,
  finder: Pick<LogFinder<never>, 'find' | 'hits' | 'endFind'>
): LogAnswers {
  return {
    'log.columns': async ({ from, count }) => pages().columns(from, count),
    'log.requests': async ({ from, count }) => pages().requests(from, count),
    'log.usage': async ({ ranges }) => pages().usage(ranges),
    'log.summary': async () => await pages().summary(),
    'log.spans': async ({ from, count }) => await pages().spans(from, count),
    'log.timeSplit': async ({ range }) => await pages().timeSplit(range),
    'log.callTable': async (params) => {
      const { find } = params
      const found = find === null ? null : new Uint32Array(finder.hits({ find, from: 0, count: Infinity }).rows)
      return await pages().callTable(params, found)
    },
    'log.context': async (params) => await pages().context(params),
    'log.findings': async () => pages().findings(),
    'log.rows': async ({ rows }) => await pages().rows(rows),
    'log.event': async ({ row, limit }) => await pages().event(row, limit),
    'log.text': async ({ row, path, from, count }) => await pages().text(row, path, from, count),
    'log.images': async ({ row }) => await pages().images(row),
    'log.raw': async ({ row, from, count }) => await pages().raw(row, from, count),
    'log.sameFile': async (params) => await pages().sameFile(params),
    'log.files': async (params) => await pages().files(params),
    'log.fileAt': async (params) => await pages().fileAt(params),
    'log.fileLines': async (params) => await pages().fileLines(params),
    'log.todoColumns': async ({ from }) => pages().todoColumns(from),
    'log.todos': async ({ from, count }) => pages().todos(from, count),
    'log.todoLanes': async ({ from, count }) => pages().todoLanes(from, count),
    'log.issues': async (params) => pages().issues(params),
    'log.find': async (params) => finder.find(params),
    'log.hits': async (params) => finder.hits(params),
    'log.endFind': async (params) => finder.endFind(params)
  }
}

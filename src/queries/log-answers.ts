import type { MethodName, Params, Result } from '#contract/methods.ts'

/** The methods of the contract that are answered from an open log alone, whoever owns it: the host's thread, or a page that holds it. */
export type LogMethod = Exclude<
  Extract<MethodName, `log.${string}`>,
  'log.list' | 'log.open' | 'log.close' | 'log.status'
>

/** One answer per method. */
export type LogAnswers = { readonly [M in LogMethod]: (params: Params<M>) => Promise<Result<M>> }

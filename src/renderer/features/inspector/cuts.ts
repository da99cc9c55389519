import type { LogText } from './use-log-text.ts'

/** Which strings of a row's event are shorter here than in the log, by JSON path, and how to get more of them at once. */
export interface Cuts {
  readonly row: number
  readonly lengths: ReadonlyMap<string, number>
  /** Null when this is already all that comes in one answer. */
  readonly showAll: (() => void) | null
}

export function cutsOf(
  row: number,
  cut: readonly { path: string; length: number }[],
  showAll: (() => void) | null
): Cuts {
  return { row, lengths: new Map(cut.map(({ path, length }) => [path, length])), showAll }
}

/** The string at `path` of the event, or, where that is null, a text that was made from several. */
export function textAt({ row, lengths }: Cuts, path: string | null, text: string): LogText {
  return { row, path, text, length: (path === null ? undefined : lengths.get(path)) ?? text.length }
}

/** Something at or under `path` was cut. */
export function isCut({ lengths }: Cuts, path: string): boolean {
  return [...lengths.keys()].some((at) => at.startsWith(path))
}

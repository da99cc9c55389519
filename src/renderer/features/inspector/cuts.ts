import type { LogText } from './use-log-text.ts'

/** Strings of a row's event that are cut here, by JSON path, and how to load more of all of them. */
export interface Cuts {
  readonly row: number
  readonly lengths: ReadonlyMap<string, number>
  /** Null if a longer answer is not possible. */
  readonly showAll: (() => void) | null
}

export function cutsOf(
  row: number,
  cut: readonly { path: string; length: number }[],
  showAll: (() => void) | null
): Cuts {
  return { row, lengths: new Map(cut.map(({ path, length }) => [path, length])), showAll }
}

/** The string at `path` of the event. `path` is null for a text made from several strings. */
export function textAt({ row, lengths }: Cuts, path: string | null, text: string): LogText {
  return { row, path, text, length: (path === null ? undefined : lengths.get(path)) ?? text.length }
}

/** Whether a string at or below `path` is cut. */
export function isCut({ lengths }: Cuts, path: string): boolean {
  return [...lengths.keys()].some((at) => at.startsWith(path))
}

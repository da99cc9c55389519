import type { TextCut } from '../../ui/text-block.tsx'

/** Which strings of an event are shorter here than in the log, by JSON path, and how to get all of them. */
export interface Cuts {
  readonly lengths: ReadonlyMap<string, number>
  /** Null when this is already all the contract gives. */
  readonly showAll: (() => void) | null
}

export function cutsOf(cut: readonly { path: string; length: number }[], showAll: (() => void) | null): Cuts {
  return { lengths: new Map(cut.map(({ path, length }) => [path, length])), showAll }
}

/** How the string at `path` was cut; undefined when it is whole. */
export function cutAt({ lengths, showAll }: Cuts, path: string): TextCut | undefined {
  const length = lengths.get(path)
  return length === undefined ? undefined : { length, showAll }
}

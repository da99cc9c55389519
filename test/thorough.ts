/** `PLAYHEAD_THOROUGH=1`: tests over many inputs try all of them. Else they try a part, the same each time. */
export const isThorough = process.env['PLAYHEAD_THOROUGH'] === '1'

/** How often something is tried: `all` times in a thorough run. */
export function times(usual: number, all: number): number {
  return isThorough ? all : usual
}

/** Every `nth` of these, the first among them; all in a thorough run. */
export function every<T>(nth: number, all: readonly T[]): readonly T[] {
  return isThorough ? all : all.filter((_, i) => i % nth === 0)
}

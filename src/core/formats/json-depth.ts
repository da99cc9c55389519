import type { JsonValue } from '../json.ts'

/** How deep a value may be nested inside an event: `JSON.stringify`, React and structured clone all recurse. */
export const maxDepth = 1000

/** Whether `value` is nested deeper than `maxDepth` arrays or objects. Does not recurse itself. */
export function isTooDeep(value: JsonValue | undefined): boolean {
  if (typeof value !== 'object' || value === null) return false
  let level: object[] = [value]
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > maxDepth) return true
    const next: object[] = []
    for (const node of level) {
      for (const child of Object.values(node) as unknown[]) {
        if (typeof child === 'object' && child !== null) next.push(child)
      }
    }
    level = next
  }
  return false
}

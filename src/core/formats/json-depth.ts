import type { JsonValue } from '../json.ts'

/** How deep a value may be nested inside an event: `JSON.stringify`, React and structured clone all recurse. */
export const maxDepth = 1000

/** Whether `value` is nested deeper than `maxDepth` arrays or objects. Recurses no deeper than that. */
export function isTooDeep(value: JsonValue | undefined): boolean {
  return typeof value === 'object' && value !== null && isDeeper(value, maxDepth)
}

/** Without a list of its values: this is asked of every tool call. */
function isDeeper(node: object, levels: number): boolean {
  if (levels === 0) return true
  if (Array.isArray(node)) {
    for (const child of node as unknown[]) {
      if (typeof child === 'object' && child !== null && isDeeper(child, levels - 1)) return true
    }
    return false
  }
  for (const key in node) {
    const child = (node as Record<string, unknown>)[key]
    if (typeof child === 'object' && child !== null && isDeeper(child, levels - 1)) return true
  }
  return false
}

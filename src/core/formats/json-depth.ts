import type { JsonValue } from '../json.ts'
import type { IssueDraft } from './issue.ts'

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

/** Says that the value at `path` is not in its event. */
export function tooDeepIssue(path: string): IssueDraft {
  return { code: 'TooDeep', path, message: `nested deeper than ${maxDepth} levels; the event omits it` }
}

/** A value of a shape nobody documents, as text: its JSON. */
export function jsonText(value: JsonValue): string {
  return isTooDeep(value) ? '[nested too deeply to show]' : JSON.stringify(value)
}

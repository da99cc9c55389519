import type { JsonObject, JsonValue } from '../json.ts'
import type { IssueDraft } from './issue.ts'

/** Limit of nesting in events, since `JSON.stringify`, React and structured clone recurse. */
export const maxDepth = 1000

/** Whether `value` is nested deeper than `maxDepth`. Recurses no deeper than that. */
export function isTooDeep(value: JsonValue | undefined): boolean {
  return typeof value === 'object' && value !== null && isDeeper(value, maxDepth)
}

/** Allocates nothing, as it runs for every tool call. */
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

/** The value at `path` is left out of its event. */
export function tooDeepIssue(path: string): IssueDraft {
  return { code: 'TooDeep', path, message: `nested deeper than ${maxDepth} levels; the event omits it` }
}

/** The input of a call; `{}` and an issue if it is nested too deeply. */
export function callInput(input: JsonObject, path: string, issues: IssueDraft[]): JsonObject {
  if (!isTooDeep(input)) return input
  issues.push(tooDeepIssue(path))
  return {}
}

/** A value of unknown shape as JSON text. */
export function jsonText(value: JsonValue): string {
  return isTooDeep(value) ? '[nested too deeply to show]' : JSON.stringify(value)
}

import { isJsonObject, type JsonObject, type JsonValue, stringAt } from '../json.ts'
import { oneLine } from './one-line.ts'
import type { Badge, Summary } from './row-summary.ts'

/**
 * One line for a tool call. Looks for what an input is usually made of (a command, a pattern, a path, …), in the order of
 * how much it tells, and never for a vendor's tool name: tools of servers and of later versions are told as well.
 */
export function toolSummary(input: JsonObject): Omit<Summary, 'todo'> {
  const command = commandText(input['command'] ?? input['cmd'])
  if (command !== null) return line(command, true, stringAt(input, 'description'))
  const path = firstString(input, [
    'file_path',
    'filePath',
    'absolute_path',
    'notebook_path',
    'path',
    'dir_path',
    'directory'
  ])
  const pattern = stringAt(input, 'pattern')
  if (pattern !== undefined) {
    const where = path ?? firstString(input, ['glob', 'include'])
    return line(where === undefined ? pattern : `${pattern} in ${where}`, true)
  }
  if (path !== undefined) return { ...line(path, true), badges: changedLines(input) }
  const asked = firstString(input, ['query', 'question', 'url'])
  if (asked !== undefined) return line(asked, false)
  const task = firstString(input, ['description', 'subject', 'prompt', 'message'])
  if (task !== undefined) return line(task, false, firstString(input, ['subagent_type', 'agent_name', 'agent']))
  return line(anyText(input, 4) ?? '', false)
}

function line(text: string, mono: boolean, detail = ''): Omit<Summary, 'todo'> {
  return { text: oneLine(text), detail: oneLine(detail), mono, badges: [] }
}

function commandText(value: JsonValue | undefined): string | null {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.filter((word) => typeof word === 'string').join(' ')
  return null
}

function firstString(input: JsonObject, keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const value = stringAt(input, key)
    if (value !== undefined && value !== '') return value
  }
  return undefined
}

/** The first string that is not empty, down to `depth` levels. */
function anyText(value: JsonValue | undefined, depth: number): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value
  if (typeof value !== 'object' || value === null || depth === 0) return undefined
  for (const part of Object.values(value).slice(0, 20)) {
    const text = anyText(part, depth - 1)
    if (text !== undefined) return text
  }
  return undefined
}

/** `+3` and `−1` of an edit or of a written file; nothing for a tool that only reads. */
function changedLines(input: JsonObject): Badge[] {
  const edits = Array.isArray(input['edits']) ? input['edits'].filter(isJsonObject) : [input]
  let added = 0
  let deleted = 0
  for (const edit of edits) {
    const after = stringAt(edit, 'new_string') ?? stringAt(edit, 'new_source') ?? stringAt(edit, 'content')
    if (after === undefined) continue
    const changed = lineDifference(stringAt(edit, 'old_string') ?? '', after)
    added += changed.added
    deleted += changed.deleted
  }
  const badges: Badge[] = []
  if (added > 0) badges.push({ text: `+${added}`, tone: 'add' })
  if (deleted > 0) badges.push({ text: `−${deleted}`, tone: 'del' })
  return badges
}

/** How many lines differ once the lines that both begin and end with are taken away. */
function lineDifference(before: string, after: string): { added: number; deleted: number } {
  const old = linesOf(before)
  const now = linesOf(after)
  const most = Math.min(old.length, now.length)
  let head = 0
  while (head < most && old[head] === now[head]) head++
  let tail = 0
  while (tail < most - head && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail++
  return { added: now.length - head - tail, deleted: old.length - head - tail }
}

function linesOf(text: string): string[] {
  if (text === '') return []
  return (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n')
}

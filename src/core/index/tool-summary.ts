import type { ScriptCalls } from '../formats/agent.ts'
import { inputNames, scriptCalls } from '../formats/agents.ts'
import { arrayAt, isJsonObject, type JsonObject, type JsonValue, objectAt, stringAt } from '../json.ts'
import { type FileChanges, isChangesByPath, listedChanges, patchAt, patchChanges } from './file-changes.ts'
import { linesOfEdits } from '../tools/changed-lines.ts'
import { fileEdits } from '../tools/file-edits.ts'
import type { LineCounts } from '../tools/line-diff.ts'
import { oneLine } from './one-line.ts'
import type { Badge, Summary } from './summary.ts'
import { shellCommand } from './shell-command.ts'
import { groupedText } from '../measure-text.ts'
import { relativePath } from '../paths/path-names.ts'

type ToolSummary = Omit<Summary, 'todo'>

/** Ordered by how specific their result is; the first result wins. */
const summarizers: readonly ((input: JsonObject, folder: string | null) => ToolSummary | null)[] = [
  patch,
  command,
  waiting,
  search,
  file,
  question,
  task,
  script,
  change,
  action
]

/** One line for a call by its input, not its tool, so tools of servers work too. Paths inside `folder` are relative. */
export function toolSummary(input: JsonObject, folder: string | null = null): ToolSummary {
  for (const summarize of summarizers) {
    const found = summarize(input, folder)
    if (found !== null) return found
  }
  return line(anyText(input, 4) ?? '', false)
}

function line(text: string, mono: boolean, detail = '', badges: Badge[] = []): ToolSummary {
  return { text: oneLine(text), detail: oneLine(detail), mono, badges }
}

/** Changed files: a list, a patch as text, or a patch on a command's standard input. */
function patch(input: JsonObject, folder: string | null): ToolSummary | null {
  const listed = isChangesByPath(input) ? input : input['changes']
  if (typeof listed === 'object') {
    const changes = listedChanges(listed)
    if (changes.files.length > 0) return changedFiles(changes, folder)
  }
  const text =
    firstString(input, ['patch', 'input', 'diff']) ?? shellCommand(input['command'] ?? input['cmd'] ?? null) ?? ''
  const at = patchAt(text)
  // Further on, the patch is data of a command or script.
  if (at < 0 || at > 300 || (at > 0 && !text.slice(0, at).includes('apply_patch'))) return null
  const changes = patchChanges(text.slice(at))
  return changes.files.length === 0 ? null : changedFiles(changes, folder)
}

const changeWords = { added: 'new file', deleted: 'deleted', updated: '' }

function changedFiles({ files, added, deleted }: FileChanges, folder: string | null): ToolSummary {
  const [first, ...more] = files
  const detail =
    more.length === 0
      ? changeWords[first?.kind ?? 'updated']
      : `and ${more.length} more file${more.length > 1 ? 's' : ''}`
  return line(relativePath(first?.path ?? '', folder), true, detail, lineBadges({ added, deleted }))
}

function command(input: JsonObject): ToolSummary | null {
  const words = shellCommand(input['command'] ?? input['cmd'])
  return words === null ? null : line(words, true, firstString(input, ['description', 'justification']))
}

/** Text typed into a running program; without text, a wait for its output. */
function waiting(input: JsonObject): ToolSummary | null {
  const typed = stringAt(input, 'chars')
  const { session_id: session, cell_id: cell } = input
  if (typed === undefined && cell === undefined) return null
  const detail = isName(cell) ? `cell ${cell}` : isName(session) ? `session ${session}` : ''
  return typed ? line(keysIn(typed), true, detail) : line('wait for output', false, detail)
}

function isName(value: JsonValue | undefined): value is string | number {
  return typeof value === 'string' || typeof value === 'number'
}

/** Typed text with visible control keys: `q⏎`, `^C`. */
function keysIn(typed: string): string {
  return typed
    .slice(0, 1000)
    .replace(/\r\n?|\n/g, '⏎')
    .replace(/\p{Cc}/gu, (key) => (key < '\u001b' ? `^${String.fromCharCode(key.charCodeAt(0) + 64)}` : ''))
}

const pathKeys = [...inputNames('path'), ...inputNames('folder')]

function search(input: JsonObject, folder: string | null): ToolSummary | null {
  const pattern = firstString(input, ['pattern'])
  if (pattern === undefined) return null
  const where = firstString(input, [...pathKeys, 'glob', 'include', 'include_pattern', 'url'])
  return line(where === undefined ? pattern : `${pattern} in ${relativePath(where, folder)}`, true)
}

function file(input: JsonObject, folder: string | null): ToolSummary | null {
  const path = firstString(input, pathKeys)
  return path === undefined
    ? null
    : line(relativePath(path, folder), true, stringAt(input, 'instruction'), changedLines(input))
}

function question(input: JsonObject): ToolSummary | null {
  const asked = firstString(input, ['query', 'question', 'url'])
  if (asked !== undefined) return line(asked, false)
  const [first, ...more] = arrayAt(input, 'questions') ?? []
  const text = isJsonObject(first) ? stringAt(first, 'question') : undefined
  if (text === undefined) return null
  return line(text, false, more.length === 0 ? '' : `and ${more.length} more`)
}

/** A delegated task, or its subject. */
function task(input: JsonObject): ToolSummary | null {
  const text = firstString(input, ['title', 'description', 'subject', 'prompt', 'message', 'objective'])
  if (text === undefined) return null
  const about = ['subagent_type', 'agent_name', 'agent', 'agent_type', 'task_name', 'target', 'summary']
  return line(text, false, firstString(input, about))
}

function script(input: JsonObject, folder: string | null): ToolSummary | null {
  const text = firstString(input, ['input', 'code', 'script'])
  const calls = text === undefined ? null : scriptCalls(text)
  return calls && scriptSummary(calls, folder)
}

function scriptSummary({ tool, input, calls }: ScriptCalls, folder: string | null): ToolSummary {
  const first = toolSummary(input, folder)
  const more = calls === 1 ? '' : `and ${calls - 1} more call${calls > 2 ? 's' : ''}`
  const detail = [first.detail, more].filter(Boolean).join(' · ')
  return first.text === '' ? line(tool, true, detail) : { ...first, detail }
}

/** An item with a new status. */
function change(input: JsonObject): ToolSummary | null {
  const id = firstString(input, ['id', 'task_id', 'taskId'])
  const status = firstString(input, ['status'])
  return id === undefined || status === undefined ? null : line(`${id} → ${status}`, true)
}

/** The call's input may be in a member `action`. */
function action(input: JsonObject, folder: string | null): ToolSummary | null {
  const inner = objectAt(input, 'action')
  // One level only; `anyText` finds deeper texts.
  return inner === undefined || inner['action'] !== undefined ? null : toolSummary(inner, folder)
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
  let parts = 0
  for (const name in value) {
    const text = anyText((value as JsonObject)[name], depth - 1)
    if (text !== undefined || ++parts === 20) return text
  }
  return undefined
}

/** `+3` and `−1` of an edit or a written file. */
function changedLines(input: JsonObject): Badge[] {
  return lineBadges(linesOfEdits(fileEdits(input) ?? []), 'has:diff')
}

/** `term`: of rows with such changes, where a query finds them. */
function lineBadges({ added, deleted }: LineCounts, term?: string): Badge[] {
  const badges: Badge[] = []
  const met = term === undefined ? {} : { term }
  if (added > 0) badges.push({ text: `+${groupedText(added)}`, tone: 'add', ...met })
  if (deleted > 0) badges.push({ text: `−${groupedText(deleted)}`, tone: 'del', ...met })
  return badges
}

/** Replaces the line counts of a call's summary. */
export function withLineCounts(summary: Summary, lines: LineCounts): Summary {
  const others = summary.badges.filter(({ tone }) => tone !== 'add' && tone !== 'del')
  return { ...summary, badges: [...others, ...lineBadges(lines, 'has:diff')] }
}

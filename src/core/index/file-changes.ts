import { isJsonObject, type JsonObject, type JsonValue, stringAt } from '../json.ts'

/** The files that a call changed, with added and deleted lines. */
export interface FileChanges {
  readonly files: readonly FileChange[]
  readonly added: number
  readonly deleted: number
}

interface FileChange {
  readonly path: string
  readonly kind: 'added' | 'deleted' | 'updated'
}

const kinds: Readonly<Record<string, FileChange['kind']>> = {
  add: 'added',
  added: 'added',
  create: 'added',
  delete: 'deleted',
  deleted: 'deleted'
}

const patchBegin = '*** Begin Patch'

/** The offset of a `*** Begin Patch` patch in `text`; -1 if there is none. */
export function patchAt(text: string): number {
  return text.indexOf(patchBegin)
}

/** The changes of a `*** Begin Patch` patch. */
export function patchChanges(patch: string): FileChanges {
  const files: FileChange[] = []
  let added = 0
  let deleted = 0
  eachLine(patch, (first, line) => {
    if (first === '+') added++
    else if (first === '-') deleted++
    else if (first === '*') {
      const head = /^\*\*\* (Add|Delete|Update) File: (.+?)\s*$/.exec(line())
      if (head) files.push({ path: head[2] ?? '', kind: kinds[head[1]?.toLowerCase() ?? ''] ?? 'updated' })
    }
  })
  return { files, added, deleted }
}

/** Whether the whole value is changes by path: `{path: {type, …}}`. */
export function isChangesByPath(value: JsonObject): boolean {
  let changes = 0
  // Not `Object.values`: most values are told by their first member, and an input may have a million.
  for (const path in value) {
    const change = value[path]
    if (!isJsonObject(change) || stringAt(change, 'type') === undefined) return false
    if (typeof change['content'] !== 'string' && typeof change['unified_diff'] !== 'string') return false
    changes++
  }
  return changes > 0
}

/** Changes as a list of `{path, kind, diff?}`, or by path: `{path: {type, content | unified_diff}}`. */
export function listedChanges(changes: JsonValue | undefined): FileChanges {
  const entries: [string | undefined, JsonValue | undefined][] = Array.isArray(changes)
    ? (changes as readonly JsonValue[]).map((change) => [undefined, change])
    : isJsonObject(changes)
      ? Object.entries(changes)
      : []
  const files: FileChange[] = []
  let added = 0
  let deleted = 0
  for (const [key, change] of entries) {
    if (!isJsonObject(change)) continue
    const path = key ?? stringAt(change, 'path')
    if (path === undefined) continue
    const kind = kindOf(change)
    files.push({ path, kind })
    const content = stringAt(change, 'content')
    if (content !== undefined && kind === 'added') added += linesIn(content)
    else if (content !== undefined && kind === 'deleted') deleted += linesIn(content)
    else
      eachLine(stringAt(change, 'unified_diff') ?? stringAt(change, 'diff') ?? '', (first, line) => {
        if (first === '+' && !line().startsWith('+++ ')) added++
        else if (first === '-' && !line().startsWith('--- ')) deleted++
      })
  }
  return { files, added, deleted }
}

function kindOf(change: JsonObject): FileChange['kind'] {
  const kind = isJsonObject(change['kind']) ? stringAt(change['kind'], 'type') : stringAt(change, 'kind')
  return kinds[kind ?? stringAt(change, 'type') ?? ''] ?? 'updated'
}

function linesIn(text: string): number {
  let lines = 0
  eachLine(text, () => lines++)
  return lines
}

/** Calls `onLine` with each line's first character and a function that slices the line on demand. */
function eachLine(text: string, onLine: (first: string, line: () => string) => void): void {
  for (let at = 0; at < text.length;) {
    const end = text.indexOf('\n', at)
    const next = end < 0 ? text.length : end
    onLine(text.charAt(at), () => text.slice(at, next))
    at = next + 1
  }
}

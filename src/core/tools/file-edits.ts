import { inputNames, scriptCalls } from '../formats/agents.ts'
import { isChangesByPath, patchAt } from '../index/file-changes.ts'
import { shellCommand } from '../index/shell-command.ts'
import { arrayAt, isJsonObject, type JsonObject, type JsonValue, numberAt, stringAt } from '../json.ts'
import { memberPath } from '../json-path.ts'

/** A text of an event. `at`: the JSON path of its string; null for a composed text. */
export interface TextAt {
  readonly text: string
  readonly at: string | null
}

/** An edit of a file. */
export type Edit =
  | { readonly kind: 'replace'; readonly before: TextAt; readonly after: TextAt; readonly all: boolean }
  /** The whole content that was written or deleted. */
  | { readonly kind: 'whole'; readonly text: TextAt }
  /** Hunks of a unified diff or of a `*** Begin Patch`, which has no line numbers. */
  | { readonly kind: 'patch'; readonly patch: TextAt }

/** A call's edits of one file; empty if the log does not state them. */
export interface FileEdit {
  readonly path: string
  /** `written`: created or replaced; the call does not state which. */
  readonly kind: 'written' | 'created' | 'deleted' | 'updated'
  readonly movedTo: string | null
  readonly edits: readonly Edit[]
}

/** A view of a call shows the edits of so many files. */
export const maxFilesShown = 50

const root = '$.input'
const [pathKeys, beforeKeys, afterKeys] = [inputNames('path'), inputNames('before'), inputNames('after')]
const [allKeys, contentKeys] = [inputNames('all'), inputNames('content')]

/** Members of an input that edits are read from. */
export const editKeys: readonly string[] = [
  ...[...pathKeys, ...beforeKeys, ...afterKeys, ...allKeys, ...contentKeys],
  ...['edits', 'changes', 'patch', 'diff', 'input', 'command', 'cmd', 'insert_line']
]

/** The files that a call changes; null if its input states none. */
export function fileEdits(input: JsonObject): readonly FileEdit[] | null {
  return listed(input) ?? patched(input) ?? inserted(input) ?? replaced(input) ?? written(input)
}

/** Changes by path, `{path: {type, content | unified_diff, move_path?}}`, or as a list of `{path, kind, diff?}`. */
function listed(input: JsonObject): readonly FileEdit[] | null {
  if (isChangesByPath(input)) return changesByPath(input, root)
  const changes = input['changes']
  const at = memberPath(root, 'changes')
  if (isJsonObject(changes)) return changesByPath(changes, at)
  if (!Array.isArray(changes)) return null
  const files = (changes as readonly JsonValue[]).flatMap((change, index) => {
    const path = isJsonObject(change) ? stringAt(change, 'path') : undefined
    return isJsonObject(change) && path !== undefined ? [changedFile(path, change, memberPath(at, index))] : []
  })
  return files.length > 0 ? files : null
}

function changesByPath(changes: JsonObject, at: string): readonly FileEdit[] | null {
  const files = Object.entries(changes).flatMap(([path, change]) =>
    isJsonObject(change) ? [changedFile(path, change, memberPath(at, path))] : []
  )
  return files.length > 0 ? files : null
}

const changeKinds: Readonly<Record<string, FileEdit['kind']>> = {
  add: 'created',
  added: 'created',
  create: 'created',
  delete: 'deleted',
  deleted: 'deleted'
}

function changedFile(path: string, change: JsonObject, at: string): FileEdit {
  const { kind: said } = change
  const word = (isJsonObject(said) ? stringAt(said, 'type') : stringAt(change, 'kind')) ?? stringAt(change, 'type')
  const kind = changeKinds[word ?? ''] ?? 'updated'
  const movedTo = stringAt(change, 'move_path') ?? (isJsonObject(said) ? stringAt(said, 'move_path') : undefined)
  return { path, kind, movedTo: movedTo ?? null, edits: changeEdits(change, kind, at) }
}

function changeEdits(change: JsonObject, kind: FileEdit['kind'], at: string): readonly Edit[] {
  for (const key of ['unified_diff', 'diff']) {
    const text = stringAt(change, key)
    if (text === undefined || text === '') continue
    const whole: TextAt = { text, at: memberPath(at, key) }
    // For an added or deleted file, this may be the content itself.
    return [/^(?:@@|---|diff )/m.test(text.slice(0, 2000)) ? { kind: 'patch', patch: whole } : wholeEdit(whole)]
  }
  const content = stringAt(change, 'content')
  if (content === undefined || kind === 'updated') return []
  return [wholeEdit({ text: content, at: memberPath(at, 'content') })]
}

function wholeEdit(text: TextAt): Edit {
  return { kind: 'whole', text }
}

/** A patch as text, on a command's standard input, or in a script. */
function patched(input: JsonObject): readonly FileEdit[] | null {
  for (const key of ['patch', 'input', 'diff', 'command', 'cmd']) {
    const value = input[key]
    const text = typeof value === 'string' && key !== 'cmd' ? value : (shellCommand(value) ?? '')
    const at = patchAt(text)
    if (at < 0) continue
    const head = text.slice(0, at)
    if (key === 'input' && scriptCalls(head) !== null) {
      const { patch } = scriptCalls(text)?.input ?? {}
      return typeof patch === 'string' ? patchedFiles(patch) : null
    }
    // Later in the text it is data of the command.
    if (at > 300 || (at > 0 && !head.includes('apply_patch'))) continue
    const files = patchedFiles(text.slice(at))
    if (files.length > 0) return files
  }
  return null
}

function pathIn(input: JsonObject): string | undefined {
  for (const key of pathKeys) {
    const path = stringAt(input, key)
    if (path !== undefined && path !== '') return path
  }
  return undefined
}

/** Replacements of text. */
function replaced(input: JsonObject): readonly FileEdit[] | null {
  const path = pathIn(input)
  if (path === undefined) return null
  const one = replacement(input, root)
  if (one !== null) return [{ path, kind: one.kind === 'whole' ? 'written' : 'updated', movedTo: null, edits: [one] }]
  const edits = (arrayAt(input, 'edits') ?? []).flatMap((edit, index) => {
    const each = isJsonObject(edit) ? replacement(edit, memberPath(memberPath(root, 'edits'), index)) : null
    return each === null ? [] : [each]
  })
  return edits.length === 0 ? null : [{ path, kind: 'updated', movedTo: null, edits }]
}

/** Lines added below a line, 0 for the start of the file. */
function inserted(input: JsonObject): readonly FileEdit[] | null {
  const path = pathIn(input)
  const below = numberAt(input, 'insert_line')
  const text = textIn(input, afterKeys, root)
  if (path === undefined || below === undefined || text === null || input['command'] !== 'insert') return null
  const lines = text.text.split('\n')
  const head = `@@ -${below},0 +${below + 1},${lines.length} @@`
  const patch: TextAt = { text: [head, ...lines.map((line) => `+${line}`)].join('\n'), at: null }
  return [{ path, kind: 'updated', movedTo: null, edits: [{ kind: 'patch', patch }] }]
}

function replacement(input: JsonObject, at: string): Edit | null {
  const before = textIn(input, beforeKeys, at)
  const after = textIn(input, afterKeys, at)
  if (before === null || after === null) return null
  // Replacing nothing creates a file.
  if (before.text === '') return wholeEdit(after)
  return { kind: 'replace', before, after, all: allKeys.some((key) => input[key] === true) }
}

function textIn(input: JsonObject, keys: readonly string[], at: string): TextAt | null {
  for (const key of keys) {
    const text = stringAt(input, key)
    if (text !== undefined) return { text, at: memberPath(at, key) }
  }
  return null
}

/** The whole file, or the source of a notebook cell. */
function written(input: JsonObject): readonly FileEdit[] | null {
  const path = pathIn(input)
  const text = textIn(input, contentKeys, root)
  if (path === undefined || text === null) return null
  const cell = stringAt(input, 'notebook_path') !== undefined
  return [{ path, kind: cell ? 'updated' : 'written', movedTo: null, edits: [wholeEdit(text)] }]
}

const patchHeads: Readonly<Record<string, FileEdit['kind']>> = { Add: 'created', Update: 'updated', Delete: 'deleted' }

/** The files of a `*** Begin Patch` patch, in order, each with its hunks. */
function patchedFiles(patch: string): readonly FileEdit[] {
  const files: FileEdit[] = []
  let head: { path: string; kind: FileEdit['kind']; movedTo: string | null } | null = null
  let lines: string[] = []
  const end = () => {
    if (head !== null) files.push({ ...head, edits: editsOfPatch(head.kind, lines) })
    lines = []
  }
  for (const line of patch.split(/\r?\n/)) {
    const opened = /^\*\*\* (Add|Update|Delete) File: (.+?)\s*$/.exec(line)
    if (opened !== null) {
      end()
      head = { path: opened[2] ?? '', kind: patchHeads[opened[1] ?? ''] ?? 'updated', movedTo: null }
      continue
    }
    const moved = /^\*\*\* Move to: (.+?)\s*$/.exec(line)
    if (moved !== null && head !== null) head = { ...head, movedTo: moved[1] ?? null }
    else if (/^\*\*\* End Patch\s*$/.test(line)) break
    else if (head !== null && !line.startsWith('*** ')) lines.push(line)
  }
  end()
  return files
}

function editsOfPatch(kind: FileEdit['kind'], lines: readonly string[]): FileEdit['edits'] {
  if (lines.every((line) => line === '')) return []
  if (kind === 'created') {
    // Blank lines after the file belong to the patch.
    while (lines.length > 1 && lines.at(-1) === '') lines = lines.slice(0, -1)
    const text = lines.map((line) => (line.startsWith('+') ? line.slice(1) : line)).join('\n')
    return [{ kind: 'whole', text: { text, at: null } }]
  }
  const hunks = lines[0]?.startsWith('@@') === true ? lines : ['@@', ...lines]
  return [{ kind: 'patch', patch: { text: hunks.join('\n'), at: null } }]
}

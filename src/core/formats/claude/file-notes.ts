import { arrayAt, isJsonObject, type JsonObject, numberAt, objectAt, stringAt } from '../../json.ts'
import { type FileEffect, fileLines } from '../file-effect.ts'

/**
 * What a tool's notes state of files: docs/formats/claude-transcript.md. Undefined: nothing. The lines of
 * `structuredPatch` are for display, with tabs as spaces, so contents come from the other members.
 */
export function filesIn(noted: JsonObject): readonly FileEffect[] | undefined {
  const file = objectAt(noted, 'file')
  const type = stringAt(noted, 'type')
  if (file !== undefined) return readIn(file, type)
  const path = stringAt(noted, 'filePath')
  if (path === undefined) return undefined
  const original = stringAt(noted, 'originalFile') ?? stringAt(noted, 'originalFileContents')
  const effects: FileEffect[] = original === undefined ? [] : [whole(path, original)]
  const content = stringAt(noted, 'content')
  if (content !== undefined && (type === 'create' || type === 'update'))
    return [...effects, { path, what: 'written', text: content, created: type === 'create' }]
  const edits = arrayAt(noted, 'edits')?.filter(isJsonObject) ?? [noted]
  for (const edit of edits) {
    const replaced = replacedIn(path, edit)
    if (replaced === null) return undefined
    effects.push(replaced)
  }
  return effects
}

function readIn(file: JsonObject, type: string | undefined): readonly FileEffect[] | undefined {
  const path = stringAt(file, 'filePath')
  if (path === undefined) return undefined
  if (type === 'file_unchanged') return [{ path, what: 'confirmed' }]
  const content = stringAt(file, 'content')
  const total = numberAt(file, 'totalLines')
  if (type !== 'text' || content === undefined) return [{ path, what: 'named' }]
  const lines = fileLines(content)
  // Some versions count lines from 0.
  const from = Math.max(1, numberAt(file, 'startLine') ?? 1)
  if (total !== undefined && (numberAt(file, 'numLines') ?? lines.length) !== lines.length)
    return [{ path, what: 'named' }]
  return [{ path, what: 'shown', from, lines, total: total ?? null }]
}

/** If the user changed the edit, the notes have what was written. */
function replacedIn(path: string, edit: JsonObject): FileEffect | null {
  const before = stringAt(edit, 'oldString') ?? stringAt(edit, 'old_string')
  const after = stringAt(edit, 'newString') ?? stringAt(edit, 'new_string')
  if (before === undefined || after === undefined) return null
  const all = edit['replaceAll'] === true || edit['replace_all'] === true
  return { path, what: 'replaced', before, after, all, takesLineEnd: true }
}

function whole(path: string, text: string): FileEffect {
  const lines = fileLines(text)
  return { path, what: 'shown', from: 1, lines, total: lines.length }
}

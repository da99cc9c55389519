import { inputNames, scriptCalls } from '../formats/agents.ts'
import { isJsonObject, type JsonObject, type JsonValue, objectAt, stringAt } from '../json.ts'
import { isSameFile, lastName } from '../paths/path-names.ts'
import { isChangesByPath, listedChanges, patchAt, patchChanges } from './file-changes.ts'
import { shellCommand } from './shell-command.ts'

const [pathKeys, listKeys] = [inputNames('path'), inputNames('paths')]
/** Files kept of one call. */
const maxFiles = 100
const maxPath = 4096
/** Longer texts are not searched for a patch. */
const maxText = 2_000_000

/** The files in a call's input, without those of a command line, where any word may be a path: `mentionsFile`. */
export function filesOfCall(input: JsonObject): readonly string[] {
  return [...new Set(namedFiles(input, 1))].filter((path) => path !== '' && path.length <= maxPath).slice(0, maxFiles)
}

/** The command line of a call, else null. */
export function commandOfCall(input: JsonObject): string | null {
  return shellCommand(input['command'] ?? input['cmd'] ?? objectAt(input, 'action')?.['command'])
}

/** Whether a word of a call's command line is the file or ends with it. `folder`: of the session. */
export function mentionsFile(input: JsonObject, path: string, folder: string | null = null): boolean {
  const command = commandOfCall(input)
  if (command === null) return false
  const name = lastName(path).toLowerCase()
  for (const [word] of command.matchAll(/[^\s'"`;|&<>()=,:]{1,4096}/g)) {
    if (word.toLowerCase().endsWith(name) && isSameFile(word, path, folder)) return true
  }
  return false
}

function* namedFiles(input: JsonObject, depth: number): Iterable<string> {
  for (const key of pathKeys) {
    const path = stringAt(input, key)
    if (path !== undefined) yield path
  }
  for (const key of listKeys) yield* stringsIn(input[key])
  for (const edit of objectsIn(input['edits'])) for (const key of pathKeys) yield stringAt(edit, key) ?? ''
  const listed = isChangesByPath(input) ? input : input['changes']
  if (typeof listed === 'object') for (const { path } of listedChanges(listed).files) yield path
  const text = stringAt(input, 'patch') ?? stringAt(input, 'input') ?? stringAt(input, 'diff') ?? commandOf(input)
  if (text !== undefined && text.length <= maxText) yield* filesInText(text, depth)
  const action = objectAt(input, 'action')
  if (action !== undefined && depth > 0) yield* namedFiles(action, depth - 1)
}

function* filesInText(text: string, depth: number): Iterable<string> {
  const at = patchAt(text)
  if (at >= 0) for (const { path } of patchChanges(text.slice(at)).files) yield path
  const script = at < 0 && depth > 0 ? scriptCalls(text) : null
  if (script !== null) yield* namedFiles(script.input, depth - 1)
}

function commandOf(input: JsonObject): string | undefined {
  return shellCommand(input['command'] ?? input['cmd']) ?? undefined
}

function stringsIn(value: JsonValue | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : []
}

function objectsIn(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}

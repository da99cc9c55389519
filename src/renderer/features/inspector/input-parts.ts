import type { JsonObject, JsonValue } from '#core/json.ts'
import { memberPath } from '#core/json-path.ts'

/** One input of a tool. `path`: its JSON path in the event. */
export type InputPart =
  | { readonly kind: 'text' | 'prose' | 'fact'; readonly title: string; readonly path: string; readonly text: string }
  | { readonly kind: 'tree'; readonly title: string; readonly path: string; readonly value: JsonValue }

/** Common inputs of tools, in display order. */
const known: Readonly<Record<string, string>> = {
  file_path: 'File',
  absolute_path: 'File',
  notebook_path: 'Notebook',
  pattern: 'Pattern',
  path: 'Path',
  dir_path: 'Folder',
  query: 'Query',
  url: 'URL',
  prompt: 'Prompt',
  cwd: 'Folder',
  workdir: 'Folder',
  replace_all: 'Replace all',
  subagent_type: 'Agent'
}
const order = Object.keys(known)
const prose = new Set(['prompt', 'instruction', 'plan', 'message', 'description', 'question'])

/** A single-line string up to this length is shown as a fact, a longer one as a block. */
const factLength = 200

/** The purpose that a call states in one line, else null. */
export function callPurpose(input: JsonObject): string | null {
  const description = input['description']
  return typeof description === 'string' && description !== '' && isFact(description) ? description : null
}

/** A tool's inputs without its purpose and `consumedKeys`: well-known ones first, then the rest in the order of the log. */
export function inputParts(input: JsonObject, consumedKeys: readonly string[]): InputPart[] {
  const purpose = callPurpose(input) === null ? undefined : 'description'
  return Object.entries(input)
    .filter((entry): entry is [string, JsonValue] => entry[1] !== undefined && entry[0] !== purpose)
    .map(([key, value], position) => ({ key, value, rank: rankOf(key, position) }))
    .filter(({ key }) => !consumedKeys.includes(key))
    .sort((a, b) => a.rank - b.rank)
    .map(({ key, value }) => partOf(key, value))
}

function isFact(text: string): boolean {
  return text.length <= factLength && !text.includes('\n')
}

function rankOf(key: string, position: number): number {
  const rank = order.indexOf(key)
  return rank < 0 ? order.length + position : rank
}

function partOf(key: string, value: JsonValue): InputPart {
  const path = memberPath('$.input', key)
  const title = Object.hasOwn(known, key) ? (known[key] ?? key) : key
  if (typeof value === 'object' && value !== null) return { kind: 'tree', title, path, value }
  const text = String(value)
  if (typeof value !== 'string' || isFact(text)) return { kind: 'fact', title, path, text }
  return { kind: prose.has(key) ? 'prose' : 'text', title, path, text }
}

import type { JsonObject, JsonValue } from '#core/json.ts'
import { memberPath } from '#core/json-path.ts'

/** One input of a tool, as it is best read. `path`: its JSON path in the event. */
export type InputPart =
  | { readonly kind: 'command'; readonly title: string; readonly path: string; readonly text: string }
  | {
      readonly kind: 'text'
      readonly title: string
      readonly path: string
      readonly text: string
      readonly tone?: 'add' | 'del'
    }
  | { readonly kind: 'fact'; readonly title: string; readonly path: string; readonly text: string }
  | { readonly kind: 'tree'; readonly title: string; readonly path: string; readonly value: JsonValue }

/** Inputs that many tools of many agents have, in the order in which they are read. */
const known: Record<string, { title: string; tone?: 'add' | 'del' }> = {
  command: { title: 'Command' },
  cmd: { title: 'Command' },
  file_path: { title: 'File' },
  absolute_path: { title: 'File' },
  notebook_path: { title: 'Notebook' },
  path: { title: 'Path' },
  pattern: { title: 'Pattern' },
  query: { title: 'Query' },
  url: { title: 'URL' },
  old_string: { title: 'Old', tone: 'del' },
  new_string: { title: 'New', tone: 'add' },
  content: { title: 'Content' },
  prompt: { title: 'Prompt' }
}
const order = Object.keys(known)
const commands = new Set(['command', 'cmd'])
const texts = new Set(['old_string', 'new_string', 'content', 'prompt'])

/** A string up to this length and without line ends is a fact; a longer one has a block of its own. */
const factLength = 200

/** What a call says it is for, in one line; null if it does not say, or says it at length. */
export function callPurpose(input: JsonObject): string | null {
  const said = input['description']
  return typeof said === 'string' && said !== '' && isFact(said) ? said : null
}

/** A tool's inputs but for its purpose: the well-known ones first, then the rest in the order of the log. */
export function inputParts(input: JsonObject): InputPart[] {
  const purpose = callPurpose(input) === null ? undefined : 'description'
  return Object.entries(input)
    .filter((entry): entry is [string, JsonValue] => entry[1] !== undefined && entry[0] !== purpose)
    .map(([key, value], position) => ({ rank: rankOf(key, position), part: partOf(key, value) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ part }) => part)
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
  const title = Object.hasOwn(known, key) ? (known[key]?.title ?? key) : key
  const tone = Object.hasOwn(known, key) ? known[key]?.tone : undefined
  if (commands.has(key)) {
    const text = commandText(value)
    if (text !== null) return { kind: 'command', title, path, text }
  }
  if (typeof value === 'object' && value !== null) return { kind: 'tree', title, path, value }
  const text = String(value)
  if (typeof value !== 'string' || (!texts.has(key) && isFact(text))) {
    return { kind: 'fact', title, path, text }
  }
  return { kind: 'text', title, path, text, ...(tone === undefined ? {} : { tone }) }
}

/** A command is a string, or the list of its words. */
function commandText(value: JsonValue): string | null {
  if (typeof value === 'string') return value
  if (!Array.isArray(value) || !value.every((word) => typeof word === 'string')) return null
  return value.map((word: string) => (/^[\w./:=@%+,-]+$/.test(word) ? word : JSON.stringify(word))).join(' ')
}

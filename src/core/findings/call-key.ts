import { textHash } from '../formats/text-hash.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../json.ts'

/** Members of an input that do not change what a call does. */
const without = new Set([
  ...['description', 'timeout', 'timeout_ms', 'yield_time_ms', 'max_output_tokens', 'justification', 'instruction'],
  ...['sandbox_permissions', 'toolCallId', 'run_in_background']
])
/** Characters that `textHash` reads whole. */
const pieceLength = 3072
const maxDepth = 30

/** A number for a call: equal for the same tool and input. Members may have any order; those that do not matter are left out. */
export function callKey(tool: string, input: JsonObject): number {
  return valueKey(input, textHash(tool), 0)
}

/** A number that is equal for inputs with the same key, and fast: mostly another one for other inputs. */
export function inputSize(input: JsonObject): number {
  let size = 0
  for (const name in input) {
    if (without.has(name)) continue
    const value = input[name]
    size += typeof value === 'string' ? 1 + value.length : 1
  }
  return size
}

function valueKey(value: JsonValue | undefined, start: number, depth: number): number {
  if (typeof value === 'string') return wholeHash(value, start)
  if (depth > maxDepth || typeof value !== 'object' || value === null)
    return mixed(start, textHash(`= ${String(value)}`))
  if (!isJsonObject(value)) {
    let key = mixed(start, 1)
    for (const part of value) key = valueKey(part, key, depth + 1)
    return key
  }
  let key = mixed(start, 2)
  for (const name of Object.keys(value).sort()) {
    if (depth === 0 && without.has(name)) continue
    key = valueKey(value[name], mixed(key, textHash(name)), depth + 1)
  }
  return key
}

/** Reads all characters of a long text, which `textHash` alone samples. */
export function wholeHash(text: string, start = 0): number {
  if (text.length <= pieceLength) return mixed(start, textHash(text))
  let key = start
  for (let at = 0; at < text.length; at += pieceLength) key = mixed(key, textHash(text.slice(at, at + pieceLength)))
  return key
}

/** Two hashes of 52 bits as one; their order matters. */
function mixed(a: number, b: number): number {
  const low = Math.imul((a | 0) ^ 0x9e3779b1, 0x85ebca6b) ^ (b | 0)
  const high = Math.imul(Math.trunc(a / 0x100000000) ^ low, 0xc2b2ae35) ^ Math.trunc(b / 0x100000000)
  return ((high ^ (high >>> 13)) & 0xfffff) * 0x100000000 + ((low ^ (low >>> 16)) >>> 0)
}

import { wholeTextHash } from '../formats/text-hash.ts'
import type { JsonValue } from '../json.ts'

const maxCharacters = 1000

/**
 * Names an ask by the agent's id of its request: as JSON text, as `0` and `"0"` differ. A longer one is cut, and told from others by its
 * length and hash; the protocol keeps the whole id for the answer.
 */
export function askIdOf(request: JsonValue | undefined): string {
  if (typeof request !== 'string' && typeof request !== 'number') return 'null'
  const id = JSON.stringify(request)
  return id.length <= maxCharacters
    ? id
    : `${id.slice(0, maxCharacters - 100)}… (${id.length} characters, ${wholeTextHash(id).toString(16)})`
}

import { grouped } from '../finding.ts'
import { ownText } from '../own-text.ts'
import { doneTraits, Rule } from '../rule.ts'
import type { CallEnd } from '../seen-event.ts'

const limitBytes = 50 * 1024

/** A result of more than 50 KiB. */
export class LargeResult extends Rule {
  override readonly looksAt = doneTraits.mayBeLarge
  override end({ call, outcome, seq }: CallEnd): void {
    const { text } = outcome
    const bytes = mayBeLarge(text, null) ? utf8Bytes(text) : 0
    if (bytes <= limitBytes) return
    const what = ownText(call.about === '' ? call.tool : `${call.tool}: ${call.about}`)
    const size = `${grouped(Math.round(bytes / 1024))} KB`
    this.run.found.add({
      rule: 'large-result',
      text: `A result of ${size}: ${what}`,
      short: size,
      events: [seq],
      more: 0,
      facts: { bytes, tool: call.tool, about: what }
    })
  }
}

/** False is fast to tell. `lineBytes`: length of the line in which the whole text stands; null: it stands in none. */
export function mayBeLarge({ length }: string, lineBytes: number | null): boolean {
  // A character takes at most three bytes of UTF-8 for each of its code units, and no more in a text than in JSON.
  return 3 * length > limitBytes && (lineBytes === null || lineBytes > limitBytes || length > lineBytes)
}

const encoder = new TextEncoder()
const encoded = new Uint8Array(1 << 16)

function utf8Bytes(text: string): number {
  let bytes = 0
  for (let left = text; left !== '';) {
    const { read, written } = encoder.encodeInto(left, encoded)
    bytes += written
    left = left.slice(read)
  }
  return bytes
}

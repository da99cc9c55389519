import { grouped } from '../finding.ts'
import { ownText } from '../own-text.ts'
import { Rule } from '../rule.ts'
import type { CallEnd } from '../seen-event.ts'

const limitBytes = 50 * 1024

/** A result of more than 50 KiB. */
export class LargeResult extends Rule {
  override end({ call, outcome, seq }: CallEnd): void {
    const { text } = outcome
    if (!mayBeLarge(text)) return
    const bytes = utf8Bytes(text)
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

/** False is fast to tell: most long results are shorter than the limit and have few characters that are not ASCII. */
function mayBeLarge(text: string): boolean {
  const { length } = text
  // A character takes at most three bytes of UTF-8 for each of its code units.
  let left = limitBytes - length
  for (let i = 0; i < length && left >= 0; i++) {
    if (2 * (length - i) <= left) return false
    if (text.charCodeAt(i) > 0x7f) left -= 2
  }
  return left < 0
}

function utf8Bytes(text: string): number {
  let bytes = text.length
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code > 0x7f) bytes += code > 0x7ff ? 2 : 1
    // Two units of a pair are four bytes.
    if (code >= 0xd800 && code <= 0xdbff && i + 1 < text.length) bytes -= 2
  }
  return bytes
}

import { grouped } from '../finding.ts'
import { ownText } from '../own-text.ts'
import { Rule } from '../rule.ts'
import type { CallEnd } from '../seen-event.ts'

const limitBytes = 50 * 1024

/** A result of more than 50 KiB. */
export class LargeResult extends Rule {
  override end({ call, outcome, seq }: CallEnd): void {
    const { text } = outcome
    // A character takes at most three bytes of UTF-8 for each of its code units.
    if (text.length * 3 <= limitBytes) return
    // Most are plain ASCII, which is fast to tell.
    const isAscii = !/[\u0080-\uffff]/.test(text)
    if (isAscii && text.length <= limitBytes) return
    const bytes = isAscii ? text.length : utf8Bytes(text)
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

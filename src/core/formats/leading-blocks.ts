/** Maximum blocks removed from one text. */
const maxBlocks = 50

const opening = /^<([A-Za-z][\w-]{0,63})(?:\s[^>]{0,1000})?>/

/**
 * Removes leading `<tag>…</tag>` blocks of the program: `<system-reminder>…</system-reminder>fix it` -> `fix it`.
 * `isProgram` checks the tag's name. A block without an end extends to the end of the text.
 */
export function withoutLeadingBlocks(text: string, isProgram: (tag: string) => boolean): string {
  let rest = text.trimStart()
  for (let blocks = 0; blocks < maxBlocks; blocks++) {
    const tag = opening.exec(rest)?.[1]
    if (tag === undefined || !isProgram(tag)) return rest
    const close = `</${tag}>`
    const end = rest.indexOf(close)
    if (end < 0) return ''
    rest = rest.slice(end + close.length).trimStart()
  }
  return rest
}

/** Tags of programs have compound names, unlike those of HTML. */
export function isCompoundTag(tag: string): boolean {
  return tag.includes('-') || tag.includes('_')
}

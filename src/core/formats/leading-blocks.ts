/** Blocks that are taken away from one text at most. */
const maxBlocks = 50

const opening = /^<([A-Za-z][\w-]{0,63})(?:\s[^>]{0,1000})?>/

/**
 * A text without the `<tag>…</tag>` blocks that it begins with, as far as they are the program's: `<system-reminder>…</system-reminder>fix
 * it` is `fix it`. `isProgram`: of a tag's name. A block without an end reaches to the end of the text.
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

/** What programs call what they put into a conversation: no tag of HTML has such a name. */
export function isCompoundTag(tag: string): boolean {
  return tag.includes('-') || tag.includes('_')
}

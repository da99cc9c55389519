/** What steers a terminal or changes the order in which text is read: control characters (C0, DEL, C1) but for line feed and tab, and bidirectional controls. */
const unsafe = /[^\P{Cc}\n\t]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u
const allUnsafe = new RegExp(unsafe, 'gu')

/**
 * `text` as it may be printed: what steers a terminal is written as in JSON, `\u001b`. So JSON stays JSON of the same value. Everything that a
 * command prints goes through here.
 */
export function terminalSafeText(text: string): string {
  // To look first is faster, and mostly there is nothing.
  return unsafe.test(text) ? text.replace(allUnsafe, escapeOf) : text
}

/** As `terminalSafeText`, and line feeds too: what is named in a message cannot begin a line of its own. */
export function terminalSafeLine(text: string): string {
  return terminalSafeText(text).replaceAll('\n', escapeOf)
}

function escapeOf(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

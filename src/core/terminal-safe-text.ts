/**
 * Control characters (C0, DEL, C1) except line feed and tab, and bidirectional controls. A list of
 * what is allowed, of code units without `u`: a third faster.
 */
const unsafe = /[^\t\n -~\u00a0-\u061b\u061d-\u200d\u2010-\u2029\u202f-\u2065\u206a-\uffff]/
const allUnsafe = new RegExp(unsafe, 'g')

/** Escapes unsafe characters as in JSON, `\u001b`, so JSON keeps its value. Used for all output of commands. */
export function terminalSafeText(text: string): string {
  // The test is faster, and mostly fails.
  return unsafe.test(text) ? text.replace(allUnsafe, escapeOf) : text
}

/** Also escapes line feeds, so that a name cannot start a line of a message. */
export function terminalSafeLine(text: string): string {
  return terminalSafeText(text).replaceAll('\n', escapeOf)
}

function escapeOf(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

const openBrace = 0x7b

/** Whether a line is only white space. A byte order mark is not white space. */
export function isBlank(text: string): boolean {
  // The first character of most records; skips the regex.
  if (text.charCodeAt(0) === openBrace) return false
  return /^\p{White_Space}*$/u.test(text)
}

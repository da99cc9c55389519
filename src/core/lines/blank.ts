const openBrace = 0x7b

/** Whether a line is ignored: nothing but white space. A byte order mark is not white space. */
export function isBlank(text: string): boolean {
  // What a record begins with, so that most lines are not searched.
  if (text.charCodeAt(0) === openBrace) return false
  return /^\p{White_Space}*$/u.test(text)
}

/** Whether a line is ignored: nothing but white space. A byte order mark is not white space. */
export function isBlank(text: string): boolean {
  return /^\p{White_Space}*$/u.test(text)
}

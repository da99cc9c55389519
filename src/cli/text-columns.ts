/** Two columns wide: East Asian characters and pictographs. */
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1faff}\u{20000}-\u{3fffd}]/u
/** Zero columns wide: they modify the character before. */
const none = /[\p{Mn}\p{Me}\p{Cf}]/u

export function columnsOfText(text: string): number {
  let columns = 0
  for (const character of text) columns += columnsOfCharacter(character)
  return columns
}

/** Cuts to `columns`, with `…` as the last character. */
export function cutEnd(text: string, columns: number): string {
  return columnsOfText(text) <= columns ? text : `${fitting(Array.from(text), columns - 1).join('')}…`
}

/** Like `cutEnd`, but keeps the end, the telling part of a path. */
export function cutStart(text: string, columns: number): string {
  if (columnsOfText(text) <= columns) return text
  return `…${fitting(Array.from(text).toReversed(), columns - 1)
    .toReversed()
    .join('')}`
}

export function padded(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - columnsOfText(text)))
}

/** The longest prefix that fits. */
function fitting(characters: readonly string[], columns: number): readonly string[] {
  let left = columns
  const end = characters.findIndex((character) => (left -= columnsOfCharacter(character)) < 0)
  return end < 0 ? characters : characters.slice(0, end)
}

function columnsOfCharacter(character: string): number {
  if (none.test(character)) return 0
  return wide.test(character) ? 2 : 1
}

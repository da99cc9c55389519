/** What stands before the program of a command line: settings of variables, and a change of the folder. */
const before =
  /^(?:\s*[A-Za-z_]\w{0,100}=(?:'[^']{0,1000}'|"[^"]{0,1000}"|[^\s'";&|]{0,1000})(?=\s)|\s*cd\s+(?:'[^']{0,1000}'|"[^"]{0,1000}"|[^\s;&|]{1,1000})\s*(?:&&|;))\s*/

/** The first words of a command line, at most `count` and without what is quoted: `npm test`. Null: it has none. */
export function firstWords(command: string, count: number): string[] | null {
  let rest = command.slice(0, 4000).trimStart()
  for (let match = before.exec(rest); match !== null && match[0] !== ''; match = before.exec(rest)) {
    rest = rest.slice(match[0].length)
  }
  const [simple = ''] = rest.split(/[;&|\n<>]/, 1)
  const words = simple.split(/\s+/).filter((word) => word !== '')
  return words.length === 0 ? null : words.slice(0, count)
}

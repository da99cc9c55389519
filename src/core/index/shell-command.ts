import type { JsonValue } from '../json.ts'

/** Characters of a command line that a row can show. */
const maxCommand = 4000

const shells = /^(?:\S*[/\\])?(?:bash|sh|zsh|dash|ksh)$/
const otherShells = /^(?:\S*[/\\])?(?:powershell|pwsh|cmd)(?:\.exe)?$/i

/** A string or words without the agent's shell (`bash -lc '…'`, `powershell.exe -Command …`). Null: neither. */
export function shellCommand(value: JsonValue | undefined): string | null {
  if (typeof value === 'string') return unwrappedLine(value)
  if (!Array.isArray(value)) return null
  const words = value.filter((word): word is string => typeof word === 'string')
  return (scriptOf(words) ?? words).join(' ')
}

/** The script of `bash -lc SCRIPT`, or the words of `powershell … -Command WORDS`; null without a shell. */
function scriptOf([program = '', ...words]: readonly string[]): string[] | null {
  if (shells.test(program) && words.length === 2 && /^-\w*c$/.test(words[0] ?? '')) return words.slice(1)
  if (!otherShells.test(program)) return null
  const flag = words.findIndex((word) => /^(?:-command|-c|\/c)$/i.test(word))
  return flag < 0 || flag === words.length - 1 ? null : words.slice(flag + 1)
}

function unwrappedLine(line: string): string {
  const wrapper = /^(\S{1,200}) -\w{0,4}c (?=\S)/.exec(line)
  if (wrapper === null || !shells.test(wrapper[1] ?? '')) return line
  return oneWord(line.slice(wrapper[0].length, wrapper[0].length + maxCommand)) ?? line
}

/** The value of `text` in a shell if it is one word, in any quoting; null if it is several. */
function oneWord(text: string): string | null {
  let word = ''
  let at = 0
  while (at < text.length) {
    const rest = text.slice(at)
    const part = /^'([^']*)'?|^"((?:[^"\\]|\\[^])*)"?|^\\([^])|^[^\s'"\\]+/.exec(rest)
    if (part === null) return /^\s*$/.test(rest) ? word : null
    word += part[1] ?? part[2]?.replace(/\\([\\"$`])/g, '$1') ?? part[3] ?? part[0]
    at += part[0].length
  }
  return word
}

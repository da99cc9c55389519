/** A word of a command, without its quotes. */
export interface ShellWord {
  readonly text: string
  /** A part of it is quoted or escaped. */
  readonly quoted: boolean
  /** It has a variable or a command that the shell replaces; `text` has it as written. */
  readonly expands: boolean
}

/** What stands after a command. Empty: nothing. `|&` is `|`, `;;` is `;`, and a closing bracket is `;`. */
export type ShellOperator = '' | '&&' | '||' | '|' | ';' | '&' | '\n'

/** One command of a line. */
export interface ShellSegment {
  /** Without assignments, redirections and words of the shell's grammar, such as `if` and `do`. */
  readonly words: readonly ShellWord[]
  /** `NAME=value` before the words. */
  readonly assigned: readonly (readonly [name: string, value: ShellWord])[]
  /** Files that it writes by `>` or `>>`. */
  readonly writes: readonly string[]
  /** Those of `writes` that it writes to the end of: `>>`. */
  readonly appends: readonly string[]
  /** The body of its here-document; null without one. */
  readonly here: string | null
  /** The shell replaces variables and commands in `here`. */
  readonly hereExpands: boolean
  readonly operator: ShellOperator
  /** It reads what the command before it writes. */
  readonly piped: boolean
  /** It stands in `$(…)`, backticks or `<(…)`, and comes before the command that uses it. */
  readonly inner: boolean
}

/** Whose grammar a line has. */
export type Shell = 'sh' | 'powershell' | 'cmd'

/** Characters read of a line. */
const maxLine = 1_000_000
/** Deeper `$(…)` are read as text. */
const maxDepth = 30

/** Words of the grammar that stand before a command. */
const grammar: ReadonlySet<string> = new Set([
  'if',
  'then',
  'elif',
  'else',
  'fi',
  'while',
  'until',
  'do',
  'done',
  'esac',
  '!',
  '{',
  '}',
  'time',
  'coproc'
])

/** A secret was one word, and so is the mark in its place: `TOKEN=[redacted: GitHub token] make`. */
const redacted = '[redacted: '
const mark = /\[redacted: [^\]\n]{1,80}\]/g

/**
 * The commands of a line of `sh` or `bash`, in the order in which they stand. Quotes, comments, here-documents and
 * substitutions are read as the shell does; nothing is run or replaced. Of PowerShell and `cmd`, their quotes, escapes and
 * separators are known, so that `\\` stays in paths. Never throws. Each character is read once, so the
 * time is linear; of a line of more than a million characters only these are read.
 */
export function shellSegments(line: string, shell: Shell = 'sh'): readonly ShellSegment[] {
  const read = line.length > maxLine ? line.slice(0, maxLine) : line
  const reader = new LineReader(read.includes(redacted) ? read.replaceAll(mark, '[redacted]') : read, shell)
  reader.list('', 0)
  return reader.segments
}

/** By ASCII code, 1 for the characters that end a stretch of plain ones. */
const stops = (characters: string): Uint8Array =>
  Uint8Array.from({ length: 128 }, (_, code) => (characters.includes(String.fromCharCode(code)) ? 1 : 0))

/** What differs between shells. */
interface Grammar {
  readonly escape: string
  /** Within double quotes; empty: none. */
  readonly quotedEscape: string
  /** Characters that mean something in another shell only. */
  readonly plain: string
  readonly inWord: Uint8Array
  readonly inQuotes: Uint8Array
}

const grammars: Readonly<Record<Shell, Grammar>> = {
  sh: {
    ...{ escape: '\\', quotedEscape: '\\', plain: '' },
    ...{ inWord: stops(' \t\n\r;&|<>()\\\'"`$'), inQuotes: stops('"\\`$') }
  },
  powershell: {
    ...{ escape: '`', quotedEscape: '`', plain: '\\' },
    ...{ inWord: stops(' \t\n\r;&|<>()\'"`$'), inQuotes: stops('"`$') }
  },
  cmd: {
    ...{ escape: '^', quotedEscape: '', plain: "\\'`$#" },
    ...{ inWord: stops(' \t\n\r;&|<>()"^'), inQuotes: stops('"') }
  }
}

interface NewSegment extends ShellSegment {
  readonly words: ShellWord[]
  readonly assigned: [name: string, value: ShellWord][]
  readonly writes: string[]
  readonly appends: string[]
  here: string | null
  hereExpands: boolean
  operator: ShellOperator
  piped: boolean
}

interface Pending {
  readonly segment: NewSegment
  readonly end: string
  readonly tabs: boolean
  /** The word that ends it is not quoted. */
  readonly expands: boolean
}

class LineReader {
  readonly segments: ShellSegment[] = []
  private readonly line: string
  private readonly shell: Shell
  private readonly grammar: Grammar
  private at = 0
  /** Here-documents whose bodies follow the next line end. */
  private pending: Pending[] = []

  constructor(line: string, shell: Shell) {
    this.line = line
    this.shell = shell
    this.grammar = grammars[shell]
  }

  /** What a character is, as the character that it would be in `sh`; empty: one of a word. */
  private role(char: string): string {
    if (this.shell === 'sh') return char
    return char === this.grammar.escape ? '\\' : this.grammar.plain.includes(char) ? '' : char
  }

  /** Reads commands up to `end`: `)` or a backtick of a substitution, else all. */
  list(end: '' | ')' | '`', depth: number): void {
    const { line } = this
    let open = 0
    let segment = newSegment(false, depth)
    const finish = (operator: ShellOperator): void => {
      segment.operator = operator
      if (segment.words.length + segment.assigned.length + segment.writes.length > 0) {
        this.segments.push(segment)
        segment = newSegment(operator === '|', depth)
      } else segment.piped ||= operator === '|'
    }
    while (this.at < line.length) {
      const char = line.charAt(this.at)
      switch (this.role(char)) {
        case ' ':
        case '\t':
        case '\r':
          this.at++
          break
        case '\n':
          this.at++
          // A pipe goes on in the next line.
          if (!segment.piped || segment.words.length > 0) finish('\n')
          this.readHere()
          break
        case '\\':
          // A line that goes on in the next one.
          if (line.charAt(this.at + 1) === '\n') this.at += 2
          else this.word(segment, depth)
          break
        case '#':
          this.skipComment()
          break
        case ';':
          this.at += line.charAt(this.at + 1) === ';' ? 2 : 1
          finish(';')
          break
        case '&':
          if (line.charAt(this.at + 1) === '>') this.redirect(segment, depth)
          else finish(this.operator('&'))
          break
        case '|':
          finish(this.operator('|'))
          break
        case '(':
          this.at++
          open++
          finish('')
          break
        case ')':
          this.at++
          finish(end === ')' && open === 0 ? '' : ';')
          if (end === ')' && open === 0) return
          open = Math.max(0, open - 1)
          break
        case '`':
          if (end === '`') {
            this.at++
            return finish('')
          }
          this.word(segment, depth)
          break
        case '<':
        case '>':
          this.redirect(segment, depth)
          break
        default:
          this.word(segment, depth)
      }
    }
    finish('')
  }

  private operator(char: '&' | '|'): ShellOperator {
    const next = this.line.charAt(this.at + 1)
    if (next === char) {
      this.at += 2
      return `${char}${char}` as '&&' | '||'
    }
    this.at += char === '|' && next === '&' ? 2 : 1
    return char
  }

  private skipComment(): void {
    const end = this.line.indexOf('\n', this.at)
    this.at = end < 0 ? this.line.length : end
  }

  /** Reads a word into the segment: an assignment, a word of the grammar, or one of the command's. */
  private word(segment: NewSegment, depth: number): void {
    const word = this.readWord(depth)
    if (word === null) return
    // `2>` and `1>&2`: the number of a stream.
    const next = this.line.charAt(this.at)
    if (!word.quoted && (next === '<' || next === '>') && /^\d{1,3}$/.test(word.text)) return
    if (segment.words.length === 0 && !word.quoted && grammar.has(word.text)) return
    const assigned = segment.words.length === 0 ? /^([A-Za-z_]\w{0,100})\+?=/.exec(word.text) : null
    if (assigned !== null) {
      const value = { ...word, text: word.text.slice(assigned[0].length) }
      segment.assigned.push([assigned[1] ?? '', value])
    } else segment.words.push(word)
  }

  /** Null if no word stands here. */
  private readWord(depth: number): ShellWord | null {
    const { line } = this
    let text = ''
    let quoted = false
    let expands = false
    const from = this.at
    let plain = from
    const flush = (): void => {
      if (plain < this.at) text += line.slice(plain, this.at)
    }
    loop: while (this.at < line.length) {
      switch (this.role(line.charAt(this.at))) {
        case ' ':
        case '\t':
        case '\n':
        case '\r':
        case ';':
        case '&':
        case '|':
        case '<':
        case '>':
        case ')':
          break loop
        case '(':
          // `f()` and arrays: the brackets are not of the word.
          break loop
        case '\\':
          flush()
          if (line.charAt(this.at + 1) !== '\n') {
            quoted = true
            text += line.charAt(this.at + 1)
          }
          this.at = plain = Math.min(this.at + 2, line.length)
          break
        case "'": {
          flush()
          quoted = true
          const end = line.indexOf("'", this.at + 1)
          text += line.slice(this.at + 1, end < 0 ? line.length : end)
          this.at = plain = end < 0 ? line.length : end + 1
          break
        }
        case '"':
          flush()
          quoted = true
          this.at++
          {
            const inside = this.readQuoted(depth)
            text += inside.text
            expands ||= inside.expands
          }
          plain = this.at
          break
        case '`':
          if (depth > 0 && this.inBackticks) break loop
          flush()
          expands = true
          text += this.readBackticks(depth)
          plain = this.at
          break
        case '$': {
          flush()
          const begin = this.at
          expands = this.readDollar(depth) || expands
          text += line.slice(begin, this.at)
          plain = this.at
          break
        }
        default:
          this.skip(this.grammar.inWord)
      }
    }
    flush()
    if (this.at === from) this.at++
    // `%TEMP%`, `!TEMP!`
    if (this.shell === 'cmd') expands = /%[^%\s]+%|![^!\s]+!/.test(text)
    return this.at === from + 1 && text === '' && !quoted && !expands ? null : { text, quoted, expands }
  }

  /** Goes to the next of some characters. */
  private skip(ends: Uint8Array): void {
    const { line } = this
    const { length } = line
    let at = this.at
    for (; at < length; at++) {
      const code = line.charCodeAt(at)
      if (code < 128 && ends[code] === 1) break
    }
    this.at = at
  }

  private inBackticks = false

  /** After an opening `"`, to the closing one. */
  private readQuoted(depth: number): { readonly text: string; readonly expands: boolean } {
    const { line, shell } = this
    const { quotedEscape, inQuotes } = this.grammar
    let text = ''
    let expands = false
    let plain = this.at
    while (this.at < line.length) {
      const char = line.charAt(this.at)
      if (char === '"') {
        text += line.slice(plain, this.at++)
        return { text, expands }
      }
      if (char === quotedEscape) {
        text += line.slice(plain, this.at)
        const next = line.charAt(this.at + 1)
        if (next !== '\n') text += shell !== 'sh' || '"\\$`'.includes(next) ? next : `\\${next}`
        this.at = plain = this.at + 2
      } else if (char === '`' && shell === 'sh' && !this.inBackticks) {
        text += line.slice(plain, this.at)
        expands = true
        text += this.readBackticks(depth)
        plain = this.at
      } else if (char === '$' && shell !== 'cmd') {
        text += line.slice(plain, this.at)
        const begin = this.at
        expands = this.readDollar(depth) || expands
        text += line.slice(begin, this.at)
        plain = this.at
      } else {
        this.at++
        this.skip(inQuotes)
      }
    }
    this.at = Math.min(this.at, line.length)
    return { text: text + line.slice(plain), expands }
  }

  private readBackticks(depth: number): string {
    const begin = this.at++
    if (depth >= maxDepth) {
      const end = this.line.indexOf('`', this.at)
      this.at = end < 0 ? this.line.length : end + 1
    } else {
      this.inBackticks = true
      this.list('`', depth + 1)
      this.inBackticks = false
    }
    return this.line.slice(begin, this.at)
  }

  /** At a `$`. Returns whether the shell replaces something. */
  private readDollar(depth: number): boolean {
    const { line } = this
    const next = line.charAt(this.at + 1)
    if (next === '(') {
      this.at += 2
      if (depth < maxDepth) this.list(')', depth + 1)
      return true
    }
    if (next === '{') {
      const end = line.indexOf('}', this.at)
      this.at = end < 0 ? line.length : end + 1
      return true
    }
    this.at++
    if (/[\w@*#?!$-]/.test(next)) {
      this.at++
      if (/[A-Za-z_]/.test(next)) while (/\w/.test(line.charAt(this.at))) this.at++
      return true
    }
    return false
  }

  /** At `<`, `>` or `&>`. */
  private redirect(segment: NewSegment, depth: number): void {
    const { line } = this
    const sign = /&>>?|<<<|<<-?|<>|<&|<|>>|>&|>\||>/y
    sign.lastIndex = this.at
    const kind = sign.exec(line)?.[0] ?? '>'
    this.at += kind.length
    if ((kind === '<' || kind === '>') && line.charAt(this.at) === '(') {
      this.at++
      if (depth < maxDepth) this.list(')', depth + 1)
      return
    }
    while (line.charAt(this.at) === ' ' || line.charAt(this.at) === '\t') this.at++
    if (this.at >= line.length || '\n;&|<>()'.includes(line.charAt(this.at))) return
    const target = this.readWord(depth)
    if (target === null) return
    if (kind === '<<' || kind === '<<-') {
      this.pending.push({ segment, end: target.text, tabs: kind === '<<-', expands: !target.quoted })
    } else if (kind === '<<<') {
      segment.here = target.text
      segment.hereExpands = target.expands
    } else if (kind.startsWith('>') || kind.startsWith('&')) {
      if (/^(?:\d+|-)$/.test(target.text) && kind === '>&') return
      segment.writes.push(target.text)
      if (kind.endsWith('>>')) segment.appends.push(target.text)
    }
  }

  /** After a line end: the bodies of the here-documents that began in the line. */
  private readHere(): void {
    if (this.pending.length === 0) return
    const { line } = this
    for (const { segment, end, tabs, expands } of this.pending) {
      const from = this.at
      let to = line.length
      for (;;) {
        if (this.at >= line.length) break
        const found = line.indexOf('\n', this.at)
        const lineEnd = found < 0 ? line.length : found
        const begin = this.at
        this.at = lineEnd + 1
        // The end alone on its line; comparing lengths first keeps this linear.
        if (lineEnd - begin < end.length || (!tabs && lineEnd - begin > end.length + 1)) continue
        const text = line.slice(begin, lineEnd).replace(/\r$/, '')
        if ((tabs ? text.replace(/^\t+/, '') : text) === end) {
          to = begin
          break
        }
      }
      this.at = Math.min(this.at, line.length)
      const body = line.slice(from, to)
      segment.here = tabs ? body.replace(/^\t+/gm, '') : body
      segment.hereExpands = expands && /[$`\\]/.test(body)
    }
    this.pending = []
  }
}

function newSegment(piped: boolean, depth: number): NewSegment {
  return {
    words: [],
    assigned: [],
    writes: [],
    appends: [],
    here: null,
    hereExpands: false,
    operator: '',
    piped,
    inner: depth > 0
  }
}

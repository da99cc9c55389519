type Range = readonly [from: number, to: number]

const lastCodePoint = 0x10ffff
const digits: readonly Range[] = [[0x30, 0x39]]
const words: readonly Range[] = [
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a]
]
/** With any case, the long s and the Kelvin sign are letters of words, too. */
const wordsOfAnyCase: readonly Range[] = [...words, [0x17f, 0x17f], [0x212a, 0x212a]]
const spaces: readonly Range[] = [
  [0x09, 0x0d],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff]
]
const lineEnds: readonly Range[] = [
  [0x0a, 0x0a],
  [0x0d, 0x0d],
  [0x2028, 0x2029]
]
const controls: Readonly<Record<string, number>> = { '0': 0, t: 9, n: 10, v: 11, f: 12, r: 13 }

/** Thrown for what RE2 does not have, or means otherwise. */
const foreign = Symbol('foreign')

/** A JavaScript expression (flag `u`) in the syntax of RE2, with the same matches; null: there is none. `source` is valid. */
export function linearSource(source: string, ignoreCase: boolean): string | null {
  try {
    return new Translation(source, ignoreCase).whole()
  } catch (error) {
    if (error === foreign) return null
    throw error
  }
}

class Translation {
  readonly #source: string
  readonly #ignoreCase: boolean
  #at = 0

  constructor(source: string, ignoreCase: boolean) {
    this.#source = source
    this.#ignoreCase = ignoreCase
  }

  whole(): string {
    let linear = ''
    while (this.#at < this.#source.length) linear += this.#part()
    return linear
  }

  #part(): string {
    if (this.#takes('\\b') || this.#takes('\\B')) {
      // Which letters of words there are depends on the case.
      if (this.#ignoreCase) throw foreign
      return this.#source.slice(this.#at - 2, this.#at)
    }
    if (this.#takes('[')) return this.#class()
    if (this.#takes('(')) return this.#group()
    if (this.#takes('.')) return `[^${classText(lineEnds)}]`
    if (this.#takes('^')) return '\\A'
    if (this.#takes('$')) return '\\z'
    const plain = this.#match(/[)|*+?]|\{[\d,]+\}/y)
    if (plain !== null) return plain[0]
    const set = this.#set()
    if (set !== null) return `[${set}]`
    const character = this.#character()
    return /[a-z\d]/i.test(String.fromCodePoint(character)) ? String.fromCodePoint(character) : codeText(character)
  }

  /** No group is referred to, so none needs to be kept. */
  #group(): string {
    if (!this.#takes('?')) return '(?:'
    if (this.#takes(':') || this.#match(/<(?![=!])[^>]*>/y) !== null) return '(?:'
    throw foreign
  }

  #class(): string {
    const isOther = this.#takes('^')
    let text = ''
    while (!this.#takes(']')) {
      const set = this.#set()
      if (set !== null) {
        text += set
        continue
      }
      const from = this.#character()
      const to = this.#source[this.#at + 1] !== ']' && this.#takes('-') ? this.#character() : from
      text += classText([[from, to]])
    }
    if (text !== '') return `[${isOther ? '^' : ''}${text}]`
    return `[${isOther ? '' : '^'}${classText([[0, lastCodePoint]])}]`
  }

  /** The content of a class for an escape that means several characters; null: there is none here. */
  #set(): string | null {
    const [, name, property] = this.#match(/\\(?:([dDwWsS])|[pP]\{(\w+)\})/y) ?? []
    if (name !== undefined) {
      const lower = name.toLowerCase()
      const ranges = lower === 'd' ? digits : lower === 's' ? spaces : this.#ignoreCase ? wordsOfAnyCase : words
      return classText(name === lower ? ranges : othersThan(ranges))
    }
    if (property === undefined) {
      if (this.#match(/\\[pP]/y) !== null) throw foreign
      return null
    }
    // Categories have the same names. Their case is another matter.
    if (this.#ignoreCase || !/^[LMNPSZ][a-z]?$/.test(property)) throw foreign
    return this.#source.slice(this.#at - property.length - 4, this.#at)
  }

  #character(): number {
    if (!this.#takes('\\')) return this.#codePoint()
    const pair = this.#match(/u(d[89ab][\da-f]{2})\\u(d[c-f][\da-f]{2})/iy)
    if (pair !== null) return String.fromCharCode(hex(pair[1]), hex(pair[2])).codePointAt(0) ?? 0
    const [, long, short, byte] = this.#match(/u\{([\da-f]+)\}|u([\da-f]{4})|x([\da-f]{2})/iy) ?? []
    const code = long ?? short ?? byte
    if (code !== undefined) return whole(hex(code))
    const control = this.#match(/c([a-z])/iy)
    if (control !== null) return (control[1]?.charCodeAt(0) ?? 0) % 32
    if (this.#match(/[1-9k]/y) !== null) throw foreign
    // In a class.
    if (this.#takes('b')) return 8
    const named = controls[this.#source[this.#at] ?? '']
    if (named === undefined) return this.#codePoint()
    this.#at++
    return named
  }

  #codePoint(): number {
    const code = this.#source.codePointAt(this.#at) ?? 0
    this.#at += code > 0xffff ? 2 : 1
    return whole(code)
  }

  #takes(text: string): boolean {
    const isHere = this.#source.startsWith(text, this.#at)
    if (isHere) this.#at += text.length
    return isHere
  }

  #match(sticky: RegExp): RegExpExecArray | null {
    sticky.lastIndex = this.#at
    const found = sticky.exec(this.#source)
    if (found !== null) this.#at = sticky.lastIndex
    return found
  }
}

function hex(digitsOfCode = ''): number {
  return Number.parseInt(digitsOfCode, 16)
}

/** Half of a character is in no text. */
function whole(code: number): number {
  if (code >= 0xd800 && code < 0xe000) throw foreign
  return code
}

function codeText(code: number): string {
  return `\\x{${code.toString(16)}}`
}

function classText(ranges: readonly Range[]): string {
  return ranges.map(([from, to]) => (from === to ? codeText(from) : `${codeText(from)}-${codeText(to)}`)).join('')
}

/** `ranges` ascend. */
function othersThan(ranges: readonly Range[]): Range[] {
  const others: Range[] = []
  let from = 0
  for (const [first, last] of ranges) {
    if (first > from) others.push([from, first - 1])
    from = last + 1
  }
  if (from <= lastCodePoint) others.push([from, lastCodePoint])
  return others
}

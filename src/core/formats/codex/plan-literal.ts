import { isJsonObject, type JsonObject, type JsonValue } from '../../json.ts'

/** The argument of `tools.update_plan` in a script; null if it is no literal. */
export type ScriptedPlan = JsonObject | null

const callee = 'tools.update_plan'
const maxCalls = 1000

/**
 * Calls of `tools.update_plan`, in order: docs/formats/codex-rollout.md#a-script-may-hold-plans. Skips comments,
 * strings and templates. Evaluates nothing: a call in a skipped branch counts, one in a loop counts once. Linear time.
 */
export function scriptedPlans(script: string): readonly ScriptedPlan[] {
  if (!script.includes(callee)) return []
  const plans: ScriptedPlan[] = []
  const reader = new LiteralReader(script)
  while (plans.length < maxCalls && reader.nextCall(callee)) {
    const value = reader.argument()
    plans.push(isJsonObject(value) ? value : null)
  }
  return plans
}

/** The value of a JavaScript literal, also with comments, trailing commas and templates without `${`. */
export function literalValue(text: string): JsonValue | undefined {
  return new LiteralReader(text).whole()
}

// Plans have three levels.
const maxNesting = 50

/** Keywords before a value. */
const keywordBefore = /(?<![\w$.])(?:return|typeof|case|in|of|delete|void|throw|new|else|do|await|yield)$/
const maxKeyword = 'typeof'.length

const identifierStart = /[\p{ID_Start}$_]/u
const numberLiteral = /-?(?:0[xX][\da-fA-F]+|(?:0|[1-9]\d*)(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+)(?![\w$.])/y
const identifierName = /[\p{ID_Start}$_][\p{ID_Continue}$]*/uy
export const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  v: '\v',
  0: '\0'
}

class LiteralReader {
  readonly #text: string
  #at = 0
  /** Number of open braces, and those at which a template continues. */
  #braces = 0
  readonly #templates: number[] = []
  /** By delimiter: the end of a search without a result, so that no line is searched twice. */
  readonly #endless = new Map<string, number>()

  constructor(text: string) {
    this.#text = text
  }

  /** Advances past the next `name(` in code; false at the end. */
  nextCall(name: string): boolean {
    while (this.#at < this.#text.length) {
      if (this.#skipComment()) continue
      const char = this.#text.charAt(this.#at)
      if (char === '"' || char === "'" || (char === '/' && this.#mayBeginPattern())) {
        this.#skipDelimited(char)
      } else if (char === '`' || (char === '}' && this.#templates.at(-1) === this.#braces)) {
        if (char === '}') this.#templates.pop()
        this.#at += 1
        if (this.#skipTemplateText()) this.#templates.push(this.#braces)
      } else {
        if (char === '{') this.#braces += 1
        if (char === '}') this.#braces -= 1
        if (char === name.charAt(0) && this.#call(name)) return true
        this.#at += 1
      }
    }
    return false
  }

  /** The only argument of the found call; undefined if it is no literal. */
  argument(): JsonValue | undefined {
    const start = this.#at
    const value = this.#value(0)
    this.#skipSpace()
    if (value !== undefined && this.#take(',')) this.#skipSpace()
    if (value !== undefined && this.#take(')')) return value
    // It may contain further calls.
    this.#at = start
    return undefined
  }

  whole(): JsonValue | undefined {
    const value = this.#value(0)
    this.#skipSpace()
    return this.#at === this.#text.length ? value : undefined
  }

  #call(name: string): boolean {
    if (!this.#text.startsWith(name, this.#at)) return false
    const before = this.#text.charAt(this.#at - 1)
    if (before === '.' || identifierStart.test(before) || /\d/.test(before)) return false
    const start = this.#at
    this.#at += name.length
    this.#skipSpace()
    if (this.#take('(')) return true
    this.#at = start
    return false
  }

  /** Whether a slash starts a regular expression; after a value it divides. */
  #mayBeginPattern(): boolean {
    let at = this.#at - 1
    while (at >= 0 && this.#text.charAt(at).trim() === '') at -= 1
    const before = this.#text.charAt(at)
    if (before === '' || '(,=:[!&|?{};+-*%~^<>'.includes(before)) return true
    return keywordBefore.test(this.#text.slice(Math.max(0, at - maxKeyword), at + 1))
  }

  /** Skips a string or a regular expression; it must end on its line. */
  #skipDelimited(delimiter: string): void {
    const from = this.#at + 1
    this.#at = from
    if (from <= (this.#endless.get(delimiter) ?? 0)) return
    let inClass = false
    for (let at = from; at < this.#text.length; at += 1) {
      const char = this.#text.charAt(at)
      if (char === delimiter && !inClass) {
        this.#at = at + 1
        return
      }
      if (char === '\n') {
        this.#endless.set(delimiter, at)
        return
      }
      if (char === '\\') at += 1
      else if (delimiter === '/') inClass = inClass ? char !== ']' : char === '['
    }
    this.#endless.set(delimiter, this.#text.length)
  }

  /** Skips a template's text; true if it stops at `${`. */
  #skipTemplateText(): boolean {
    for (; this.#at < this.#text.length; this.#at += 1) {
      const char = this.#text.charAt(this.#at)
      if (char === '\\') this.#at += 1
      else if (char === '`') break
      else if (char === '$' && this.#text.charAt(this.#at + 1) === '{') {
        this.#at += 2
        return true
      }
    }
    this.#at += 1
    return false
  }

  #skipComment(): boolean {
    if (this.#text.charAt(this.#at) !== '/') return false
    const next = this.#text.charAt(this.#at + 1)
    if (next !== '/' && next !== '*') return false
    const end = this.#text.indexOf(next === '/' ? '\n' : '*/', this.#at + 2)
    this.#at = end === -1 ? this.#text.length : end + (next === '/' ? 1 : 2)
    return true
  }

  #skipSpace(): void {
    for (;;) {
      const char = this.#text.charAt(this.#at)
      if (char !== '' && char.trim() === '') this.#at += 1
      else if (!this.#skipComment()) return
    }
  }

  #take(char: string): boolean {
    if (this.#text.charAt(this.#at) !== char) return false
    this.#at += 1
    return true
  }

  #value(depth: number): JsonValue | undefined {
    this.#skipSpace()
    const char = this.#text.charAt(this.#at)
    if (char === '"' || char === "'" || char === '`') return this.#string(char)
    if (char === '{' || char === '[') {
      if (depth === maxNesting) return undefined
      this.#at += 1
      return char === '{' ? this.#object(depth + 1) : this.#array(depth + 1)
    }
    const number = this.#match(numberLiteral)
    if (number !== undefined) return numberOf(number)
    const word = this.#match(identifierName)
    if (word === 'null') return null
    return word === 'true' || word === 'false' ? word === 'true' : undefined
  }

  #array(depth: number): JsonValue | undefined {
    const items: JsonValue[] = []
    for (;;) {
      this.#skipSpace()
      if (this.#take(']')) return items
      const item = this.#value(depth)
      if (item === undefined) return undefined
      items.push(item)
      this.#skipSpace()
      if (!this.#take(',')) return this.#take(']') ? items : undefined
    }
  }

  #object(depth: number): JsonValue | undefined {
    const members: [string, JsonValue][] = []
    for (;;) {
      this.#skipSpace()
      if (this.#take('}')) break
      const key = this.#key()
      this.#skipSpace()
      if (key === undefined || !this.#take(':')) return undefined
      const value = this.#value(depth)
      if (value === undefined) return undefined
      members.push([key, value])
      this.#skipSpace()
      if (this.#take(',')) continue
      if (this.#take('}')) break
      return undefined
    }
    // Own members, also `__proto__`.
    return Object.fromEntries(members)
  }

  #key(): string | undefined {
    const char = this.#text.charAt(this.#at)
    if (char === '"' || char === "'") return this.#string(char)
    return this.#match(identifierName)
  }

  #string(quote: string): string | undefined {
    let text = ''
    let from = this.#at + 1
    for (let at = from; at < this.#text.length; at += 1) {
      const char = this.#text.charAt(at)
      if (char === quote) {
        this.#at = at + 1
        return text + this.#text.slice(from, at)
      }
      if (quote === '`' ? char === '$' && this.#text.charAt(at + 1) === '{' : char === '\n') return undefined
      if (char !== '\\') continue
      text += this.#text.slice(from, at)
      this.#at = at + 1
      const escaped = this.#escape()
      if (escaped === undefined) return undefined
      text += escaped
      from = this.#at
      at = from - 1
    }
    return undefined
  }

  /** The character of an escape after a backslash. */
  #escape(): string | undefined {
    const char = this.#text.charAt(this.#at)
    this.#at += 1
    if (char === 'x') return this.#hex(2)
    if (char === 'u') {
      if (!this.#take('{')) return this.#hex(4)
      const end = this.#text.indexOf('}', this.#at)
      return end === -1 || end - this.#at > 6 ? undefined : this.#hex(end - this.#at, 1)
    }
    if (char === '\r' && this.#text.charAt(this.#at) === '\n') this.#at += 1
    return char === '\n' || char === '\r' ? '' : (escapes[char] ?? char)
  }

  #hex(length: number, closing = 0): string | undefined {
    const digits = this.#text.slice(this.#at, this.#at + length)
    this.#at += length + closing
    const code = digits.length === length && /^[\da-fA-F]+$/.test(digits) ? Number.parseInt(digits, 16) : Infinity
    return code <= 0x10ffff ? String.fromCodePoint(code) : undefined
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)?.[0]
    if (found !== undefined) this.#at += found.length
    return found
  }
}

/** A number that JSON can state. */
function numberOf(text: string): number | undefined {
  const value = text.startsWith('-') ? -Number(text.slice(1)) : Number(text)
  return Number.isFinite(value) ? value : undefined
}

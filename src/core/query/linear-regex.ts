import { RE2JS } from 're2js'
import { linearSource } from './linear-source.ts'

/**
 * A regular expression that is tested in time linear in the text, so that neither an expression nor a log can stop the thread of the index.
 * It has no look-around and no references to groups. Throws a sentence for what it cannot match.
 */
export function linearRegex(source: string, ignoreCase: boolean): (text: string) => boolean {
  const expression = RE2JS.compile(RE2JS.translateRegExp(source), ignoreCase ? RE2JS.CASE_INSENSITIVE : 0)
  return (text) => expression.test(text)
}

/** Why an expression that is valid in JavaScript cannot be matched in linear time; null if it can. */
export function linearRegexError(source: string): string | null {
  try {
    linearRegex(source, false)
    return null
  } catch (thrown) {
    if (!(thrown instanceof Error)) throw thrown
    return /\(\?[=!<]/.test(source) || /\\[1-9k]/.test(source)
      ? 'look-around and references to groups work only without a key'
      : thrown.message.replace(/^error parsing regexp: /, '')
  }
}

/** What a search uses of an expression with the flags `g` and `u`. */
export interface Expression {
  lastIndex: number
  exec(text: string): { readonly index: number; readonly 0: string } | null
}

/** An expression with the same matches as in JavaScript, found in linear time; null: it cannot be. `source` is valid with the flag `u`. */
export function linearExpression(source: string, ignoreCase: boolean): Expression | null {
  const linear = linearSource(source, ignoreCase)
  const compiled = linear === null ? null : compiledOf(linear, ignoreCase)
  if (compiled === null) return null
  return {
    lastIndex: 0,
    exec(text) {
      const matcher = compiled.matcher(text)
      if (this.lastIndex > text.length || !matcher.find(this.lastIndex)) {
        this.lastIndex = 0
        return null
      }
      this.lastIndex = matcher.end()
      return { index: matcher.start(), 0: text.slice(matcher.start(), matcher.end()) }
    }
  }
}

/** Null: too large, or repeated too often. */
function compiledOf(linear: string, ignoreCase: boolean): RE2JS | null {
  try {
    return RE2JS.compile(linear, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0)
  } catch (error) {
    if (error instanceof Error && error.name.startsWith('RE2JS')) return null
    throw error
  }
}

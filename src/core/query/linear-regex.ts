import { RE2JS } from 're2js'

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

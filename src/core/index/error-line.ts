/** A line of a text: its offset and its trimmed content. */
export interface TextLine {
  /** In characters. */
  readonly at: number
  readonly text: string
}

/** Characters checked of each line: an error is near its beginning. */
const maxLine = 400
/** Characters searched of a text. */
const maxText = 4_000_000

/** Error words and markers of compilers, test runners, shells and agents. Not as part of a path or a name. */
const failure =
  /(?<![\w./-])(?:[A-Za-z_.]{0,80}(?:Error|Exception)(?=[:\s(\]]|$)|error(?:\[\w{1,10}\])?(?=[:!\s])|ERROR\b|ERR!|E {3}\S|[Ff]atal(?=[:\s])|FATAL\b|FAIL(?:ED|URE)?\b|[Ff]ailed\b|[Ff]ailure\b|not ok\b|panic(?:ked)?\b|Traceback \(|[Cc]annot\b|[Cc]ould not\b|command not found|[Nn]o such file|[Pp]ermission denied|requires approval)|[✗✘✖❌✕]/
/** "0 errors", "no failures": not an error. */
const none =
  /\b(?:0|no|without(?: any)?) (?:errors?|failures?|failed|fail)\b|\b(?:errors?|failures?|failed|fail)\W{1,3}0\b/i

/** The first line that reports an error; null if none does. */
export function errorLine(text: string): TextLine | null {
  const end = Math.min(text.length, maxText)
  for (let at = 0; at < end;) {
    const lineEnd = text.indexOf('\n', at)
    const next = lineEnd < 0 ? text.length : lineEnd
    const line = text.slice(at, Math.min(next, at + maxLine))
    if (failure.test(line) && !none.test(line)) return { at, text: line.trim() }
    at = next + 1
  }
  return null
}

/** The last line that is not blank; null if all are. */
export function lastLine(text: string): TextLine | null {
  const end = text.trimEnd().length
  if (end === 0) return null
  const at = text.lastIndexOf('\n', end - 1) + 1
  return { at, text: text.slice(at, Math.min(end, at + maxLine)).trim() }
}

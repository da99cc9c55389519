/** A line of a text: where it begins, and what it says without the spaces around it. */
export interface TextLine {
  /** In characters. */
  readonly at: number
  readonly text: string
}

/** So much of a line is looked at, in characters: what failed stands near its beginning. */
const lookedAt = 400
/** Longer texts are looked at up to here, in characters. */
const maxText = 4_000_000

/** Words of compilers, test runners, shells and agents for what went wrong, and the marks that some put before it. Not as a part of a path or a name. */
const failure =
  /(?<![\w./-])(?:[A-Za-z_.]{0,80}(?:Error|Exception)(?=[:\s(\]]|$)|error(?:\[\w{1,10}\])?(?=[:!\s])|ERROR\b|ERR!|E {3}\S|[Ff]atal(?=[:\s])|FATAL\b|FAIL(?:ED|URE)?\b|[Ff]ailed\b|[Ff]ailure\b|not ok\b|panic(?:ked)?\b|Traceback \(|[Cc]annot\b|[Cc]ould not\b|command not found|[Nn]o such file|[Pp]ermission denied|requires approval)|[✗✘✖❌✕]/
/** "0 errors", "no failures": nothing went wrong there. */
const none =
  /\b(?:0|no|without(?: any)?) (?:errors?|failures?|failed|fail)\b|\b(?:errors?|failures?|failed|fail)\W{1,3}0\b/i

/** The first line that says that something went wrong; null where none does. */
export function errorLine(text: string): TextLine | null {
  const end = Math.min(text.length, maxText)
  for (let at = 0; at < end;) {
    const lineEnd = text.indexOf('\n', at)
    const next = lineEnd < 0 ? text.length : lineEnd
    const line = text.slice(at, Math.min(next, at + lookedAt))
    if (failure.test(line) && !none.test(line)) return { at, text: line.trim() }
    at = next + 1
  }
  return null
}

/** The last line that is not blank; null where all are. */
export function lastLine(text: string): TextLine | null {
  const end = text.trimEnd().length
  if (end === 0) return null
  const at = text.lastIndexOf('\n', end - 1) + 1
  return { at, text: text.slice(at, Math.min(end, at + lookedAt)).trim() }
}

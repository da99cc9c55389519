const utf8 = new TextDecoder()
const escapes: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13 }

/** A path as git prints it: in quotes, with escapes and octal bytes, where it has other characters (`core.quotePath`). */
export function gitPath(printed: string): string {
  if (!/^".*"$/.test(printed)) return printed
  const bytes: number[] = []
  const encoder = new TextEncoder()
  for (const [, octal, escaped, plain = ''] of printed.slice(1, -1).matchAll(/\\([0-7]{3})|\\(.)|([^\\]+)/g)) {
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8) & 0xff)
    else if (escaped !== undefined) bytes.push(escapes[escaped] ?? escaped.charCodeAt(0))
    else for (const byte of encoder.encode(plain)) bytes.push(byte)
  }
  return utf8.decode(new Uint8Array(bytes))
}

/** The path before and after in `diff --git a/… b/…`; undefined: another line. */
export function gitPaths(line: string): readonly [before: string, after: string] | undefined {
  const [, both] = /^diff --git (.+)$/.exec(line) ?? []
  if (both === undefined) return undefined
  // Names with spaces have no quotes: most often both are the same.
  const half = (both.length - 1) / 2
  const isSame = both[half] === ' ' && inside(both.slice(0, half)) === inside(both.slice(half + 1))
  const [, before, after] = isSame
    ? [both, both.slice(0, half), both.slice(half + 1)]
    : (/^("(?:[^"\\]|\\.)*"|.+?) ("b\/(?:[^"\\]|\\.)*"|b\/.+)$/.exec(both) ?? [])
  if (before === undefined || after === undefined) return undefined
  return [inside(before), inside(after)]
}

/** Without `a/` or `b/`. */
function inside(printed: string): string {
  return gitPath(printed).replace(/^[ab]\//, '')
}

/**
 * Replaces what differs between two executions of one task, for comparison only, never for display:
 *
 * | in the text                             | becomes |
 * | --------------------------------------- | ------- |
 * | the session's folder                    | `$CWD`  |
 * | `/home/NAME`, `/Users/NAME`, `/root`    | `~`     |
 * | `/tmp/NAME` and the like                | `$TMP`  |
 * | a UUID, or an id such as `call_h7Gk2…`  | `$ID`   |
 * | a date with a time, or 10 and more digits | `$N`  |
 *
 * Windows paths get slashes. Every expression is linear in the text.
 */
export class NormalText {
  private readonly cwd: RegExp | null

  /** `cwd`: the folder that the session works in; null if unknown. */
  constructor(cwd: string | null) {
    const folder = withSlashes(cwd ?? '').replace(/\/+$/, '')
    // The root folder is part of every path.
    this.cwd = folder === '' ? null : new RegExp(`${escaped(folder)}(?![\\w.-])`, 'gi')
  }

  of(text: string): string {
    let normal = withSlashes(text)
    if (this.cwd !== null) normal = normal.replace(this.cwd, '$$CWD')
    for (const { hint, pattern, becomes } of replacements) {
      if (hint.test(normal)) normal = normal.replace(pattern, becomes)
    }
    return normal
  }

  /** A command line, also without `cd FOLDER &&` in front for the session's own folder. */
  command(text: string): string {
    return this.of(text)
      .replace(/^\s*cd\s+(["']?)\$CWD\/?\1\s*(?:&&|;)\s*/, '')
      .trim()
  }

  /** A path: also without a leading `./` or the session's folder. */
  path(text: string): string {
    // A path of Windows has no slashes, one of other systems hardly a backslash.
    const slashed = text.includes('/') ? text : text.replaceAll('\\', '/')
    return this.of(slashed).replace(/^(?:file:\/\/)?(?:\$CWD\/|(?:\.\/)+)(?=.)/, '')
  }
}

/** `hint` matches wherever `pattern` does. It begins with a rare character, so most texts are passed over at once. */
export const replacements: readonly { readonly hint: RegExp; readonly pattern: RegExp; readonly becomes: string }[] = [
  {
    hint: /\/(?:tmp|var\/tmp|var\/folders)\//,
    pattern: /(?<![\w.])(?:\/private)?\/(?:tmp|var\/tmp|var\/folders\/\w{1,4}\/\w{1,64}\/T)\/[^/\s'"`;|&<>():,]+/g,
    becomes: '$$TMP'
  },
  {
    hint: /\/(?:home\/|users\/|root)/i,
    pattern: /(?<![\w.])(?:[a-z]:)?\/(?:home|users)\/[^/\s'"`;|&<>():,]+|(?<![\w./])\/root(?![\w.-])/gi,
    becomes: '~'
  },
  {
    hint: /-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i,
    pattern: /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi,
    becomes: '$$ID'
  },
  {
    hint: /_[A-Za-z0-9]{16}/,
    pattern: /\b[a-z]{2,10}_(?=[a-z]*[\dA-Z])[A-Za-z0-9]{16,64}\b/g,
    becomes: '$$ID'
  },
  {
    hint: /T\d\d:?\d\d/,
    pattern: /\b\d{4}-\d\d-\d\dT\d\d:?\d\d(?::?\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?/g,
    becomes: '$$N'
  },
  { hint: /\d{10}/, pattern: /\b\d{10,}\b/g, becomes: '$$N' }
]

/** `C:\work\a.ts` as `C:/work/a.ts`. Other backslashes stay: they escape. */
export function withSlashes(text: string): string {
  return text.replace(/\b[A-Za-z]:\\(?!\\)[^\s'"`;|&<>()*?]*/g, (path) => path.replaceAll('\\', '/'))
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

import { isUnplaced, namesOfRelative, placePath } from '../paths/log-path.ts'
import { namesInFolder, slashedPath } from '../paths/path-names.ts'

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
  private readonly folder: string | null
  private readonly cwd: RegExp | null

  /** `cwd`: the folder that the session works in; null if unknown. */
  constructor(cwd: string | null) {
    this.folder = cwd
    this.cwd = cwd === null ? null : folderPattern(cwd)
  }

  of(text: string): string {
    let normal = text
    if (this.cwd !== null)
      normal = normal.replace(
        this.cwd,
        (_, rest: unknown) => `$CWD${typeof rest === 'string' ? rest.replaceAll('\\', '/') : ''}`
      )
    normal = withSlashes(normal)
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

  /** A path: within the session's folder, or as it is. */
  path(text: string): string {
    const names = namesInFolder(text, this.folder) ?? namesOfRelative(text, null)
    return this.of(names === null || names.length === 0 ? slashedPath(text) : names.join('/'))
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
    pattern:
      /(?<![\w.])(?:[a-z]:|\/(?:(?:mnt|cygdrive)\/)?[a-z])?\/(?:home|users)\/[^/\s'"`;|&<>():,]+|(?<![\w./])\/root(?![\w.-])/gi,
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

/** The session's folder in a text, in all forms of it, and what follows of a path of Windows. Null: it is part of every path. */
function folderPattern(cwd: string): RegExp | null {
  const { root, names, isWindows } = placePath(cwd, null)
  if (names.length === 0 || isUnplaced(root)) return null
  const separator = isWindows ? '[\\\\/]+' : '/'
  const path = names.map(escaped).join(separator)
  if (!isWindows) return new RegExp(`${escaped(root)}${path}(?![\\w.-])`, 'g')
  const drive = /^([A-Za-z]):/.exec(root)?.[1]
  const start =
    drive === undefined
      ? root
          .split('\\')
          .filter((name) => name !== '')
          .map(escaped)
          .join(separator)
      : `(?:${drive}:|/(?:(?:mnt|cygdrive)/)?${drive})`
  const lead = drive === undefined ? `${separator}(?:[?]${separator}UNC${separator})?` : `(?:[\\\\/]{2}[?][\\\\/])?`
  const rest = `([\\\\/][^\\s'"\`;|&<>()*?]*)?`
  return new RegExp(`${lead}${start}${separator}${path}(?![\\w.-])${rest}`, 'gi')
}

/** `C:\work\a.ts` as `C:/work/a.ts`. Other backslashes stay: they escape. */
function withSlashes(text: string): string {
  return text.replace(/\b[A-Za-z]:\\(?!\\)[^\s'"`;|&<>()*?]*/g, (path) => path.replaceAll('\\', '/'))
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

import { lastName } from '#core/paths/path-names.ts'

/** Languages by file extension, if the extension is not a name that the highlighter knows. */
const byEnd: Readonly<Record<string, string>> = {
  env: 'ini',
  h: 'c',
  ipynb: 'json',
  jsonl: 'json',
  ndjson: 'json',
  svelte: 'xml',
  svg: 'xml',
  vue: 'xml',
  zsh: 'bash'
}

/** Languages by file name, in lower case. */
const byName: Readonly<Record<string, string>> = {
  '.bashrc': 'bash',
  '.gitconfig': 'ini',
  '.npmrc': 'ini',
  gemfile: 'ruby',
  gnumakefile: 'makefile',
  makefile: 'makefile',
  rakefile: 'ruby'
}

/** The language name for a file path; null if unknown. */
export function languageOfPath(path: string): string | null {
  const name = lastName(path).toLowerCase()
  if (Object.hasOwn(byName, name)) return byName[name] ?? null
  const end = /\.([\w+#-]{1,20})$/.exec(name)?.[1]
  if (end === undefined) return null
  return Object.hasOwn(byEnd, end) ? (byEnd[end] ?? null) : end
}

/** The language name in the info string of a code fence: "ts title=x" → "ts". */
export function languageOfFence(info: string): string | null {
  return /^[\s{.]*(?:language-)?([\w+#-]{1,40})/.exec(info)?.[1]?.toLowerCase() ?? null
}

/** Languages by the ends of file names, where the end is not itself a name that the highlighter knows. */
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

/** Languages by whole file names, in lower case. */
const byName: Readonly<Record<string, string>> = {
  '.bashrc': 'bash',
  '.gitconfig': 'ini',
  '.npmrc': 'ini',
  gemfile: 'ruby',
  gnumakefile: 'makefile',
  makefile: 'makefile',
  rakefile: 'ruby'
}

/** What a language may be called, by the path of a file; null where nothing tells. */
export function languageOfPath(path: string): string | null {
  const name = (path.split(/[\\/]/).at(-1) ?? '').toLowerCase()
  if (Object.hasOwn(byName, name)) return byName[name] ?? null
  const end = /\.([\w+#-]{1,20})$/.exec(name)?.[1]
  if (end === undefined) return null
  return Object.hasOwn(byEnd, end) ? (byEnd[end] ?? null) : end
}

/** What a language may be called, by what stands behind the first fence of a block of code: "ts title=x" -> "ts". */
export function languageOfFence(info: string): string | null {
  return /^[\s{.]*(?:language-)?([\w+#-]{1,40})/.exec(info)?.[1]?.toLowerCase() ?? null
}

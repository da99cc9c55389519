import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Versions of a file that were fully known, each with the author of what it changed. */
export interface FileVersions {
  readonly versions: { readonly text: string; readonly author: number }[]
  /** The authors of the last version's lines. */
  authors: readonly number[]
}

export function git(folder: string, args: readonly string[], input?: string): string {
  const env = { ...process.env, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' }
  const { status, stdout, stderr } = spawnSync('git', args, {
    cwd: folder,
    input,
    encoding: 'utf8',
    env,
    maxBuffer: 1 << 30
  })
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`)
  return stdout
}

export function inFolder<T>(use: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'playhead-files-'))
  try {
    mkdirSync(join(folder, 'work'))
    return use(join(folder, 'work'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Lines whose author is that of `git blame` over the versions, of all. `sameKind`: both an event, or both not. */
export function blamed(files: readonly FileVersions[]): { lines: number; same: number; sameKind: number } {
  const found = { lines: 0, same: 0, sameKind: 0 }
  if (files.length === 0) return found
  inFolder((folder) => {
    git(folder, ['init', '-q'])
    const commits: string[] = []
    const longest = Math.max(0, ...files.map(({ versions }) => versions.length))
    // One commit for each version of all files; a file's own commits are those that change it.
    for (let at = 0; at < longest; at++) {
      const parts = [
        `commit refs/heads/main`,
        `mark :${at + 1}`,
        `committer a <a@b> ${at} +0000`,
        'data 1',
        'x',
        ...(at > 0 ? [`from :${at}`] : [])
      ]
      for (const [file, { versions }] of files.entries()) {
        const version = versions[at]
        if (version === undefined) continue
        parts.push(`M 100644 inline f${file}`, `data ${Buffer.byteLength(version.text)}`, version.text)
      }
      commits.push(`${parts.join('\n')}\n`)
    }
    git(folder, ['fast-import', '--quiet', '--export-marks=marks'], commits.join(''))
    const numbers = new Map(
      git(folder, ['rev-list', '--reverse', 'main'])
        .trim()
        .split('\n')
        .map((commit, at) => [commit, at])
    )
    for (const [file, { versions, authors }] of files.entries()) {
      const text = versions.at(-1)?.text ?? ''
      if (text === '') continue
      const lines = git(folder, ['blame', '--porcelain', '-s', 'main', '--', `f${file}`])
        .split('\n')
        .flatMap((line) => /^([0-9a-f]{40}) \d+ (\d+)/.exec(line)?.slice(1, 3) ?? [])
      for (let i = 0; i < lines.length; i += 2) {
        const author = versions[numbers.get(lines[i] ?? '') ?? -1]?.author
        const own = authors[Number(lines[i + 1]) - 1]
        if (author === undefined || own === undefined) continue
        found.lines++
        if (author === own) found.same++
        if (author >= 0 === own >= 0) found.sameKind++
      }
    }
  })
  return found
}

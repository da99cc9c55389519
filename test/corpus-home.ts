import { copyFileSync, mkdirSync, utimesSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { corpusFiles, corpusPath, formatOfCorpusFile } from './conformance/corpus.ts'

/** A log of the corpus, where an agent would have it. */
export interface PlacedLog {
  readonly path: string
  /** In the corpus. */
  readonly from: string
  readonly format: string
  /** Its place says that it is a subagent's. */
  readonly isSubagent: boolean
}

/** How Claude Code names the folder of a project on each system. */
export const projectFolders = {
  linux: '-home-me-work-app',
  darwin: '-Users-me-work-app',
  win32: 'C--Users-me-work-app'
} as const

/** When the first log was last written, ms since the epoch; each next one a minute before. */
const newest = Date.UTC(2026, 10, 22, 12)

/** Fills a home folder with what agents keep there of these files of the corpus, where they keep it. */
export function fillHome(
  home: string,
  platform: keyof typeof projectFolders,
  files: readonly string[] = corpusFiles()
): PlacedLog[] {
  const placed: PlacedLog[] = []
  for (const from of files) {
    const place = placeOf(from, platform)
    if (place === null) continue
    const path = join(home, place)
    mkdirSync(dirname(path), { recursive: true })
    copyFileSync(corpusPath(from), path)
    const written = new Date(newest - placed.length * 60_000)
    utimesSync(path, written, written)
    const format = isLog(from) ? formatOfCorpusFile(from) : null
    if (format === null) continue
    const isSubagent = /\/subagents\/|\/agent-[^/]+\.jsonl$|\/chats\/[^/]+\/[^/]+$/.test(place)
    placed.push({ path, from, format, isSubagent })
  }
  return placed
}

/** What stands among the logs of the corpus and is none. */
function isLog(from: string): boolean {
  return /\.(?:jsonl|json|zst)$/.test(from)
}

function placeOf(from: string, platform: keyof typeof projectFolders): string | null {
  const kept = /^recorded\/([^/]+)\/([^/]+)\/transcript\/(.*)$/s.exec(from)
  if (kept !== null) {
    const [, agent = '', run = '', path = ''] = kept
    const root = { claude: '.claude', codex: '.codex', gemini: '.gemini' }[agent.split('-')[0] ?? ''] ?? agent
    // Each run of the corpus was in the same project, each with its own folder of tasks.
    return `${root}/${path.replace('/-tmp-demo-project/', `/-tmp-demo-${agent}-${run}/`).replace('/demo-project/', `/demo-${agent}-${run}/`)}`
  }
  const [folder = '', ...rest] = from.split('/')
  const path = rest.map((name) => name.replace(/^.*__(?=.)/, '')).join('/')
  if (!isLog(from) && !path.endsWith('.meta.json')) return null
  const group =
    rest.length > 1
      ? rest
          .slice(0, -1)
          .join('-')
          .replace(/[^a-zA-Z0-9]/g, '-')
      : 'other'
  switch (folder) {
    case 'claude-transcript':
      if (/\/(?:tasks|todos)\//.test(path)) return null
      return `.claude/projects/${projectFolders[platform]}-${rest[0] === 'generated' ? rest[1] : 'other'}/${rest[0] === 'generated' && rest.length > 2 ? path.split('/').slice(2).join('/') : path}`
    case 'codex-rollout': {
      const name = basename(path)
      return `.codex/sessions/2026/11/21/${name.startsWith('rollout-') ? name : `rollout-2026-01-01T00-00-00-${name}`}`
    }
    case 'gemini-chat': {
      const chat = /^[^/]+\/([0-9a-f-]{36}\/[^/]+)$/.exec(path)?.[1]
      return `.gemini/tmp/${chat === undefined ? group : 'expenses'}/chats/${chat ?? `session-${basename(path)}`}`
    }
  }
  return null
}

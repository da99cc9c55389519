import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sharedFolder } from '../shared-folder.ts'

/** Two-way recordings of the real agents, if they are beside the checkout. */
const recordings = sharedFolder('corpus-next/interactive')
export const recordingsAreHere = recordings !== null
const root = recordings ?? ''

/** What happened, in order. `line`: its place among the lines of its direction. */
export type RecordedRow =
  | { readonly kind: 'in' | 'out'; readonly atMs: number; readonly text: string }
  | { readonly kind: 'eof' | 'broken' | 'exit'; readonly atMs: number }

export interface RecordedDialogue {
  /** `claude-allow`; `claude-resume-2`: its second process. */
  readonly name: string
  readonly agent: 'claude' | 'codex' | 'gemini'
  readonly rows: readonly RecordedRow[]
}

/** The recordings in which a protocol was spoken, each process by itself. */
export function recordedDialogues(): RecordedDialogue[] {
  if (!recordingsAreHere) return []
  return readdirSync(root).flatMap((folder) => {
    const agent = (['claude', 'codex', 'gemini'] as const).find((name) => folder.startsWith(`${name}-`))
    if (agent === undefined || withoutProtocol.has(folder)) return []
    return ['', '-2'].flatMap((suffix) => {
      const path = (name: string): string => join(root, folder, `${name}${suffix}.jsonl`)
      if (!existsSync(path('order'))) return []
      return [{ name: folder + suffix, agent, rows: rowsOf(path) }]
    })
  })
}

/** The logs that the agent kept itself meanwhile: their lines, by the files in its folder of logs. Empty: it keeps none, or they were not recorded. */
export function savedLogs(name: string): Map<string, string[]> {
  const folder = join(root, name, 'transcript')
  const chats = 'project/chats'
  const names = name.startsWith('gemini-') && existsSync(join(folder, chats)) ? readdirSync(join(folder, chats)) : []
  return new Map(names.map((file) => [`${chats}/${file}`, linesOf(join(folder, chats, file))]))
}

/** Nothing was spoken: no host, or an agent without its protocol. */
const withoutProtocol = new Set([
  'claude-stdout-full',
  'codex-stdout-full',
  'gemini-stdout-full',
  'codex-exec-resume',
  'gemini-resume'
])

function rowsOf(path: (name: string) => string): RecordedRow[] {
  const lines = { in: linesOf(path('stdin')), out: linesOf(path('stdout')) }
  return linesOf(path('order')).flatMap((text): RecordedRow[] => {
    const [atMs, kind] = JSON.parse(text) as [number, 'in' | 'out' | 'eof' | 'broken' | 'exit']
    return kind === 'in' || kind === 'out' ? [{ kind, atMs, text: lines[kind].shift() ?? '' }] : [{ kind, atMs }]
  })
}

function linesOf(path: string): string[] {
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(0, -1) : []
}

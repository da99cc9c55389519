import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { sharedFolder } from '../shared-folder.ts'

const corpus = sharedFolder('corpus')

/** Whether the corpus is here. */
export const corpusIsHere = corpus !== null

/** Every file below `folder` by its path in the corpus, in the order of their names. */
export function corpusFiles(folder = ''): string[] {
  if (corpus === null) return []
  return readdirSync(corpus + folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(corpus, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort()
}

/** Every log of the corpus, by its path there. `corpus.test.ts` reads all of them: what derives something of them may take every third. */
export function corpusLogs(): string[] {
  return corpusFiles().filter((path) => formatOfCorpusFile(path) !== null)
}

/** Where a file of the corpus lies on this machine; where nothing is if the corpus is absent. */
export function corpusPath(path: string): string {
  return join(corpus ?? '/absent/corpus', path)
}

/** A file of the corpus as it is. */
export function corpusBytes(path: string): Uint8Array {
  return new Uint8Array(readFileSync(corpusPath(path)))
}

/** Files that are no log, and what they are. */
const noLogs: readonly { readonly name: RegExp; readonly what: string }[] = [
  { name: /\.md$/, what: 'a description, by whoever collected the logs' },
  { name: /\/stderr(-\d+)?\.txt$/, what: 'what the agent wrote to stderr' },
  { name: /^recorded\/[^/]+\/[^/]+\/meta\.json$/, what: 'how a run was recorded' },
  { name: /\/subagents\/agent-[^/]+\.meta\.json$/, what: 'which call started a subagent of Claude Code' },
  { name: /\/\.(lock|highwatermark|project_root)$/, what: 'a mark the agent left for itself' },
  { name: /\/tasks\/[^/]+\/\d+\.json$/, what: 'a task of Claude Code, as it was at the end' },
  { name: /(\/todos\/|__todos__)[^/]+\.json$/, what: 'the todo list of Claude Code, as it was at the end' },
  { name: /\/tracker\/[^/]+\.json$/, what: 'a task of Gemini CLI, as it was at the end' },
  { name: /\/tool-(results|outputs)\//, what: 'what a tool said, where that was too long for the log' }
]

const recorded: Readonly<Record<string, { stdout: string; transcript: string }>> = {
  claude: { stdout: 'claude-stream-json', transcript: 'claude-transcript' },
  codex: { stdout: 'codex-exec-json', transcript: 'codex-rollout' },
  gemini: { stdout: 'gemini-stream-json', transcript: 'gemini-chat' }
}

/** The id of the format a file of the corpus has to be read as, by where it lies; null where it is no log. */
export function formatOfCorpusFile(path: string): string | null {
  if (noLogs.some(({ name }) => name.test(path))) return null
  const [folder = '', run = '', , part = ''] = path.split('/')
  if (folder !== 'recorded') return folder
  const formats = recorded[run.split('-')[0] ?? '']
  if (formats === undefined) throw new Error(`${path}: a run of which agent?`)
  return part.startsWith('stdout') ? formats.stdout : formats.transcript
}

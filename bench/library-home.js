import { randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeSync
} from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from '../bin/prepare.js'
import { formatLogs } from './format-logs.js'
import { folder } from './logs.js'
import { numbers } from './random-text.js'

const number = (name, usual) => Number(process.env[name] ?? usual)
/** Smaller for a quick look. */
export const librarySize = {
  sessions: number('PLAYHEAD_BENCH_SESSIONS', 5000),
  mb: number('PLAYHEAD_BENCH_LIBRARY_MB', 1000)
}

const corpus = join(root, '../shared/corpus')
/** Larger ones would be most of it. */
const largest = 3 << 20
const newest = Date.UTC(2026, 10, 22, 12)
const day = 24 * 3_600_000

/** A home folder with as many sessions of as many bytes, copies of real logs where there are some, each with ids of its own. Made once. */
export function libraryHome() {
  const path = join(folder, `home-${librarySize.sessions}-${librarySize.mb}mb`)
  if (existsSync(path)) return path
  const draft = `${path}.${process.pid}.tmp`
  rmSync(draft, { recursive: true, force: true })
  fill(draft)
  renameSync(draft, path)
  return path
}

/** All logs below a home folder. */
export function logsBelow(home) {
  return readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

function fill(home) {
  const random = numbers(20261123)
  const kinds = sources()
  const mean = kinds.reduce((sum, { text }) => sum + text.length, 0) / kinds.length
  const wanted = (librarySize.mb * 2 ** 20) / librarySize.sessions
  for (let i = 0; i < librarySize.sessions; i++) {
    const { agent, text, extension } = kinds[i % kinds.length]
    const written = newest - Math.floor(random() * 90 * day)
    const file = join(home, placeOf(agent, extension, i, written))
    mkdirSync(dirname(file), { recursive: true })
    const copy = withOwnIds(text)
    const descriptor = openSync(file, 'w')
    writeSync(descriptor, sized(copy, text.length * Math.min(1, wanted / mean), extension))
    closeSync(descriptor)
    utimesSync(file, new Date(written), new Date(written))
  }
}

/** Whole lines of it, about so many characters. A document is kept as it is. */
function sized(text, length, extension) {
  if (extension === 'json' || text.length <= length) return text
  const end = text.indexOf('\n', length)
  return end < 0 ? text : text.slice(0, end + 1)
}

/** The same text with other ids, each the same everywhere. */
function withOwnIds(text) {
  const ids = new Map()
  return text.replace(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, (id) => {
    const known = ids.get(id)
    if (known !== undefined) return known
    const hex = randomBytes(16).toString('hex')
    const own = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
    ids.set(id, own)
    return own
  })
}

function placeOf(agent, extension, i, written) {
  const id = `${randomBytes(4).toString('hex')}-0000-4000-8000-${String(i).padStart(12, '0')}`
  const time = new Date(written).toISOString()
  if (agent === 'claude') return `.claude/projects/-home-me-project-${i % 60}/${id}.jsonl`
  if (agent === 'codex')
    return `.codex/sessions/${time.slice(0, 10).replaceAll('-', '/')}/rollout-${time.slice(0, 19).replaceAll(':', '-')}-${id}.jsonl`
  return `.gemini/tmp/project-${i % 40}/chats/session-${time.slice(0, 16).replaceAll(':', '-')}-${id.slice(0, 8)}-${i}.${extension}`
}

/** Logs to copy: real ones, or invented ones where there are none. */
function sources() {
  const folders = { 'claude-transcript': 'claude', 'codex-rollout': 'codex', 'gemini-chat': 'gemini' }
  if (!existsSync(corpus)) {
    return formatLogs((librarySize.mb * 2 ** 20) / librarySize.sessions).flatMap(({ name, bytes }) => {
      const agent = folders[name]
      return agent === undefined ? [] : [{ agent, extension: 'jsonl', text: bytes.toString() }]
    })
  }
  return Object.entries(folders).flatMap(([name, agent]) =>
    logsBelow(join(corpus, name))
      .filter(
        (file) =>
          /\.(?:jsonl|json)$/.test(file) && !/\/(?:tasks|todos|subagents)\/|logs\.json$|meta\.json$|agent-/.test(file)
      )
      .map((file) => ({ agent, extension: file.endsWith('l') ? 'jsonl' : 'json', text: readFileSync(file, 'utf8') }))
      .filter(({ text }) => text.length <= largest && text.length > 0)
  )
}

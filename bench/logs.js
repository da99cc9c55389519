import { appendFileSync, closeSync, copyFileSync, existsSync, mkdirSync, openSync, renameSync } from 'node:fs'
import { readSync, statSync, truncateSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../bin/prepare.js'
import { makeCallsLog } from './make-calls-log.js'
import { makeChangedLog } from './changed-log.js'
import { makeFileLog } from './make-file-log.js'
import { eachLine } from './lines.js'
import { makeLog } from './make-log.js'
import { makeLongListsLog, makeTodoLog } from './make-todo-log.js'
import { hasCorpus, makeRealLog } from './real-logs.js'

/** Where everything is kept that can be made again. */
export const folder = join(root, '.bench')

const MiB = 1 << 20
const number = (name, usual) => Number(process.env[name] ?? usual)
/** Sizes, smaller for a quick look. */
export const sizes = {
  mixedMb: number('PLAYHEAD_BENCH_MB', 200),
  shortRows: number('PLAYHEAD_BENCH_ROWS', 1_000_000),
  hugeMb: number('PLAYHEAD_BENCH_HUGE_MB', 1536),
  gigabyteMb: number('PLAYHEAD_BENCH_GB_MB', 1024)
}
/** A result as long as the longest seen in logs of people. */
const longLine = 12 * MiB

/** What agents wrote, where the corpus is there: Claude Code sessions, again and again with fresh ids. Else a mixed log. */
export const runLog = (mb = sizes.mixedMb) =>
  hasCorpus
    ? made(`${nameOfRunLog}-${mb}mb.jsonl`, (path) => makeRealLog(path, 'claude-transcript', { bytes: mb * MiB }))
    : mixedLog(mb)
/** Which of the two `runLog` is, for titles. */
export const runLogName = hasCorpus ? 'real sessions' : 'mixed lines'
const nameOfRunLog = runLogName.replace(' ', '-')

/** Invented lines of all kinds and lengths, 1.4 kB on average, in which a search knows what is there. */
export const mixedLog = (mb = sizes.mixedMb) => made(`run-${mb}mb.jsonl`, (path) => makeLog(path, mb * MiB))

/** A million short events, a todo list after every hundredth. */
export const shortLog = () => made(`short-${sizes.shortRows}.jsonl`, (path) => makeTodoLog(path, sizes.shortRows))

/** A million lines of real sessions, without the longest ones; short events where there are none. */
export const rowsLog = () =>
  hasCorpus
    ? made(`rows-${sizes.shortRows}.jsonl`, (path) => {
        makeRealLog(path, 'claude-transcript', { lines: sizes.shortRows, longest: 3000 })
      })
    : shortLog()

/** What another execution of the work of `runLog` could have been. */
export const changedLog = () =>
  made(`changed-${nameOfRunLog}-${sizes.mixedMb}mb.jsonl`, (path) => makeChangedLog(path, runLog()))

/** As many items in as many todo lists, most of which a run will hardly have. */
export const longLists = { items: 1000, lists: 2000 }
export const longListsLog = () =>
  made(`lists-${longLists.lists}x${longLists.items}.jsonl`, (path) => {
    makeLongListsLog(path, longLists.items, longLists.lists)
  })

/** A million events in calls of 100,000 files. */
export const callsLog = () => made(`calls-${sizes.shortRows}.jsonl`, (path) => makeCallsLog(path, sizes.shortRows))

/** A million events that read and edit 20,000 files. */
export const filesLog = () =>
  made(`files-${sizes.shortRows}.jsonl`, (path) => makeFileLog(path, sizes.shortRows, 20_000))

/** As `runLog`, and a line of 12 MB in its middle. */
export function hugeLog() {
  return made(`huge-${nameOfRunLog}-${sizes.hugeMb}mb.jsonl`, (path) => {
    copyFileSync(runLog(sizes.hugeMb), path)
    insert(path, Math.floor(statSync(path).size / 2), longResult())
  })
}

/** A log of its own to append to, as it was made. */
export function growingLog(mb) {
  const path = made(`growing-${mb}mb.jsonl`, (copy) => copyFileSync(mixedLog(mb), copy))
  truncateSync(path, statSync(mixedLog(mb)).size)
  return path
}

/** `runLog` without lines that are not JSON: other tools end at them. */
export function cleanLog() {
  return made(`clean-${nameOfRunLog}-${sizes.mixedMb}mb.jsonl`, (path) => {
    eachLine(runLog(), (lines) => appendFileSync(path, lines.filter((line) => line.endsWith('}')).join('\n') + '\n'))
  })
}

/** A file of that name, made where there is none. One that was cut off while it was made is not there. */
function made(name, make) {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, name)
  if (existsSync(path)) return path
  const draft = `${path}.${process.pid}.tmp`
  make(draft)
  renameSync(draft, path)
  return path
}

function longResult() {
  const content = 'all of a file, line after line; '.repeat(longLine / 32)
  const block = { type: 'tool_result', tool_use_id: 'toolu_long', content }
  const message = { role: 'user', content: [block] }
  return `${JSON.stringify({ type: 'user', message, parent_tool_use_id: null, session_id: 'bench' })}\n`
}

/** Puts a line at the end of the line that `near` is in. Moves what follows, piece by piece from the end. */
function insert(path, near, line) {
  const file = openSync(path, 'r+')
  const bytes = Buffer.from(line)
  const piece = Buffer.alloc(16 * MiB)
  readSync(file, piece, 0, MiB, near)
  const at = near + piece.indexOf(10) + 1
  for (let end = statSync(path).size; end > at;) {
    const from = Math.max(at, end - piece.length)
    readSync(file, piece, 0, end - from, from)
    writeSync(file, piece, 0, end - from, from + bytes.length)
    end = from
  }
  writeSync(file, bytes, 0, bytes.length, at)
  closeSync(file)
}

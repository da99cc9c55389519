// What it costs to read a format: everything from bytes to events, as a ratio to `JSON.parse` of the same lines. Both are measured
// in one process, in turns, so that what else the machine does meets both alike.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { detectFormat, headOf, LogReader } from '../out/core/index.js'
import { formatLogs } from './format-logs.js'

const chunkBytes = 1 << 20
const warmUps = 2
const rounds = 7
/** A round of less says little. */
const bytesOfRound = 12 << 20

/** The kinds of logs there are: generated ones first, then those of the corpus where it lies beside the repository. */
export function kindsOfLogs() {
  const generated = formatLogs(bytesOfRound).map(({ name, bytes }) => ({ name, of: 'generated', logs: [bytes] }))
  return [...generated, ...logsIn('corpus', 'corpus'), ...logsIn('corpus-next/other-agents', 'grown', grown)]
}

/** The logs of a folder of the corpus by format and framing. */
function logsIn(path, of, change = (bytes) => bytes) {
  const folder = fileURLToPath(new URL(`../../shared/${path}`, import.meta.url))
  if (!existsSync(folder)) return []
  const kinds = new Map()
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const bytes = readFileSync(join(entry.parentPath, entry.name))
    const { framing, format } = opened(bytes)
    if (format === null) continue
    const name = framing === 'lines' ? format.id : `${format.id}, document`
    const kind = kinds.get(name) ?? { name, of, logs: [] }
    kinds.set(name, kind)
    kind.logs.push(change(bytes, framing))
  }
  return [...kinds.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** There are few logs of the other agents, and short ones. To make a reader for each would be most of what they cost. */
const grownBytes = 1 << 20

/** The lines of a log, again and again with other ids. A document stays as it is. */
function grown(bytes, framing) {
  if (framing === 'document') return bytes
  const text = bytes.toString().trimEnd()
  const ids = new Set([...text.matchAll(/id"\s*:\s*"([^"\\\s]{4,})"/gi)].map(([, id]) => id))
  const copies = [text]
  for (let size = text.length; size < grownBytes; size += text.length) {
    const copy = copies.length
    copies.push(text.replace(/"([^"\\\s]{4,})"/g, (quoted, word) => (ids.has(word) ? `"${word}-${copy}"` : quoted)))
  }
  return Buffer.from(`${copies.join('\n')}\n`)
}

function opened(bytes) {
  const head = headOf('log', bytes)
  return { framing: head.framing, format: detectFormat(head).format }
}

/**
 * Medians over the rounds, of one kind of log: `parse` is `JSON.parse` of the lines as strings, `floor` is what any reader has to do, `JSON.parse` of
 * the lines as bytes (where they begin and end is known already).
 */
export function costOf({ name, of, logs }) {
  const read = logs.map((bytes) => ({ bytes, ...opened(bytes) }))
  const records = read.flatMap(recordsOf)
  const texts = records.map(textOf)
  const bytes = logs.reduce((sum, log) => sum + log.length, 0)
  const times = Math.max(1, Math.round(bytesOfRound / bytes))
  const found = []
  let counts = { events: 0, issues: 0 }
  for (let round = -warmUps; round < rounds; round++) {
    const parse = timed(times, () => texts.forEach((text) => JSON.parse(text)))
    const whole = timed(times, () => (counts = readAll(read)))
    const floor = timed(times, () => records.forEach((record) => JSON.parse(textOf(record))))
    if (round >= 0) found.push({ parse, floor, whole, toParse: whole / parse, toFloor: whole / floor })
  }
  const median = (key) => found.map((one) => one[key]).toSorted((a, b) => a - b)[Math.floor(rounds / 2)]
  return {
    ...{ name, of, files: logs.length, bytes, lines: records.length, ...counts },
    ...{ parseMs: median('parse') / times, floorMs: median('floor') / times, readMs: median('whole') / times },
    ...{ toParse: median('toParse'), toFloor: median('toFloor') }
  }
}

/** Milliseconds of processor time, so that it does not count when another process has the core. */
function timed(times, work) {
  const began = process.cpuUsage()
  for (let time = 0; time < times; time++) work()
  const { user, system } = process.cpuUsage(began)
  return (user + system) / 1000
}

/** The bytes of the lines (or records) that are JSON. */
function recordsOf({ bytes, format, framing }) {
  const records = []
  const add = ({ at, blank }) => {
    const record = { bytes: bytes.subarray(at.offset, at.offset + at.length), framing }
    try {
      if (!blank) JSON.parse(textOf(record))
      if (!blank) records.push(record)
    } catch {
      // A line that is not JSON has no floor.
    }
  }
  const reader = new LogReader(format, { line: add }, { framing })
  reader.push(bytes)
  reader.end()
  return records
}

function textOf({ bytes, framing }) {
  const text = bytes.toString()
  return framing === 'document' && text.startsWith('"') ? `{${text}}` : text
}

function readAll(logs) {
  let events = 0
  let issues = 0
  const sink = {
    line(line) {
      events += line.events.length
      issues += line.issues.length
    },
    end: (more) => (events += more.length)
  }
  for (const { bytes, format, framing } of logs) {
    const reader = new LogReader(format, sink, { framing })
    for (let from = 0; from < bytes.length; from += chunkBytes) reader.push(bytes.subarray(from, from + chunkBytes))
    reader.end()
  }
  return { events, issues }
}

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { AgentEvent } from '../../src/core/events/agent-event.ts'
import type { Decoded } from '../../src/core/formats/log-format.ts'
import { RunReader, type RunSource } from '../../src/core/formats/run-reader.ts'
import { stamp } from '../../src/core/formats/stamp.ts'
import { RunIndex } from '../../src/core/index/run-index.ts'
import { sharedFolder } from '../shared-folder.ts'
import { times } from '../thorough.ts'
import { expectEqual } from './expect-equal.ts'
import { openHere } from './log-here.ts'
import { indexState } from './index-state.ts'
import {
  expectCutReadable,
  expectEveryLineRead,
  expectExportAgrees,
  expectInOrder,
  expectReadableAgain,
  expectSameInChunks,
  expectUniqueIds
} from './properties.ts'
import { type Log, openLog, randomNumbers, readLog, someCuts } from './read-log.ts'

/** What agents printed while a program answered them. */
const folder = sharedFolder('corpus-next/interactive')
const isHere = folder !== null
const root = folder ?? ''
if (!isHere) console.warn('interactive-recordings.test.ts: skipped, ../shared/corpus-next is not here')

interface Expected {
  readonly format: string
  /** What was asked and decided, in short: `+` once, `*` for the run, `-` refused, `?` answered, `~` withdrawn, none: open. */
  readonly asks?: string
  /** The same without what was sent, where it differs; `=`: allowed, for how long is not printed. */
  readonly alone?: string
  /** Calls without a result. */
  readonly open?: number
  readonly issues?: readonly string[]
}

const server = 'codex-app-server'
const exec = 'codex-exec-json'
const claude = 'claude-stream-json'

const recordings: Readonly<Record<string, Expected>> = {
  'claude-allow/stdout.jsonl': { format: claude, asks: '+=' },
  'claude-background/stdout.jsonl': { format: claude },
  'claude-bad-answer/stdout.jsonl': { format: claude, asks: '--++' },
  'claude-controls/stdout.jsonl': { format: claude },
  'claude-deny/stdout.jsonl': { format: claude, asks: '--', issues: ['10 TypedParse $.subtype'] },
  'claude-eof-asked/stdout.jsonl': { format: claude, asks: '-' },
  'claude-eof-tool/stdout.jsonl': { format: claude },
  'claude-file/stdout.jsonl': { format: claude, asks: '+-' },
  'claude-home-full/stdout.jsonl': { format: claude, asks: '+' },
  'claude-hooks/stdout.jsonl': { format: claude },
  'claude-interrupt-asked/stdout.jsonl': { format: claude, asks: '~', issues: ['8 TypedParse $.subtype'] },
  'claude-interrupt-tool/stdout.jsonl': {
    format: claude,
    issues: ['10 TypedParse $.subtype', '28 TypedParse $.subtype']
  },
  'claude-limits/stdout.jsonl': {
    format: claude,
    open: 1,
    issues: ['3 TypedParse $.subtype', '5 TypedParse $.subtype']
  },
  'claude-long-tool/stdout.jsonl': { format: claude },
  'claude-mode-mid/stdout.jsonl': { format: claude, asks: '+' },
  'claude-no-answer/stdout.jsonl': { format: claude, asks: '+' },
  'claude-nobody/stdout.jsonl': { format: claude },
  'claude-partial/stdout.jsonl': { format: claude, asks: '+' },
  'claude-plan/stdout.jsonl': { format: claude, asks: '-+' },
  'claude-plan-file/stdout.jsonl': { format: claude, asks: '-++' },
  'claude-priority/stdout.jsonl': { format: claude },
  'claude-question/stdout.jsonl': { format: claude, asks: '?-' },
  'claude-queue/stdout.jsonl': { format: claude },
  'claude-resume/stdout.jsonl': { format: claude, asks: '+' },
  'claude-resume/stdout-2.jsonl': { format: claude, asks: '+' },
  'claude-resume-asked/stdout.jsonl': { format: claude, asks: ' ', open: 1 },
  'claude-resume-asked/stdout-2.jsonl': { format: claude },
  'claude-sigint-asked/stdout.jsonl': { format: claude, asks: '~' },
  'claude-sigint-idle/stdout.jsonl': { format: claude },
  'claude-stdout-full/stdout.jsonl': { format: claude, issues: ['5 JsonParse null'] },
  'claude-subagent/stdout.jsonl': { format: claude, asks: '++++' },
  'claude-two-ask/stdout.jsonl': { format: claude, asks: '-+' },
  'codex-approve/stdout.jsonl': { format: server, asks: '+*+', alone: '===' },
  'codex-bad/stdout.jsonl': { format: server },
  'codex-decline/stdout.jsonl': { format: server, asks: '---?', alone: '--??' },
  'codex-elevated/stdout.jsonl': { format: server, asks: '++', alone: '==' },
  'codex-eof/stdout.jsonl': { format: server, asks: ' ', open: 1 },
  'codex-eof/stdout-2.jsonl': { format: server },
  'codex-eof-tool/stdout.jsonl': { format: server, open: 1 },
  'codex-exec-resume/stdout.jsonl': { format: exec },
  'codex-exec-resume/stdout-2.jsonl': { format: exec },
  'codex-file/stdout.jsonl': { format: server, asks: '+ ', alone: '= ', open: 1 },
  'codex-interrupt/stdout.jsonl': { format: server, asks: '~+', alone: '~=' },
  'codex-interrupt-tool/stdout.jsonl': { format: server },
  'codex-no-answer/stdout.jsonl': { format: server, asks: '+', alone: '=' },
  'codex-output/stdout.jsonl': { format: server },
  'codex-question/stdout.jsonl': { format: server, asks: '?' },
  'codex-queue/stdout.jsonl': { format: server },
  'codex-sigint-asked/stdout.jsonl': { format: server, asks: ' ', open: 1 },
  'codex-sigint-idle/stdout.jsonl': { format: server },
  'codex-stdout-full/stdout.jsonl': { format: exec, issues: ['6 JsonParse null'] },
  'codex-steer/stdout.jsonl': { format: server }
}

const names = Object.keys(recordings)

function bytesOf(path: string): Uint8Array {
  return new Uint8Array(readFileSync(join(root, path)))
}

/** What a host would have kept of what it sent, as `order.jsonl` tells. */
function dialogueOf(path: string): string {
  const beside = (name: string) => readFileSync(join(root, path.replace('stdout', name)), 'utf8').split('\n')
  const sent = beside('stdin')
  let after = 0
  let lines = ''
  for (const row of beside('order')) {
    const [ms, what, length] = row === '' ? [0, '', 0] : (JSON.parse(row) as [number, string, number])
    if (what === 'out') after += length
    else if (what === 'in')
      lines += `${JSON.stringify({ at: 1_795_362_000_000 + ms, after, by: 'person', sent: sent.shift() })}\n`
  }
  return lines
}

const signs: readonly (readonly [start: string, sign: string])[] = [
  ['Allowed once', '+'],
  ['Allowed for this run', '*'],
  ['Allowed from now on', '!'],
  ['Allowed', '='],
  ['Refused', '-'],
  ['Answered', '?'],
  ['Withdrawn', '~']
]

/** The decision on each ask, by the call that it is about; blank for an open one. Throws where one was decided twice. */
function asksIn(index: RunIndex, events: readonly AgentEvent[]): string {
  const { rows } = index
  const asked: { readonly call: number; sign: string }[] = []
  for (const [seq, event] of events.entries()) {
    if (event.type !== 'text' || event.category !== 'permission') continue
    const call = rows.callOf(rows.rowOf(seq))
    if (event.text.startsWith('Asked: ')) asked.push({ call, sign: ' ' })
    else {
      const open = asked.find((ask) => ask.call === call && ask.sign === ' ')
      if (open === undefined) throw new Error(`"${event.text}" is about no open ask`)
      open.sign = signs.find(([start]) => event.text.startsWith(start))?.[1] ?? event.text
    }
  }
  return asked.map(({ sign }) => sign).join('')
}

/** Calls that have no result. */
function openCallsIn({ rows }: RunIndex): number {
  return Array.from({ length: rows.rows }, (_, row) => row).filter(
    (row) => rows.isCall(row) && rows.resultsOf(row).length === 0
  ).length
}

interface Run {
  readonly index: RunIndex
  readonly events: readonly AgentEvent[]
  readonly files: ReadonlySet<string>
}

/** Reads the files of a run, each cut at random, in any order. */
function readRun({ format, framing, bytes }: Log, dialogue: string | null, seed = 0): Run {
  const index = new RunIndex(format)
  const events: AgentEvent[] = []
  const files = new Set<string>()
  const sink = {
    line(line: Parameters<RunIndex['line']>[0]) {
      files.add(line.at.file ?? '')
      for (const event of line.events) events.push(stamp(event, format))
      index.line(line)
    },
    end(...[last, marks]: Parameters<RunIndex['end']>) {
      for (const event of last) events.push(stamp(event, format))
      index.end(last, marks)
    }
  }
  const others: RunSource[] = dialogue === null ? [] : [{ name: 'dialogue.jsonl', framing: 'lines' }]
  const reader = new RunReader(format, sink, { framing, files: others })
  const contents = dialogue === null ? [bytes] : [bytes, new TextEncoder().encode(dialogue)]
  const given = contents.map(() => 0)
  const random = randomNumbers(seed)
  while (given.some((from, file) => from < (contents[file]?.length ?? 0))) {
    const file = Math.floor(random() * contents.length)
    const from = given[file] ?? 0
    const to = seed === 0 ? Infinity : from + 1 + Math.floor(random() * 3000)
    reader.push(file, contents[file]?.slice(from, to) ?? new Uint8Array())
    given[file] = Math.min(to, contents[file]?.length ?? 0)
  }
  for (const file of contents.keys()) reader.endFile(file)
  reader.end()
  return { index, events, files }
}

describe.skipIf(!isHere)('a recording of an agent that was answered', () => {
  test('all of them are here', () => {
    const found = readdirSync(root)
      .filter((name) => /^(?:claude|codex)-/.test(name))
      .flatMap((name) => readdirSync(join(root, name)).map((file) => `${name}/${file}`))
      .filter((path) => /\/stdout(-\d)?\.jsonl$/.test(path))
    expect(names.toSorted()).toEqual(found.toSorted())
  })

  test.each(names)('%s is read whole, and says no more than it does', (path) => {
    const expected = recordings[path]
    const log = openLog(bytesOf(path))
    const seen = readLog(log)
    expect(log.format.id).toBe(expected?.format)
    const issues = seen.lines.flatMap(({ line, issues: found }) =>
      found.map(({ code, path: place }) => `${line} ${code} ${place}`)
    )
    expect(issues).toEqual(expected?.issues ?? [])
    expectEveryLineRead(log, seen)
    expectInOrder(seen)
    expectUniqueIds(seen)
    expectReadableAgain(log, seen)
    expectExportAgrees(seen)
    for (let seed = 1; seed <= times(1, 5); seed++) expectSameInChunks(log, seen, someCuts(log.bytes.length, 30, seed))
    for (const cut of someCuts(log.bytes.length, times(3, 200), 4)) expectCutReadable(log, seen, cut)
    const { index, events } = readRun(log, null)
    expect(openCallsIn(index)).toBe(expected?.open ?? 0)
    expect(asksIn(index, events)).toBe(expected?.alone ?? expected?.asks ?? '')
  })

  const withAsks = names.filter((path) => recordings[path]?.format === server)

  test.each(withAsks)('%s is read with what was sent, wherever either file is cut', (path) => {
    const log = openLog(bytesOf(path))
    const dialogue = dialogueOf(path)
    const { index, events, files } = readRun(log, dialogue)
    expect([...files].toSorted()).toEqual(['', 'dialogue.jsonl'])
    expect(asksIn(index, events)).toBe(recordings[path]?.asks ?? '')
    expect(openCallsIn(index)).toBe(recordings[path]?.open ?? 0)
    for (let seed = 1; seed <= times(3, 100); seed++) expectEqual(readRun(log, dialogue, seed).events, events)
  })

  test('the file with what was sent is found beside a recording', async () => {
    const path = 'codex-approve/stdout.jsonl'
    const folder = mkdtempSync(join(tmpdir(), 'playhead-dialogue-'))
    const [output, dialogue] = [bytesOf(path), dialogueOf(path)]
    writeFileSync(join(folder, 'stdout.jsonl'), output)
    writeFileSync(join(folder, 'dialogue.jsonl'), dialogue)
    const { status, close } = await openHere(join(folder, 'stdout.jsonl'))
    await close()
    rmSync(folder, { recursive: true })
    const { index } = readRun(openLog(output), dialogue)
    expect(status).toMatchObject({ phase: 'done', events: index.rows.events, rows: index.rows.rows, notes: [] })
    expect(status.files.map(({ name }) => name)).toEqual(['dialogue.jsonl'])
  })

  test.each(withAsks)('%s shows at any time while it grows what it shows when it is opened', (path) => {
    const log = openLog(bytesOf(path))
    const contents = [log.bytes, new TextEncoder().encode(dialogueOf(path))]
    const files: RunSource[] = [{ name: 'dialogue.jsonl', framing: 'lines' }]
    const reader = new RunReader<Decoded, RunIndex>(log.format, new RunIndex(log.format), { files })
    const given = [0, 0]
    const grow = (file: number, to: number): void => {
      reader.resumeFile(file)
      reader.push(file, contents[file]?.slice(given[file], to) ?? new Uint8Array())
      reader.pauseFile(file)
      given[file] = to
    }
    reader.pauseFile(0)
    reader.pauseFile(1)
    // What is sent is kept before it is sent, so it is there before the agent goes on.
    const lines = new TextDecoder().decode(contents[1]).split('\n')
    let steps = 0
    for (const line of lines) {
      const { after = log.bytes.length } = line === '' ? {} : (JSON.parse(line) as { readonly after: number })
      grow(0, after)
      if (line !== '') grow(1, (given[1] ?? 0) + new TextEncoder().encode(`${line}\n`).length)
      expect(reader.inOrder).toBe(true)
      steps++
      if (steps % times(3, 1) !== 0 && line !== '') continue
      const shown = reader.endedCopy()
      const opened = readRun(
        { ...log, bytes: log.bytes.slice(0, given[0]) },
        new TextDecoder().decode(contents[1]?.slice(0, given[1]))
      )
      expectEqual(shown && indexState(shown), indexState(opened.index))
    }
    expect(given).toEqual(contents.map(({ length }) => length))
  })
})

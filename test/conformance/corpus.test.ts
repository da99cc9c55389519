import { describe, expect, test } from 'vitest'
import { issueCodes } from '../../src/core/formats/issue.ts'
import { detectFormat } from '../../src/core/formats/registry.ts'
import { headOf } from '../../src/core/formats/head.ts'
import { corpusBytes, corpusFiles, corpusIsHere, corpusLogs, formatOfCorpusFile } from './corpus.ts'
import {
  expectCutReadable,
  expectEveryLineRead,
  expectExportAgrees,
  expectInOrder,
  expectReadableAgain,
  expectSameInChunks,
  expectUniqueIds
} from './properties.ts'
import { type Log, type LogSeen, openLog, readLog, someCuts } from './read-log.ts'
import { times } from '../thorough.ts'

if (!corpusIsHere) console.warn('corpus.test.ts: skipped, ../shared/corpus is not here')

const unknownSubtype = ['1 TypedParse $.subtype']
const failedSuccess = ['1 Normalize $.is_error']

/** Every violation in the corpus: how often, by file, code and path. docs/format-sources.md says what is wrong with each of these logs. */
const violations: Readonly<Record<string, readonly string[]>> = {
  'claude-stream-json/generated/c10128-maxturns.jsonl': unknownSubtype,
  'claude-stream-json/generated/c330-maxturns.jsonl': unknownSubtype,
  'recorded/claude/max-turns/stdout.jsonl': unknownSubtype,
  'recorded/claude/sigint-group-in-tool/stdout.jsonl': unknownSubtype,
  'recorded/claude/sigint-in-text/stdout.jsonl': unknownSubtype,
  'recorded/claude/sigint-in-tool/stdout.jsonl': unknownSubtype,
  'recorded/claude/sigint-tasks/stdout.jsonl': unknownSubtype,
  // The result of Claude Code, in a capture of a terminal that is mostly Gemini CLI's.
  'gemini-stream-json/TestAny-io__agent_chatter__codex_sample_output.mixed.txt': ['1 TypedParse $.timestamp'],
  'claude-stream-json/generated/c330-api400.jsonl': failedSuccess,
  'recorded/claude/always-busy/stdout.jsonl': failedSuccess,
  'recorded/claude/fatal-400/stdout.jsonl': failedSuccess,
  'claude-transcript/daaain__claude-code-log__76597bb6.jsonl': [
    '1 TypedParse $.message',
    '1 TypedParse $.message.content',
    '1 TypedParse $.type',
    '3 TypedParse $'
  ]
}

describe.skipIf(!corpusIsHere)('every file of the corpus', () => {
  const files = corpusFiles()
  const logs = corpusLogs()

  test('is there, and of every format', () => {
    expect(logs.length).toBeGreaterThan(240)
    expect(new Set(logs.map(formatOfCorpusFile)).size).toBe(6)
  })

  test('that is no log is claimed by no format', () => {
    const claimed = files
      .filter((path) => formatOfCorpusFile(path) === null)
      .flatMap((path) => {
        const { format } = detectFormat(headOf('log', corpusBytes(path)))
        return format === null ? [] : [`${path}: ${format.id}`]
      })
    expect(claimed).toEqual([])
  })

  test('that is listed for its violations is there', () => {
    expect(Object.keys(violations).filter((path) => !logs.includes(path))).toEqual([])
  })

  for (const path of logs) {
    test(path, () => {
      const bytes = corpusBytes(path)
      const log = openLog(bytes)
      expect(log.format.id).toBe(formatOfCorpusFile(path))
      const seen = readLog(log)
      expectEveryLineRead(log, seen)
      expectInOrder(seen)
      expectUniqueIds(seen)
      expectReadableAgain(log, seen)
      expectExportAgrees(seen)
      expectSameInChunks(log, seen, someCuts(bytes.length, 200, 7))
      // Each reads the log up to there.
      const places = bytes.length > 1_000_000 ? times(1, 4) : times(3, 16)
      for (const cut of someCuts(bytes.length, places, 11)) expectCutReadable(log, seen, cut)
      expect(violationsIn(seen)).toEqual(violations[path] ?? [])
      if (log.framing === 'lines') expect(linesWithCode(seen, 'JsonParse')).toBe(linesThatAreNoJson(log))
    })
  }
})

function violationsIn(seen: LogSeen): string[] {
  const counts = new Map<string, number>()
  for (const { issues } of seen.lines) {
    for (const { code, path } of issues) {
      if (issueCodes[code].severity !== 'violation') continue
      const name = `${code} ${path ?? '-'}`
      counts.set(name, (counts.get(name) ?? 0) + 1)
    }
  }
  return [...counts].map(([name, count]) => `${count} ${name}`).sort()
}

function linesWithCode(seen: LogSeen, wanted: string): number {
  return seen.lines.filter(({ issues }) => issues.some(({ code }) => code === wanted)).length
}

function linesThatAreNoJson({ bytes }: Log): number {
  const lines = new TextDecoder().decode(bytes).split('\n')
  return lines.filter((line) => {
    try {
      if (line.trim() !== '') JSON.parse(line)
      return false
    } catch {
      return true
    }
  }).length
}

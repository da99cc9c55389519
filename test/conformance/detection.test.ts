import { closeSync, openSync, readdirSync, readSync } from 'node:fs'
import { join, relative } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { headBytes, headOf } from '../../src/core/formats/head.ts'
import { detectFormat, formatById } from '../../src/core/formats/registry.ts'
import { sharedFolder } from '../shared-folder.ts'
import { corpusFiles, corpusIsHere, corpusPath, formatOfCorpusFile } from './corpus.ts'
import { allFixtures, bytesOfFixture } from './fixtures.ts'
import { foreignLines } from './foreign-lines.ts'

const others = sharedFolder('corpus-next/other-agents')
const othersAreHere = others !== null
const otherAgents = others ?? ''

if (!corpusIsHere) console.warn('detection.test.ts: no real logs, ../shared/corpus is not here')
if (!othersAreHere) console.warn('detection.test.ts: no logs of other agents, ../shared/corpus-next is not here')

interface Log {
  readonly name: string
  readonly format: string
  /** As many bytes as are looked at, and one more. */
  readonly first: Uint8Array
}

const fixtures: readonly Log[] = allFixtures().map((fixture) => ({
  name: `${fixture.formatId} ${fixture.name}`,
  format: fixture.formatId,
  first: bytesOfFixture(fixture).subarray(0, headBytes + 1)
}))

const corpus: readonly Log[] = corpusFiles().flatMap((name) => {
  const format = formatOfCorpusFile(name)
  return format === null ? [] : [{ name, format, first: firstBytes(corpusPath(name)) }]
})

function firstBytes(path: string): Uint8Array {
  const file = openSync(path, 'r')
  try {
    const bytes = new Uint8Array(headBytes + 1)
    return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, 0))
  } finally {
    closeSync(file)
  }
}

function detected(log: Log, before: string) {
  return detectFormat(headOf('log', Buffer.concat([Buffer.from(before), log.first])))
}

/** Where a log with a line before it is read as something else, and is not said to be mixed. */
function mistakes(logs: readonly Log[], line: string): string[] {
  return logs.flatMap((log) => {
    const found = detected(log, `${line}\n`)
    if (found.format?.id === log.format) return []
    const said = found.format === null ? found.reason : (found.note ?? '')
    return /\bmixed\b|, with records of /.test(said) ? [] : [`${log.name}: ${found.format?.id ?? said}`]
  })
}

describe('a foreign first line', () => {
  test('there are twenty and more', () => {
    expect(new Set(foreignLines).size).toBeGreaterThanOrEqual(20)
  })

  test.each(foreignLines)('changes no fixture: %s', (line) => {
    expect(mistakes(fixtures, line)).toEqual([])
  })

  test.skipIf(!corpusIsHere).each(foreignLines.map((line, i) => [line, i] as const))(
    'changes no real log: %s',
    (line, i) => {
      // Each line before every fourth log, each log below every fourth line: what one format takes another as shows in many of its logs.
      const logs = corpus.filter((_, log) => (log + i) % 4 === 0)
      expect(mistakes(logs, line)).toEqual([])
    }
  )

  test('longer than the document below it changes nothing', () => {
    const chat = fixtures.filter(({ name }) => name === 'gemini-chat logs-json')
    expect(chat).toHaveLength(1)
    const long = JSON.stringify({ parentUuid: 1, sessionId: 'x'.repeat(5000) })
    expect(mistakes(chat, long)).toEqual([])
  })

  test('of any JSON changes no fixture of five records', () => {
    const long = fixtures.filter(({ first }) => headOf('log', first).records.length >= 5)
    expect(long.length).toBeGreaterThan(50)
    const types = [
      'message',
      'user',
      'assistant',
      'system',
      'result',
      'session_start',
      'init',
      'tool_use',
      'item.completed'
    ]
    const keys = [
      'type',
      'role',
      'content',
      'message',
      'sessionId',
      'session_id',
      'payload',
      'uuid',
      'parentUuid',
      'timestamp'
    ]
    const known = fc.dictionary(
      fc.constantFrom(...keys),
      fc.oneof(fc.constantFrom(...types), fc.jsonValue({ maxDepth: 2 }))
    )
    const line = fc.oneof(
      fc.json({ maxDepth: 2 }),
      known.map((record) => JSON.stringify(record))
    )
    fc.assert(
      fc.property(fc.constantFrom(...long), line, (log, before) => {
        expect(detected(log, `${before}\n`).format?.id).toBe(log.format)
      }),
      { numRuns: 400 }
    )
  })
})

describe('a log without anything before it', () => {
  test('is of its format, and mixed with nothing', () => {
    const said = fixtures.map((log) => [log.name, detected(log, '')] as const)
    expect(said.filter(([, found]) => !('note' in found) || found.note !== null).map(([name]) => name)).toEqual([])
  })

  test.skipIf(!corpusIsHere)('is so in reality, but for one that is mixed', () => {
    const odd = corpus.filter((log) => {
      const found = detected(log, '')
      return found.format?.id !== log.format || !('note' in found) || found.note !== null
    })
    // A capture of a terminal in which Codex, Claude Code and Gemini CLI were started one after the other.
    expect(odd.map(({ name }) => name)).toEqual([
      'gemini-stream-json/TestAny-io__agent_chatter__codex_sample_output.mixed.txt'
    ])
  })
})

/** What a log in a folder of other-agents is called that no format reads; null where nothing tells whose it is. */
const names: Readonly<Record<string, string | null>> = {
  antigravity: 'Antigravity',
  continue: 'Continue',
  crush: 'SQLite',
  gptme: null,
  'grok-build': 'Grok Build',
  hermes: 'Hermes',
  'mistral-vibe': null
}

describe.skipIf(!othersAreHere)('a log of another agent', () => {
  const files = !othersAreHere
    ? []
    : readdirSync(otherAgents, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && entry.name !== 'README.md')
        .map((entry) => relative(otherAgents, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
        .sort()

  test.each(files)('is read, named, or called unknown: %s', (path) => {
    const found = detectFormat(headOf('log', firstBytes(join(otherAgents, path))))
    const [folder = ''] = path.split('/')
    // Of a database, not the bytes are read, but its sessions.
    if (formatById(folder) !== undefined && !path.endsWith('.db')) {
      expect(found.format?.id).toBe(folder)
      return
    }
    const name = names[folder]
    expect(found.format).toBeNull()
    expect(found.format === null && found.reason).toMatch(
      name === null ? /none of the supported formats/ : new RegExp(`\\b${name}\\b`)
    )
  })
})

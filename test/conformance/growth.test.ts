import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { FoldedLines } from '../../src/core/formats/folded-lines.ts'
import type { Decoded } from '../../src/core/formats/log-format.ts'
import { RunReader, type RunSource } from '../../src/core/formats/run-reader.ts'
import { RunIndex } from '../../src/core/index/run-index.ts'
import { indexClasses } from '../../src/core/state/index-classes.ts'
import { restoreState, saveState } from '../../src/core/state/saved-state.ts'
import { corpusBytes, corpusFiles } from './corpus.ts'
import { expectEqual } from './expect-equal.ts'
import { allFixtures } from './fixtures.ts'
import { indexState } from './index-state.ts'
import { type Log, openLog, randomNumbers } from './read-log.ts'
import { every, times } from '../thorough.ts'

type Reader = RunReader<Decoded, RunIndex>

/** A log that ends after `length` bytes, opened when it was finished. */
function bulk({ format, framing, bytes }: Log, length = bytes.length): object {
  const index = new RunIndex(format)
  const reader = new RunReader(format, index, { framing })
  reader.push(0, bytes.slice(0, length))
  reader.end()
  return indexState(index)
}

/** The reader as another process finds it in a saved index: through JSON, its numbers through bytes. */
function reopened({ format }: Log, reader: Reader): Reader {
  const { positions, foldedLines } = reader
  if (positions === null) throw new Error('a line of a log in one file waits for another')
  const classes = indexClasses(format)
  const { structure, arrays } = saveState(foldedLines, classes)
  const copies = arrays.map((array) => array.slice())
  const restored = restoreState({ structure, arrays: copies }, classes) as FoldedLines<Decoded, RunIndex>
  return new RunReader<Decoded, RunIndex>(format, { foldedLines: restored, positions })
}

/** Appends pieces that end at `cuts` and holds what is shown after each against the log as it was then, opened when finished. */
function grow(log: Log, cuts: readonly number[], reopen: (cut: number) => boolean): void {
  let reader: Reader = new RunReader<Decoded, RunIndex>(log.format, new RunIndex(log.format))
  let given = 0
  for (const [piece, cut] of [...cuts, log.bytes.length].entries()) {
    reader.push(0, log.bytes.slice(given, cut))
    reader.pauseFile(0)
    given = cut
    const shown = reader.endedCopy()
    if (shown === null) throw new Error('a log in one file is always in order')
    expectEqual(indexState(shown), bulk(log, cut))
    if (!reopen(piece)) continue
    reader = reopened(log, reader)
    given = reader.positions?.[0]?.offset ?? 0
  }
}

const fixtures = allFixtures().flatMap(({ formatId, name, input }) => {
  const log = openFixture(readFileSync(input))
  return log === null || log.framing !== 'lines' ? [] : [{ name: `${formatId}/${name}`, log }]
})

function openFixture(bytes: Uint8Array): Log | null {
  try {
    return openLog(bytes)
  } catch {
    return null
  }
}

describe('a log that grows shows at any time what it shows when it is opened', () => {
  test.each(fixtures)('$name', ({ log }) => {
    const places = fc.array(fc.nat(log.bytes.length), { maxLength: 8 })
    fc.assert(
      fc.property(places, fc.array(fc.boolean(), { maxLength: 9 }), (cuts, reopen) => {
        grow(
          log,
          cuts.toSorted((a, b) => a - b),
          (piece) => reopen[piece] === true
        )
      }),
      { numRuns: times(1, 15) }
    )
  })

  test.each(fixtures)('$name, line by line, saved and reopened after each', ({ log }) => {
    const ends = [...log.bytes.entries()].flatMap(([at, byte]) => (byte === 0x0a ? [at + 1] : []))
    const step = Math.max(1, Math.floor(ends.length / times(3, 25)))
    grow(
      log,
      ends.filter((_, i) => i % step === 0),
      () => true
    )
  })

  const files = corpusFiles('').filter((path) => /\.(jsonl|txt|log)$/.test(path))
  test.skipIf(files.length === 0)('every log of the corpus that is not long', () => {
    const random = randomNumbers(4)
    let grown = 0
    // Each is indexed four times and more.
    for (const path of every(4, files)) {
      const bytes = corpusBytes(path)
      const log = bytes.length > 300_000 ? null : openFixture(bytes)
      if (log === null || log.framing !== 'lines') continue
      const cuts = [random(), random(), random()].map((part) => Math.floor(part * bytes.length))
      grow(
        log,
        cuts.toSorted((a, b) => a - b),
        (piece) => piece % 2 === 0
      )
      grown++
    }
    expect(grown).toBeGreaterThan(times(40, 160))
  })
})

describe('a run in several files that grow', () => {
  interface Growth {
    readonly file: number
    readonly upTo: number
  }

  const line = (value: object): string => `${JSON.stringify(value)}\n`
  const [main, child] = ['main', 'child'].map((who, index) => {
    const at = (i: number) => new Date(1_767_600_000_000 + i * 2000 + index * 700).toISOString()
    const common = { isSidechain: who === 'child', sessionId: 's', version: '2', cwd: '/demo', agentId: 'abc' }
    return Buffer.from(
      Array.from({ length: 12 }, (_, i) => {
        const content = [{ type: 'text', text: `${who} ${i}` }]
        const message = { role: 'assistant', id: `${who}-${i}`, model: 'm', content, stop_reason: null, usage: {} }
        const uuid = `${who}-${i}`
        const parentUuid = i === 0 ? null : `${who}-${i - 1}`
        return line({ type: 'assistant', ...common, uuid, parentUuid, timestamp: at(i), message })
      }).join('')
    )
  })
  if (main === undefined || child === undefined) throw new Error('two files were made')
  const { format } = openLog(main)
  const sources: RunSource[] = [{ name: 's/subagents/agent-abc.jsonl', framing: 'lines' }]

  function whole(ends: readonly number[]): object {
    const index = new RunIndex(format)
    const reader = new RunReader(format, index, { files: sources })
    for (const [file, bytes] of [main, child].entries()) {
      reader.push(file, Uint8Array.from(bytes?.subarray(0, ends[file]) ?? []))
      reader.endFile(file)
    }
    reader.end()
    return indexState(index)
  }

  const growths = fc.array(fc.record<Growth>({ file: fc.nat(1), upTo: fc.nat(Math.max(main.length, child.length)) }), {
    maxLength: 12
  })

  test('either shows what it shows when it is opened, or says that it has to be read anew', () => {
    let inOrder = 0
    fc.assert(
      fc.property(growths, (steps) => {
        const reader = new RunReader<Decoded, RunIndex>(format, new RunIndex(format), { files: sources })
        const given = [0, 0]
        reader.pauseFile(0)
        reader.pauseFile(1)
        for (const { file, upTo } of steps) {
          const from = given[file] ?? 0
          const bytes = file === 0 ? main : child
          const to = Math.max(from, Math.min(upTo, bytes.length))
          reader.resumeFile(file)
          reader.push(file, Uint8Array.from(bytes.subarray(from, to)))
          reader.pauseFile(file)
          given[file] = to
          if (!reader.inOrder) return
          const shown = reader.endedCopy()
          if (shown === null) continue
          expectEqual(indexState(shown), whole(given))
          inOrder++
        }
      }),
      { numRuns: times(100, 300) }
    )
    expect(inOrder).toBeGreaterThan(times(30, 100))
  })

  test('files that are written at once stay in order', () => {
    const reader = new RunReader<Decoded, RunIndex>(format, new RunIndex(format), { files: sources })
    const ends = (bytes: Buffer) => [...bytes.entries()].flatMap(([at, byte]) => (byte === 0x0a ? [at + 1] : []))
    const [mainEnds, childEnds] = [ends(main), ends(child)]
    for (const i of mainEnds.keys()) {
      reader.resumeFile(0)
      reader.resumeFile(1)
      for (const [file, all] of [mainEnds, childEnds].entries()) {
        reader.push(file, Uint8Array.from([main, child][file]?.subarray(all[i - 1] ?? 0, all[i]) ?? []))
        reader.pauseFile(file)
      }
      expect(reader.inOrder).toBe(true)
      const shown = reader.endedCopy()
      expectEqual(shown && indexState(shown), whole([mainEnds[i] ?? 0, childEnds[i] ?? 0]))
    }
  })
})

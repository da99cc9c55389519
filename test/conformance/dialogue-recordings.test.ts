import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { LineSplitter } from '#core/lines/line-splitter.ts'
import { times } from '../thorough.ts'
import { Replay, replay } from './dialogue-replay.ts'
import { type RecordedDialogue, recordedDialogues, recordingsAreHere } from './recorded-dialogue.ts'

if (!recordingsAreHere)
  console.warn('dialogue-recordings.test.ts: skipped, ../shared/corpus-next/interactive is not here')
const recordings = recordedDialogues()

/**
 * Where the recorded host did what no person can do through Playhead. `foreign`: lines of its own. `different`: lines that Playhead writes
 * in another way. `more`: what Playhead writes and it did not.
 */
const exceptions: Readonly<Record<string, { foreign?: number; different?: number; more?: readonly string[] }>> = {
  'claude-background': { foreign: 2 },
  // Answers that are wrong on purpose.
  'claude-bad-answer': { foreign: 4 },
  // All requests that a host can make; the last line is no JSON.
  'claude-controls': { foreign: 26 },
  // Its host offers hooks and tools; Playhead refuses them.
  'claude-hooks': { different: 9 },
  // A late answer.
  'claude-interrupt-asked': { foreign: 1 },
  // A prompt that was not read is given back to Playhead's queue; here it stayed with the agent.
  'claude-interrupt-tool': { different: 1 },
  'claude-plan': { foreign: 1 },
  'claude-queue': { foreign: 1 },
  // A rule of its own.
  'claude-resume': { foreign: 1 },
  'codex-bad': { foreign: 5, more: ['thread/start'] },
  'codex-decline': { foreign: 2 },
  // It left the command of an interrupted turn running.
  'codex-interrupt': { foreign: 1, more: ['thread/backgroundTerminals/clean'] },
  'codex-interrupt-tool': { foreign: 1 },
  'codex-queue': { foreign: 6 },
  'codex-steer': { foreign: 2 },
  // A prompt that ends the turn.
  'gemini-cancel': { foreign: 2 },
  'gemini-modes': { foreign: 9 },
  'gemini-refuse': { foreign: 3 }
}

/** Each ask was told once, and decided once. */
function expectDecided({ asked, decided, machine }: Replay): void {
  const ids = asked.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(decided.map(({ ask }) => ask.id).toSorted()).toEqual(ids.toSorted())
  expect(machine.state.asks).toEqual([])
}

describe.runIf(recordingsAreHere)('recorded dialogues', () => {
  test.each(recordings)('$name: the lines of the host, sent by a person', (recording) => {
    const replayed = replay(recording)
    const { foreign = 0, different = 0, more = [] } = exceptions[recording.name] ?? {}
    expect(replayed.different).toHaveLength(different)
    expect(replayed.foreign).toHaveLength(foreign)
    expect(replayed.waiting.map(({ line }) => line['method'])).toEqual(more)
    const written = recording.rows.filter((row) => row.kind === 'in' && row.text.startsWith('{'))
    expect(replayed.equal.length + foreign + different).toBe(written.length)
    expectDecided(replayed)
    expect(replayed.machine.state.turn).toBe('ended')
  })

  test('each ask gives one ask and one decision: 33, 17 and 15', () => {
    const counts = { claude: 0, codex: 0, gemini: 0 }
    const asking = {
      claude: /^\{"type":"control_request".*"subtype":"can_use_tool"/,
      codex: /"method":"item\/(?:\w+\/requestApproval|tool\/requestUserInput)","id"/,
      gemini: /"method":"session\/request_permission"/
    }
    for (const recording of recordings) {
      const { asked, decided } = replay(recording)
      const printed = recording.rows.filter((row) => row.kind === 'out' && asking[recording.agent].test(row.text))
      expect(asked, recording.name).toHaveLength(printed.length)
      expect(decided, recording.name).toHaveLength(asked.length)
      counts[recording.agent] += asked.length
    }
    expect(counts).toEqual({ claude: 33, codex: 17, gemini: 15 })
  })

  test('every ask of them is understood', () => {
    const asked = recordings.flatMap((recording) => replay(recording).asked)
    expect(asked.filter(({ kind }) => kind === 'unknown')).toEqual([])
    expect(asked.filter(({ kind, scopes }) => kind === 'tool' && scopes.length === 0)).toEqual([])
  })

  test.each(['claude', 'codex', 'gemini'] as const)('%s: cut into any chunks, and ended at any byte', (agent) => {
    const own = recordings.filter((recording) => recording.agent === agent)
    fc.assert(
      fc.property(
        fc.constantFrom(...own),
        fc.array(fc.integer({ min: 1, max: 4000 }), { minLength: 1, maxLength: 20 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (recording, sizes, part) => {
          expect(inChunks(recording, sizes, 1).steps).toEqual(replay(recording).steps)
          expectDecided(inChunks(recording, sizes, part))
        }
      ),
      { numRuns: times(8, 10_000) }
    )
  })
})

/** The same from the bytes of standard output, which come in chunks, and stop after a part of them. */
function inChunks(recording: RecordedDialogue, sizes: readonly number[], part: number): Replay {
  const replayed = new Replay(recording)
  const rows = [...recording.rows]
  /** The host writes what it wrote before the next line was printed. */
  const writeUntilPrinted = (): void => {
    while (rows[0] !== undefined && rows[0].kind !== 'out') {
      const row = rows.shift()
      if (row?.kind === 'in') replayed.wrote(row.text, row.atMs)
      else if (row !== undefined && row.kind !== 'out') replayed.end(row.kind, row.atMs)
    }
  }
  writeUntilPrinted()
  const splitter = new LineSplitter(({ bytes, terminated }) => {
    const row = rows.shift()
    if (!terminated || bytes === null || row === undefined) return
    replayed.printed(new TextDecoder().decode(bytes), row.atMs)
    writeUntilPrinted()
  })
  const printed = recording.rows.flatMap((row) => (row.kind === 'out' ? [`${row.text}\n`] : [])).join('')
  const all = new TextEncoder().encode(printed)
  const bytes = all.subarray(0, Math.floor(all.length * part))
  for (let at = 0, i = 0; at < bytes.length; i++) {
    const size = sizes[i % sizes.length] ?? 1
    splitter.push(bytes.subarray(at, at + size))
    at += size
  }
  splitter.end()
  replayed.end('exit', 1_000_000_000)
  return replayed
}

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { noteOfAsk, noteOfWithdrawal } from '../../dialogue/ask-note.ts'
import { RunIndex } from '../../index/run-index.ts'
import type { JsonObject } from '../../json.ts'
import type { Decoded, FoldedEvent } from '../log-format.ts'
import { RunReader } from '../run-reader.ts'
import { stamp } from '../stamp.ts'
import { at, call, context, gemini, header, shortly, user } from '../../../../test/invented-chat.ts'
import { geminiChat } from './chat.ts'

const start = Date.parse(at(0))
const ms = (second: number): number => start + second * 1000

function asked(second: number, id: number, toolId: string | null, input: JsonObject = { command: 'touch a' }): object {
  return noteOfAsk(ms(second), {
    ...{ id: String(id), trackId: null, toolId, kind: 'tool', tool: 'run_shell_command', input, folder: null },
    ...{ reason: null, scopes: [], modes: [], questions: [], needsCare: false, since: 0 }
  })
}

const sent = (second: number, line: object): object => ({
  ...{ at: ms(second), after: 10, by: 'person', sent: JSON.stringify({ jsonrpc: '2.0', ...line }) }
})
const selected = (second: number, id: number, optionId: string): object =>
  sent(second, { id, result: { outcome: { outcome: 'selected', optionId } } })
const cancelled = (second: number, id: number): object =>
  sent(second, { id, result: { outcome: { outcome: 'cancelled' } } })

const text = (records: readonly unknown[]): string => records.map((record) => `${JSON.stringify(record)}\n`).join('')
const utf8 = new TextEncoder()

interface Read {
  readonly rows: readonly string[]
  readonly index: RunIndex
}

/** Reads a chat and what stands beside it, in pieces of `size` bytes, the file `first` before the other one. */
function readBoth(chat: string, dialogue: string | null, { size = 1e9, first = 0 } = {}): Read {
  const rows: string[] = []
  const index = new RunIndex(geminiChat)
  const files = dialogue === null ? [] : [{ name: 'dialogue.jsonl', framing: 'lines' } as const]
  const reader = new RunReader<Decoded>(
    geminiChat,
    {
      line(line) {
        index.line(line)
        for (const event of line.events) rows.push(`${stamp(event, geminiChat).trackId ?? ''}${shortly(event.draft)}`)
      },
      end(events, marks) {
        index.end(events, marks)
        for (const event of events) rows.push(shortly(event.draft))
      }
    },
    { files }
  )
  const contents = [chat, dialogue ?? ''].map((content) => utf8.encode(content))
  for (const file of first === 0 ? [0, 1] : [1, 0]) {
    const bytes = contents[file] ?? new Uint8Array()
    for (let from = 0; from < bytes.length; from += size) reader.push(file, bytes.slice(from, from + size))
  }
  reader.end()
  return { rows, index }
}

/** The agent writes a message anew once its calls are done, with the time that it had before. */
const message = (second: number, ...ids: readonly string[]): object =>
  gemini('g', { toolCalls: ids.map((id) => call(id, { timestamp: at(second) })) })
const chat = text([
  ...[header(), context, user('u', 'Do it'), gemini('g')],
  ...[message(10, 'a'), message(20, 'a', 'b')],
  gemini('h', { timestamp: at(30), content: 'Done.' })
])
const dialogue = text([
  sent(0, { id: 1, method: 'initialize', params: {} }),
  ...[asked(4, 0, 'a'), selected(9, 0, 'proceed_once')],
  ...[asked(14, 1, 'b'), selected(20, 1, 'proceed_always')],
  ...[asked(24, 2, 'c', { command: 'rm x' }), selected(25, 2, 'cancel')]
])
const before = ['session', 'user-message: Do it']
const after = ['assistant-message: Done.', 'turn done']

describe('what was asked and decided', () => {
  test('stands before the call, at its time, whichever file is read first and in any pieces', () => {
    const read = readBoth(chat, dialogue)
    expect(read.rows).toEqual([
      ...before,
      ...['permission: Asked: run_shell_command touch a', 'permission: Allowed once', 'start a', 'done a: of a'],
      ...[
        'permission: Asked: run_shell_command touch a',
        'permission: Allowed for this run',
        'start b',
        'done b: of b'
      ],
      ...['permission: Asked: run_shell_command rm x', 'permission: Refused'],
      ...after
    ])
    for (const size of [1, 7, 100]) {
      for (const first of [0, 1]) expect(readBoth(chat, dialogue, { size, first }).rows).toEqual(read.rows)
    }
  })

  test('is linked to the call, which comes later', () => {
    const { rows, index } = readBoth(chat, dialogue)
    const rowOf = (text: string, nth = 0): number => {
      const seq = rows.flatMap((row, i) => (row.includes(text) ? [i] : []))[nth] ?? -1
      return index.rows.rowOf(seq)
    }
    const linked = [
      'Asked: run_shell_command touch a',
      'Allowed once',
      'Allowed for this run',
      'Asked: run_shell_command rm'
    ]
    expect(linked.map((text) => index.rows.callOf(rowOf(text)))).toEqual([
      ...[rowOf('start a'), rowOf('start a'), rowOf('start b')],
      // The log has no call that was refused.
      -1
    ])
    expect(index.rows.callOf(rowOf('Asked: run_shell_command touch a', 1))).toBe(rowOf('start b'))
    expect(index.rows.resultsOf(rowOf('start a'))).toEqual([rowOf('done a')])
  })

  test('changes no event of the chat', () => {
    const alone = readBoth(chat, null).rows
    expect(alone).toEqual([...before, 'start a', 'done a: of a', 'start b', 'done b: of b', ...after])
    expect(readBoth(chat, dialogue).rows.filter((row) => !row.startsWith('permission: '))).toEqual(alone)
  })

  const decisions = (...lines: readonly object[]): string[] =>
    readBoth(text([header()]), text([asked(1, 0, 'a'), ...lines]))
      .rows.filter((row) => row.startsWith('permission: ') && !row.includes('Asked'))
      .map((row) => row.slice('permission: '.length))

  test.each<[string, object[], string[]]>([
    ['is open without a decision', [], []],
    ['is decided once', [selected(2, 0, 'cancel'), selected(3, 0, 'proceed_once')], ['Refused']],
    ['is withdrawn by an interrupt, once', [noteOfWithdrawal(ms(2), { id: '0' }), cancelled(2, 0)], ['Withdrawn']],
    ['is refused by an error', [sent(2, { id: 0, error: { code: 1, message: 'Not so.' } })], ['Refused: Not so.']],
    ['is not decided by what is about another', [selected(2, 1, 'cancel'), sent(2, { id: 0, method: 'x' })], []],
    [
      'is not decided by an id of another type',
      [sent(2, { id: '0', result: { outcome: { outcome: 'cancelled' } } })],
      []
    ],
    ['is answered by an option that is not known', [selected(2, 0, 'perhaps')], ['Answered']]
  ])('%s', (_, lines, expected) => {
    expect(decisions(...lines)).toEqual(expected)
  })

  test('does no harm, whatever the file has', () => {
    const value = fc.oneof(
      fc.json(),
      fc.string(),
      fc.constantFrom(
        '{"at":1e308,"by":"agent","withdrawn":""}',
        '{',
        text([header()]).trim(),
        JSON.stringify(asked(NaN, 0, 'a')),
        JSON.stringify(asked(1e300, 0, 'a'))
      )
    )
    fc.assert(
      fc.property(fc.array(value, { maxLength: 20 }), fc.nat(200), (lines, cut) => {
        const hostile = `${dialogue.slice(0, -cut)}${lines.join('\n')}`
        const own = readBoth(chat, hostile).rows.filter((row) => before.concat(after).includes(row))
        expect(own).toEqual(expect.arrayContaining([...before, ...after]))
      })
    )
  })

  test('may stand among the lines of the chat: then the end of the turn stands on its last line', () => {
    const places: (readonly [line: number, ordinal: number, says: string])[] = []
    const add = (events: readonly FoldedEvent[]): void => {
      for (const { at, ordinal, draft } of events) places.push([at.line, ordinal, shortly(draft)])
    }
    const reader = new RunReader<Decoded>(geminiChat, { line: ({ events }) => add(events), end: add })
    const lines = [header(), user('u', 'Do it'), gemini('g', { content: 'Done.' }), asked(4, 0, 'a')]
    reader.push(0, utf8.encode(text([...lines, noteOfWithdrawal(ms(5), { id: '0' })])))
    reader.end()
    expect(places).toEqual([
      [1, 0, 'session'],
      [2, 0, 'user-message: Do it'],
      [3, 0, 'assistant-message: Done.'],
      [4, 0, 'permission: Asked: run_shell_command touch a'],
      [5, 0, 'permission: Withdrawn'],
      [5, 1, 'turn done']
    ])
  })

  test('is not kept for ever', () => {
    const many = Array.from({ length: 5000 }, (_, id) => asked(1, id, `call-${id}`))
    expect(
      readBoth(chat, text([...many, selected(2, 0, 'cancel'), selected(2, 4999, 'cancel')])).rows.filter((row) =>
        row.endsWith('Refused')
      )
    ).toHaveLength(1)
  })
})

test('a note has as much of an ask as its rows say', () => {
  const note = noteOfAsk(5, {
    ...{ id: '"x"', trackId: null, toolId: 'x'.repeat(1001), kind: 'unknown', tool: 'y'.repeat(300), folder: null },
    ...{ input: { command: 'z'.repeat(10_000) }, reason: null, scopes: [], modes: [], questions: [] },
    ...{ needsCare: false, since: 0 }
  })
  expect(note.asked).toMatchObject({ id: '"x"', toolId: null, tool: 'y'.repeat(200) })
  expect(JSON.stringify(note).length).toBeLessThan(800)
})

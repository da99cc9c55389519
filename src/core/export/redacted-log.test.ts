import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { claudeStreamJson } from '../formats/claude/stream-json.ts'
import { cursorStreamJson } from '../formats/cursor/stream-json.ts'
import { geminiStreamJson } from '../formats/gemini/stream-json.ts'
import type { LogFormat } from '../formats/log-format.ts'
import { Redactor } from './redact.ts'
import { RedactedLog } from './redacted-log.ts'

const token = `ghp_${'aB3dE6gH9jK2mN5pQ8sT1vW4xY7zA0bC3dE6'}`
const utf8 = new TextEncoder()

function redacted(format: LogFormat, lines: readonly string[]): { lines: string[]; redactor: Redactor } {
  const redactor = new Redactor()
  const log = new RedactedLog(format, 'lines', redactor)
  const out = lines.flatMap((line) => log.add(utf8.encode(line)))
  out.push(...log.end())
  return { lines: out.map((line) => new TextDecoder().decode(line)), redactor }
}

describe('a private key that something printed among the records', () => {
  const body = Array.from({ length: 3 }, (_, i) => `${'aB3dE6gH9jK2mN5pQ8sT1vW4xY7zA0bC'.repeat(2).slice(i)}${i}`)
  const begin = '-----BEGIN RSA PRIVATE KEY-----'
  const end = '-----END RSA PRIVATE KEY-----'

  test('is one secret; what stands around it stays', () => {
    const records = ['{"type":"user"}', 'printed before']
    const { lines, redactor } = redacted(claudeStreamJson, [
      ...records,
      begin,
      'Proc-Type: 4,ENCRYPTED',
      '',
      ...body,
      end,
      'abcd',
      ...records
    ])
    expect(lines).toEqual([
      ...records,
      begin,
      'Proc-Type: 4,ENCRYPTED',
      '',
      ...Array.from({ length: 4 }, () => '[redacted: private key]'),
      'abcd',
      ...records
    ])
    expect([...redactor.counts]).toEqual([['private key', 1]])
  })

  test('ends where a record stands, also where its own end is missing', () => {
    const { lines } = redacted(claudeStreamJson, [begin, body[0] ?? '', '{"a":"b"}', 'abcd'])
    expect(lines).toEqual([begin, '[redacted: private key]', '{"a":"b"}', 'abcd'])
  })
})

/** How each format writes a piece of a text, and where it is read from. */
const writers: [string, LogFormat, (text: string, i: number) => string, (line: string) => string][] = [
  [
    'Gemini',
    geminiStreamJson,
    (content) =>
      JSON.stringify({
        type: 'message',
        timestamp: '2026-01-01T00:00:00.000Z',
        role: 'assistant',
        content,
        delta: true
      }),
    (line) => (JSON.parse(line) as { content: string }).content
  ],
  [
    'Cursor',
    cursorStreamJson,
    (text) =>
      JSON.stringify({
        type: 'assistant',
        message: { role: 'assistant', content: [{ type: 'text', text }] },
        session_id: 's',
        timestamp_ms: 1
      }),
    (line) => (JSON.parse(line) as { message: { content: { text: string }[] } }).message.content[0]?.text ?? ''
  ],
  [
    'partial messages of Claude',
    claudeStreamJson,
    (text) =>
      JSON.stringify({
        type: 'stream_event',
        event: { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
        parent_tool_use_id: null,
        session_id: 's'
      }),
    (line) => (JSON.parse(line) as { event: { delta: { text: string } } }).event.delta.text
  ]
]

describe.each(writers)('a secret in pieces, as written by %s', (name, format, write, read) => {
  test('is gone from all of them, wherever they begin', () => {
    const whole = `the "key" is ${token}, keep it`
    fc.assert(
      fc.property(fc.array(fc.nat(whole.length), { maxLength: 12 }), (cuts) => {
        const places = [0, ...cuts.sort((a, b) => a - b), whole.length]
        const pieces = places.slice(1).map((end, i) => whole.slice(places[i], end))
        const { lines, redactor } = redacted(format, pieces.map(write))
        expect(lines.map(read).join('')).toBe('the "key" is [redacted: GitHub token], keep it')
        expect(redactor.total).toBe(1)
      })
    )
  })

  test('leaves lines as they are that hold no part of it', () => {
    const around = ['{"type":"other",  "a":1}', 'no JSON', '']
    const written = [
      write('one ', 0),
      ...around,
      write(token.slice(0, 9), 1),
      around[0] ?? '',
      write(token.slice(9), 2)
    ]
    const { lines } = redacted(format, written)
    expect(lines.filter((line, i) => line !== written[i]).map(read)).toEqual(['[redacted: GitHub token]', ''])
  })

  test('is gone where the text before ends in a letter', () => {
    const tool: Readonly<Record<string, string>> = {
      Gemini: JSON.stringify({
        type: 'tool_use',
        timestamp: '2026-01-01T00:00:00.000Z',
        tool_name: 'x',
        tool_id: 't',
        parameters: {}
      })
    }
    const between = tool[name]
    if (between === undefined) return
    const pieces = ['All done', token.slice(0, 9), token.slice(9)]
    const { lines } = redacted(format, [write(pieces[0] ?? '', 0), between, ...pieces.slice(1).map(write)])
    expect([lines[0], lines[2], lines[3]].map((line) => read(line ?? ''))).toEqual([
      'All done',
      '[redacted: GitHub token]',
      ''
    ])
  })

  test('is found across more lines than are held', () => {
    const text = Array.from({ length: 6000 }, (_unused, i) => `word ${i} `)
    text[4998] = token.slice(0, 20)
    text[4999] = `${token.slice(20)} `
    const { lines } = redacted(format, text.map(write))
    expect(lines).toHaveLength(6000)
    expect(lines.map(read).join('') === text.join('').replace(token, '[redacted: GitHub token]')).toBe(true)
  })
})

test('lines come out in their order, none twice, as they were', () => {
  const [, format, write] = writers[0] as (typeof writers)[0]
  const line = fc.oneof(
    fc.string().map((text) => write(text, 0)),
    fc.constantFrom('{}', '', 'x', '{"type":"result"}')
  )
  fc.assert(
    fc.property(fc.array(line, { maxLength: 600 }), (lines) => {
      expect(redacted(format, lines).lines).toEqual(lines)
    }),
    { numRuns: 30 }
  )
})

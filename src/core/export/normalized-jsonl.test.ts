import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyEvent } from '../../../test/arbitrary-events.ts'
import type { AgentEvent } from '../events/agent-event.ts'
import { soloTeam } from '../events/team.ts'
import { LogReader } from '../formats/log-reader.ts'
import { normalized } from '../formats/normalized.ts'
import { stamp } from '../formats/stamp.ts'
import { NormalizedLines, normalizedLine } from './normalized-jsonl.ts'

const teamMetadata = soloTeam('claude', 'Claude')
const event: AgentEvent = {
  teamMetadata,
  input: { command: 'ls' },
  toolId: 'toolu_1',
  toolName: 'Bash',
  type: 'tool.started',
  source: { line: 4, offset: 100, length: 20, ordinal: 0 },
  timestampFrom: 'previous',
  timestamp: 1000,
  agentType: 'claude-code',
  agentId: 'claude',
  trackId: 'toolu_0',
  sessionId: 's',
  eventId: 's:4:0'
}

/** The events of a normalized log, as any other reader of it gets them. */
function opened(text: string): AgentEvent[] {
  const events: AgentEvent[] = []
  const identity = { agentId: 'somebody else', teamMetadata: soloTeam('somebody else', 'Somebody Else') }
  const reader = new LogReader(normalized, {
    line: (line) => {
      for (const folded of line.events) events.push(stamp(folded, normalized, identity))
    }
  })
  reader.push(new TextEncoder().encode(text))
  reader.end()
  return events
}

describe('a line of the export', () => {
  test('has its keys in one order, whatever the order in the event', () => {
    expect(normalizedLine(event)).toBe(
      '{"type":"tool.started","eventId":"s:4:0","sessionId":"s","trackId":"toolu_0","agentId":"claude",' +
        '"agentType":"claude-code","timestamp":1000,"timestampFrom":"previous",' +
        '"toolName":"Bash","toolId":"toolu_1","input":{"command":"ls"},' +
        '"teamMetadata":{"teamName":"solo","memberName":"claude","memberDisplayName":"Claude","memberRole":"agent"},' +
        '"source":{"line":4,"offset":100,"length":20,"ordinal":0}}'
    )
  })

  test('ends with the exact line where that is wanted', () => {
    expect(JSON.parse(normalizedLine(event, '{"a" : 1}'))).toMatchObject({ type: 'tool.started', raw: '{"a" : 1}' })
  })

  test('is one line: nothing in an event ends it', () => {
    const line = normalizedLine({ ...event, input: { 'a\nb': 'c\r\nd' } })
    expect(line).not.toMatch(/[\r\n]/)
  })
})

describe('any events', () => {
  test('exported and opened again are the same events', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 5 }), fc.option(fc.string(), { nil: undefined }), (events, raw) => {
        const text = events.map((each) => `${normalizedLine(each, raw)}\n`).join('')
        expect(opened(text)).toStrictEqual(events)
      }),
      { numRuns: 1000 }
    )
  })

  test('are the JSON that everybody else writes, but for numbers that it loses', () => {
    fc.assert(
      fc.property(anyEvent, fc.constantFrom('', 'é"\n'.repeat(60)), (event, long) => {
        const line = normalizedLine({ ...event, input: { said: [long, { long }] } } as AgentEvent)
        fc.pre(!line.includes('1e999') && !line.includes('-0'))
        expect(JSON.stringify(JSON.parse(line))).toBe(line)
      })
    )
  })

  test('written one after the other, long strings apart, are the same lines', () => {
    const anyLong = fc.constantFrom('', 'x'.repeat(100), 'é"'.repeat(99))
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 5 }), anyLong, (events, long) => {
        const twice = [...events, ...events].map((event) => ({ ...event, input: { said: [long] } }) as AgentEvent)
        let written = ''
        const strings: string[] = []
        const lines = new NormalizedLines({
          json: (text) => void (written += text),
          string(text) {
            strings.push(text)
            written += JSON.stringify(text)
          }
        })
        for (const event of twice) lines.write(event, 'the line')
        expect(written).toBe(twice.map((event) => `${normalizedLine(event, 'the line')}\n`).join(''))
        expect(strings.filter((text) => text === long).length).toBe(long === '' ? 0 : twice.length)
      })
    )
  })

  test('exported, opened and exported again are the same bytes', () => {
    fc.assert(
      fc.property(anyEvent, (each) => {
        const line = normalizedLine(each)
        expect(opened(line).map((again) => normalizedLine(again))).toEqual([line])
      }),
      { numRuns: 1000 }
    )
  })
})

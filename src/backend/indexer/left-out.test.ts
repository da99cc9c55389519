import { describe, expect, test } from 'vitest'
import type { AgentEvent } from '#core/events/agent-event.ts'
import { normalizedLine, normalizedParts } from '#core/export/normalized-jsonl.ts'
import { RunReader } from '#core/formats/run-reader.ts'
import { soloIdentity } from '#core/formats/solo-identity.ts'
import { stamp } from '#core/formats/stamp.ts'
import { claudeStreamJson } from '#core/formats/claude/stream-json.ts'
import type { FoldedEvent, LogFormat } from '#core/formats/log-format.ts'
import { packOutlines, readOutlines } from './decode-batch.ts'
import { LeftOutOfLog, LeftOutWriter } from './left-out.ts'

const format: LogFormat = claudeStreamJson
const init = `${JSON.stringify({ type: 'system', subtype: 'init', session_id: 's', cwd: '/w', tools: ['Bash'] })}\n`
const message = (role: string, content: object) =>
  `${JSON.stringify({ type: role, message: { role, content: [content] }, session_id: 's' })}\n`
const batchOf = (i: number) =>
  message('assistant', { type: 'text', text: `said ${i} ☕ \ud800 "quoted"` }) +
  message('assistant', { type: 'tool_use', id: `b${i}`, name: 'Bash', input: { command: `ls ${i}`, zero: -0 } }) +
  message('user', { type: 'tool_result', tool_use_id: `b${i}`, content: 'x'.repeat(i % 7) }) +
  '{"cut\n'
const batches = Array.from({ length: 40 }, (_, i) => batchOf(i))
const log = Buffer.from(init + batches.join(''))

const eventOf = (folded: FoldedEvent): AgentEvent => stamp(folded, format.agentType, soloIdentity(format.agentType))

/** Every event of the log, read as bytes. */
function wholeEvents(): FoldedEvent[] {
  const events: FoldedEvent[] = []
  const reader = new RunReader(format, { line: (line) => void events.push(...line.events) })
  reader.push(0, log)
  reader.end()
  return events
}

/** The log read as outlines but for its first line. Calls back for each event when it comes. */
function readAsOutlines(leftOut: LeftOutOfLog, onEvent: (event: FoldedEvent) => void): void {
  const reader = new RunReader(format, { line: (line) => line.events.forEach(onEvent) })
  reader.push(0, log.subarray(0, init.length))
  let offset = init.length
  for (const [i, text] of batches.entries()) {
    const bytes = Buffer.from(text)
    const batch = { bytes, line: 2 + i * 4, offset }
    const writer = new LeftOutWriter()
    const outlines = packOutlines(format, batch, writer)
    leftOut.add(format, batch, writer.end())
    reader.pushDecoded(0, readOutlines(format, batch, outlines))
    offset += bytes.length
  }
  reader.end()
}

describe('what outlines leave out', () => {
  test('makes the lines of an export whole again', () => {
    const leftOut = new LeftOutOfLog()
    const lines: string[] = []
    readAsOutlines(leftOut, (event) => {
      const left = leftOut.of(event)
      if (left === 'gone') throw new Error('it is there when the event comes')
      const parts = left === null ? [normalizedLine(eventOf(event))] : normalizedParts(eventOf(event), left)
      lines.push(Buffer.concat(parts.map((part) => Buffer.from(part))).toString())
    })
    expect(lines).toEqual(wholeEvents().map((event) => normalizedLine(eventOf(event))))
    expect(lines.length).toBeGreaterThan(batches.length * 3)
  })

  test('goes after a while; then the line is read again', () => {
    const leftOut = new LeftOutOfLog()
    const events: FoldedEvent[] = []
    readAsOutlines(leftOut, (event) => events.push(event))
    const early = events.filter((event) => leftOut.of(event) === 'gone')
    expect(early.length).toBeGreaterThan(10)
    expect(early.length).toBeLessThan(events.length)
    const whole = new Map(wholeEvents().map((event) => [eventOf(event).eventId, eventOf(event)]))
    for (const event of early) {
      const { offset, length } = event.at
      const again = leftOut.wholeEvent(event, log.subarray(offset, offset + length))
      expect(again).toEqual(whole.get(again.eventId))
    }
  })
})

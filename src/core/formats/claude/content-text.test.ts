import { expect, test } from 'vitest'
import type { JsonValue } from '../../json.ts'
import { contentText, leadingText } from './content-text.ts'

const png = (bytes: number): JsonValue => ({
  type: 'image',
  source: { type: 'base64', media_type: 'image/png', data: 'A'.repeat(Math.ceil(bytes / 3) * 4) }
})

test('text parts are joined by line feeds, media stand as placeholders without their base64', () => {
  expect(contentText('as it is')).toBe('as it is')
  expect(contentText([{ type: 'text', text: 'a' }, png(24_576), { type: 'text', text: 'b' }])).toBe(
    'a\n[image/png, 24 KB]\nb'
  )
  expect(contentText([png(30)])).toBe('[image/png, 30 B]')
  expect(contentText([png(3 * 1024 * 1024)])).toBe('[image/png, 3.0 MB]')
  expect(contentText([{ type: 'image', source: { type: 'url', url: 'https://example.invalid' } }])).toBe('[image]')
  expect(contentText([{ type: 'document' }])).toBe('[document]')
  expect(contentText([{ type: 'tool_reference', tool_name: 'mcp__x' }])).toBe('mcp__x')
})

test('absent content is empty', () => {
  expect([contentText(undefined), contentText(null), contentText([])]).toEqual(['', '', ''])
})

test('an unknown shape is shown as JSON', () => {
  expect(contentText({ odd: [1, null] })).toBe('{"odd":[1,null]}')
  expect(contentText([7, ['x'], { type: 'text' }, 'bare'])).toBe('7\n["x"]\n{"type":"text"}\nbare')
  let deep: JsonValue = 'bottom'
  for (let level = 0; level < 5000; level += 1) deep = [deep]
  expect(contentText([deep])).toBe('[nested too deeply to show]')
})

test('the leading text is the first part alone', () => {
  expect(
    leadingText([
      { type: 'text', text: 'first' },
      { type: 'text', text: 'second' }
    ])
  ).toBe('first')
  expect([leadingText('x'), leadingText([]), leadingText([null]), leadingText({})]).toEqual(['x', '', '', ''])
})

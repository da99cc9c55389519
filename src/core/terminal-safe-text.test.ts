import fc from 'fast-check'
import { expect, test } from 'vitest'
import { terminalSafeLine, terminalSafeText } from './terminal-safe-text.ts'

const steers = /[^\P{Cc}\n\t]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u
const text = fc.string({ unit: 'binary', maxLength: 40 })

test('nothing that steers a terminal is left, and a text without it stays as it is', () => {
  expect(terminalSafeText('a\u001b[31m\u009b1m\u007f\u202eb\r\n\té😀')).toBe(
    'a\\u001b[31m\\u009b1m\\u007f\\u202eb\\u000d\n\té😀'
  )
  expect(terminalSafeLine('a\nplayhead: all is well')).toBe('a\\u000aplayhead: all is well')
  fc.assert(
    fc.property(text, (text) => {
      expect(terminalSafeText(text)).not.toMatch(steers)
      if (!steers.test(text)) expect(terminalSafeText(text)).toBe(text)
    })
  )
})

test('JSON stays JSON of the same value', () => {
  for (let unit = 0; unit < 0x10000; unit++) {
    const value = { [String.fromCharCode(unit)]: [String.fromCharCode(unit), '\u009b'] }
    const json = terminalSafeText(JSON.stringify(value))
    if (steers.test(json)) expect([unit, json]).toBe('safe')
    if (unit % 97 === 0 || unit < 0x2100) expect(JSON.parse(json)).toEqual(value)
  }
})

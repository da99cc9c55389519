import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chunkText, displayText } from './display-text.ts'

const ESC = '\u001b'

describe('displayText', () => {
  it('drops colours, cursor moves, titles and links of a terminal', () => {
    expect(displayText(`${ESC}[1;31mfail${ESC}[0m ${ESC}[2Kok`)).toBe('fail ok')
    expect(displayText(`${ESC}]0;title\u0007text`)).toBe('text')
    expect(displayText(`${ESC}]8;;https://example.org${ESC}\\link${ESC}]8;;${ESC}\\`)).toBe('link')
    expect(displayText(`${ESC}(Bplain \u009b32mgreen`)).toBe('plain green')
  })

  it('shows an escape without a sequence', () => {
    expect(displayText(`end${ESC}`)).toBe('end␛')
  })

  it('shows control characters and reordering marks, keeps tabs and line feeds', () => {
    expect(displayText('a\tb\nc')).toBe('a\tb\nc')
    expect(displayText('a\u0000b\u0008\u007f')).toBe('a␀b␈␡')
    expect(displayText('10 %\r20 %')).toBe('10 %␍20 %')
    expect(displayText('one\r\ntwo')).toBe('one\ntwo')
    expect(displayText('\u202egnp.exe')).toBe('⟨U+202E⟩gnp.exe')
  })

  it('keeps other scripts and emoji whole', () => {
    expect(displayText('grüße, 世界, 👩‍🚀')).toBe('grüße, 世界, 👩‍🚀')
  })

  it('leaves no escape and no invisible control in any text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(ESC, '[', ']', '3', 'm', '\u0007', '\\', 'x', '\r', '\n') }),
        (text) => {
          expect(displayText(text)).not.toMatch(/[^\P{Cc}\t\n]/u)
        }
      )
    )
  })
})

describe('chunkText', () => {
  it('cuts after line ends', () => {
    expect(chunkText('one\ntwo\nthree', 8)).toEqual(['one\ntwo\n', 'three'])
  })

  it('cuts a long line', () => {
    expect(chunkText('abcdef', 4)).toEqual(['abcd', 'ef'])
  })

  it('keeps all characters and the size limit, and splits no surrogate pair', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', '\n', '🌍', '界') }),
        fc.integer({ min: 2, max: 9 }),
        (text, size) => {
          const chunks = chunkText(text, size)
          expect(chunks.join('')).toBe(text)
          for (const chunk of chunks) {
            expect(chunk.length).toBeLessThanOrEqual(size)
            expect(() => encodeURIComponent(chunk), 'a lone surrogate').not.toThrow()
          }
        }
      )
    )
  })
})

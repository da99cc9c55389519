import { describe, expect, it } from 'vitest'
import { callPurpose, inputParts } from './input-parts.ts'

describe('inputParts', () => {
  it('lists well-known inputs first, the others in the order of the log', () => {
    const parts = inputParts({ timeout: 5000, pattern: '*.ts', path: '/x', run_in_background: true }, ['timeout'])
    expect(parts.map(({ kind, title }) => `${kind} ${title}`)).toEqual([
      'fact Pattern',
      'fact Path',
      'fact run_in_background'
    ])
  })

  it('omits a short purpose, which is in the heading', () => {
    const input = { url: 'https://a.example', description: 'Look it up' }
    expect(callPurpose(input)).toBe('Look it up')
    expect(inputParts(input, []).map(({ title }) => title)).toEqual(['URL'])
    const long = { description: 'First.\nSecond.' }
    expect(callPurpose(long)).toBeNull()
    expect(inputParts(long, []).map(({ title }) => title)).toEqual(['description'])
  })

  it('shows objects and lists as trees, and long texts as blocks', () => {
    const parts = inputParts(
      { edits: [{ a: 1 }], note: 'two\nlines', prompt: 'Look\nhere', 'odd key': null, flag: false },
      []
    )
    expect(parts.map(({ kind, path }) => `${kind} ${path}`)).toEqual([
      'prose $.input.prompt',
      'tree $.input.edits',
      'text $.input.note',
      'fact $.input["odd key"]',
      'fact $.input.flag'
    ])
  })

  it('accepts inputs of unexpected types and names', () => {
    expect(inputParts({ path: 7, constructor: 'x', __proto__: 'y' }, [])).toMatchObject([
      { kind: 'fact', text: '7' },
      { kind: 'fact', title: 'constructor' }
    ])
  })
})

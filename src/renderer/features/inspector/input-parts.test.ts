import { describe, expect, it } from 'vitest'
import { callPurpose, inputParts } from './input-parts.ts'

describe('inputParts', () => {
  it('puts well-known inputs first and keeps the rest in the order of the log', () => {
    const parts = inputParts({ timeout: 5000, command: 'npm test', run_in_background: true })
    expect(parts.map(({ kind, title }) => `${kind} ${title}`)).toEqual([
      'command Command',
      'fact timeout',
      'fact run_in_background'
    ])
  })

  it('leaves out what the call is for, which stands above it, unless that is long', () => {
    const input = { command: 'npm test', description: 'Run the tests' }
    expect(callPurpose(input)).toBe('Run the tests')
    expect(inputParts(input).map(({ title }) => title)).toEqual(['Command'])
    const long = { description: 'First.\nSecond.' }
    expect(callPurpose(long)).toBeNull()
    expect(inputParts(long).map(({ title }) => title)).toEqual(['description'])
  })

  it('shows what an edit replaces as two blocks', () => {
    expect(inputParts({ new_string: 'b', old_string: 'a', file_path: '/x.ts' })).toEqual([
      { kind: 'fact', title: 'File', path: '$.input.file_path', text: '/x.ts' },
      { kind: 'text', title: 'Old', path: '$.input.old_string', text: 'a', tone: 'del' },
      { kind: 'text', title: 'New', path: '$.input.new_string', text: 'b', tone: 'add' }
    ])
  })

  it('joins a command that is given as words', () => {
    expect(inputParts({ command: ['bash', '-lc', 'ls | head'] })[0]).toMatchObject({ text: 'bash -lc "ls | head"' })
  })

  it('gives objects and lists a tree, and long text a block', () => {
    const parts = inputParts({ edits: [{ a: 1 }], note: 'two\nlines', 'odd key': null, flag: false })
    expect(parts.map(({ kind, path }) => `${kind} ${path}`)).toEqual([
      'tree $.input.edits',
      'text $.input.note',
      'fact $.input["odd key"]',
      'fact $.input.flag'
    ])
  })

  it('takes inputs of unexpected types and names', () => {
    expect(inputParts({ command: 7, constructor: 'x', __proto__: 'y' })).toMatchObject([
      { kind: 'fact', text: '7' },
      { kind: 'fact', title: 'constructor' }
    ])
  })
})

import { expect, it } from 'vitest'
import { rowLabel, toolLabels } from './row-label.ts'

it('omits the server of a tool', () => {
  expect(rowLabel('tool', 'mcp__files__read_file')).toBe('read_file')
  expect(rowLabel('tool', 'mcp__files__')).toBe('mcp__files__')
  expect(rowLabel('tool', 'functions.exec')).toBe('exec')
  expect(rowLabel('tool-result', 'mcp__files__read_file')).toBe('Result')
})

it('keeps whole names if tools of a list share one', () => {
  expect(toolLabels(['Bash', 'mcp__a__read', 'mcp__b__read', 'mcp__a__write'])).toEqual([
    'Bash',
    'mcp__a__read',
    'mcp__b__read',
    'write'
  ])
})

import { expect, test } from 'vitest'
import { commands } from '#contract/commands.ts'
import { matchingCommands } from './matching-commands.ts'

const names = (text: string) => matchingCommands(text, () => true).map(({ name }) => name)

test('returns all available commands without words', () => {
  expect(names('  ')).toHaveLength(commands.length)
  expect(matchingCommands('', ({ id }) => id === 'find').map(({ id }) => id)).toEqual(['find'])
})

test('matches each word in name, description or group, in any order and case', () => {
  // One line of the key list belongs to both.
  expect(names('EVENT next')).toEqual(['Next event', 'Previous event'])
  expect(names('subagents into')).toEqual(['Step into'])
  expect(names('no such command')).toEqual([])
})

test('lists matches of names first', () => {
  const found = names('filter')
  expect(found[0]).toBe('Filter rows')
})

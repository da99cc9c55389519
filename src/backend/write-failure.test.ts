import { expect, test } from 'vitest'
import { HostError } from '#contract/host-error.ts'
import { stateWriteFailure, systemCode, writeFailure } from './write-failure.ts'

const refused = (code: string): Error => Object.assign(new Error(`${code}: open`), { code })

test.each([
  ['EROFS', 'its disk is read-only'],
  ['EACCES', 'permission denied'],
  ['EPERM', 'permission denied']
])('%s in the state folder: the file, the reason, and how to set another folder', (code, why) => {
  const message = `/s/a.json cannot be written: ${why}. Playhead keeps its state in /s; set PLAYHEAD_STATE_DIR to a writable folder.`
  const failure = stateWriteFailure('/s', '/s/a.json', refused(code))
  expect([failure.message, failure.code, systemCode(failure)]).toEqual([message, 'unavailable', code])
  // Also of what was put into words before.
  expect(stateWriteFailure('/s', '/s', writeFailure('/s/a.json', refused(code))).message).toBe(message)
})

test('another folder is suggested only if it helps', () => {
  expect(stateWriteFailure('/s', '/s/a.json', refused('ENOSPC')).message).toBe(
    '/s/a.json cannot be written: the disk is full.'
  )
  const other = new HostError('not-found', 'It is gone.')
  expect(stateWriteFailure('/s', '/s/a.json', other)).toBe(other)
})

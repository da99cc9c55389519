import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { RunRequest } from './live-runs.ts'
import { errorCodes, HostError, messageOf } from './host-error.ts'

const folder = mkdtempSync(join(tmpdir(), 'playhead-errors-'))
mkdirSync(join(folder, 'folder'))

function thrownBy(act: () => unknown): unknown {
  try {
    act()
  } catch (error) {
    return error
  }
  throw new Error('nothing was thrown')
}

const thrown: readonly (readonly [name: string, error: unknown])[] = [
  ...errorCodes.map((code) => [code, new HostError(code, 'It is gone. Start another one.')] as const),
  ['no file', thrownBy(() => readFileSync(join(folder, 'none')))],
  ['a folder', thrownBy(() => readFileSync(join(folder, 'folder')))],
  ['a name that is too long', thrownBy(() => readFileSync(join(folder, 'x'.repeat(300))))],
  ['a file that exists', thrownBy(() => writeFileSync(join(folder, 'folder'), '', { flag: 'wx' }))],
  ['invalid data', thrownBy(() => RunRequest.parse({ agent: 'none', prompt: 7 }))],
  ['deep data', thrownBy(() => z.object({ a: z.array(z.number()) }).parse({ a: [1, 'x'] }))],
  ['an error without words', new Error('')],
  ['an object', { code: 7 }],
  ['nothing', undefined],
  ['null', null],
  ['a list', [1, 2]],
  ['an empty text', '']
]

test.each(thrown)('%s is told in words for people', (_, error) => {
  const message = messageOf(error)
  expect(message).not.toBe('')
  expect(message).not.toMatch(/undefined|\[object|^\w*Error:|\bE[A-Z]{3,}\b|"code":|^\s*at |[{}[\]]/m)
})

test('names the file and the reason, and the place in data', () => {
  expect(messageOf(thrownBy(() => readFileSync(join(folder, 'none'))))).toBe(
    `${join(folder, 'none')}: it does not exist`
  )
  expect(messageOf(thrownBy(() => z.object({ a: z.array(z.number()) }).parse({ a: [1, 'x'] })))).toMatch(/^a\.1: /)
})

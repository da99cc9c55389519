import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { readStartRequest, startRequest } from './start-request.ts'

const folder = resolve('/work/run')

test('a command line names files and links; switches are not ours', () => {
  const words = [
    '--no-sandbox',
    'a.jsonl',
    resolve('/logs/b.jsonl'),
    'playhead://open?path=/c',
    'PLAYHEAD://x',
    '-v',
    ''
  ]
  expect(startRequest(words, folder)).toEqual({
    files: [join(folder, 'a.jsonl'), resolve('/logs/b.jsonl')],
    links: ['playhead://open?path=/c', 'PLAYHEAD://x']
  })
})

test('what another start hands over is what it asked for', () => {
  const asked = startRequest(['a.jsonl', 'playhead://open'], folder)
  expect(readStartRequest(structuredClone(asked))).toEqual(asked)
})

test.each([
  [null],
  [undefined],
  [7],
  [['a']],
  [{}],
  [{ files: 'a', links: [] }],
  [{ files: [1], links: [] }],
  [{ files: [] }]
])('of %j nothing is opened', (data) => {
  expect(readStartRequest(data)).toEqual({ files: [], links: [] })
})

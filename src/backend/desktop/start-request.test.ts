import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { readStartRequest, startRequest, startWords } from './start-request.ts'

const folder = resolve('/work/run')

test('a command line names files and links; switches are not ours', () => {
  const argv = [
    '/bin/playhead',
    '--no-sandbox',
    'a.jsonl',
    resolve('/logs/b.jsonl'),
    '-v',
    '',
    'PLAYHEAD://open?path=/c'
  ]
  expect(startRequest(startWords(argv, true), folder)).toEqual({
    files: [join(folder, 'a.jsonl'), resolve('/logs/b.jsonl')],
    links: ['PLAYHEAD://open?path=/c']
  })
})

test('behind -- nothing is a switch, and Electron, its switches and the folder of a checkout are no files', () => {
  const link = 'playhead://open?path=/c'
  expect(startWords(['playhead.exe', '--', link], true)).toEqual([link])
  expect(startWords(['electron', '--no-sandbox', '/checkout', 'a.jsonl', '--', '-b.jsonl', '--'], false)).toEqual([
    'a.jsonl',
    '-b.jsonl',
    '--'
  ])
  expect(startWords(['electron', '.', '--', '--inspect'], false)).toEqual(['--inspect'])
  expect(startWords(['playhead'], true)).toEqual([])
})

test('what whoever made a link put behind it is neither a switch, nor a file, nor another link', () => {
  const link = 'playhead://open?path=/c'
  const words = startWords(['playhead.exe', '--', link, '--gpu-launcher=cmd', '\\\\host\\share\\a.jsonl', link], true)
  expect(startRequest(words, folder)).toEqual({ files: [], links: [link] })
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

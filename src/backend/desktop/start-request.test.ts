import { join, resolve } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { appArguments, readStartRequest, RequestQueue, startRequest } from './start-request.ts'

const folder = resolve('/work/run')

test('a command line has files and links; switches are ignored', () => {
  const argv = [
    '/bin/playhead',
    '--no-sandbox',
    'a.jsonl',
    resolve('/logs/b.jsonl'),
    '-v',
    '',
    'PLAYHEAD://open?path=/c'
  ]
  expect(startRequest(appArguments(argv, true), folder)).toEqual({
    files: [join(folder, 'a.jsonl'), resolve('/logs/b.jsonl')],
    links: ['PLAYHEAD://open?path=/c']
  })
})

test('after -- nothing is a switch; Electron, its switches and the folder of a checkout are not files', () => {
  const link = 'playhead://open?path=/c'
  expect(appArguments(['playhead.exe', '--', link], true)).toEqual([link])
  expect(appArguments(['electron', '--no-sandbox', '/checkout', 'a.jsonl', '--', '-b.jsonl', '--'], false)).toEqual([
    'a.jsonl',
    '-b.jsonl',
    '--'
  ])
  expect(appArguments(['electron', '.', '--', '--inspect'], false)).toEqual(['--inspect'])
  expect(appArguments(['playhead'], true)).toEqual([])
})

test('arguments after a link are dropped', () => {
  const link = 'playhead://open?path=/c'
  const words = appArguments(['playhead.exe', '--', link, '--gpu-launcher=cmd', '\\\\host\\share\\a.jsonl', link], true)
  expect(startRequest(words, folder)).toEqual({ files: [], links: [link] })
})

test('the request of a second start arrives unchanged', () => {
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
])('%j opens nothing', (data) => {
  expect(readStartRequest(data)).toEqual({ files: [], links: [] })
})

const moments = fc.array(fc.constantFrom('before', 'while it is served', 'after'), { maxLength: 30 })

test('each queued request is served once, in order, whenever it arrives', async () => {
  await fc.assert(
    fc.asyncProperty(moments, async (all) => {
      const queue = new RequestQueue<number>()
      const arriving = (wanted: string): number[] => all.flatMap((moment, id) => (moment === wanted ? [id] : []))
      const [before, later, after] = [arriving('before'), arriving('while it is served'), arriving('after')]
      const served: number[] = []
      let isFirst = true
      for (const id of before) queue.add(id)
      await queue.serve(async (id) => {
        if (isFirst) {
          isFirst = false
          for (const other of later) queue.add(other)
        }
        await Promise.resolve()
        served.push(id)
      })
      expect(served).toEqual(before.length === 0 ? [] : [...before, ...later])
      isFirst = false
      for (const id of after) queue.add(id)
      await new Promise((resolve) => setImmediate(resolve))
      expect(served).toEqual([...(before.length === 0 ? [] : [...before, ...later]), ...after])
    })
  )
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { typedPath } from './typed-path.ts'

const linux = { home: '/home/ada', windows: false }
const windows = { home: 'C:\\Users\\ada', windows: true }
const path = (at: string, id: string | null = null) => ({ kind: 'path', path: at, id })

describe('what was typed', () => {
  test.each([
    ['run.jsonl', path('run.jsonl')],
    [' /logs/run.jsonl\n', path('/logs/run.jsonl')],
    ['"/logs/a run.jsonl"', path('/logs/a run.jsonl')],
    ["'/logs/a run.jsonl'", path('/logs/a run.jsonl')],
    ['"', path('"')],
    ['~', path('/home/ada')],
    ['~/run.jsonl', path('/home/ada/run.jsonl')],
    ['~bob/run.jsonl', path('~bob/run.jsonl')],
    ['~\\run', path('~\\run')],
    ['../project', path('../project')],
    [
      '0b1c2d3e-4f50-6172-8394-a5b6c7d8e9f0',
      path('0b1c2d3e-4f50-6172-8394-a5b6c7d8e9f0', '0b1c2d3e-4f50-6172-8394-a5b6c7d8e9f0')
    ],
    ['0b1c', path('0b1c', '0b1c')],
    [' ', { kind: 'wrong', why: expect.stringMatching(/give the path/) }]
  ])('%j', (text, expected) => expect(typedPath(text, linux)).toEqual(expected))

  test('on Windows', () => {
    expect(typedPath('"C:\\logs\\run.jsonl"', windows)).toEqual(path('C:\\logs\\run.jsonl'))
    expect(typedPath('~\\run.jsonl', windows)).toEqual(path('C:\\Users\\ada\\run.jsonl'))
    expect(typedPath('~/run.jsonl', windows)).toEqual(path('C:\\Users\\ada/run.jsonl'))
    expect(typedPath('C:/logs', windows)).toEqual(path('C:/logs'))
  })

  test('a pattern; of the home folder only what was typed is one', () => {
    expect(typedPath('logs/*.jsonl', linux)).toMatchObject({ kind: 'glob', glob: { folder: 'logs/' } })
    expect(typedPath('~/logs/**/*.jsonl', { home: '/home/[ada]*', windows: false })).toMatchObject({
      kind: 'glob',
      glob: { folder: '/home/[ada]*/logs/', segments: [{ kind: 'folders' }, { kind: 'names' }] }
    })
  })
})

describe('a file:// address', () => {
  test.each([
    ['file:///logs/a%20run.jsonl', '/logs/a run.jsonl'],
    ['file://localhost/logs/run.jsonl', '/logs/run.jsonl'],
    ['FILE:/logs/run.jsonl', '/logs/run.jsonl'],
    ['file:///logs/caf%C3%A9.jsonl#L3', '/logs/café.jsonl'],
    ['file:///logs/100%25.jsonl?x', '/logs/100%.jsonl'],
    // Wildcards are none here.
    ['file:///logs/*.jsonl', '/logs/*.jsonl']
  ])('%s', (text, expected) => expect(typedPath(text, linux)).toEqual(path(expected)))

  test.each([
    ['file:///C:/logs/a%20run.jsonl', 'C:\\logs\\a run.jsonl'],
    ['file://C:/logs/run.jsonl', 'C:\\logs\\run.jsonl'],
    ['file:///c:', 'c:\\']
  ])('%s on Windows', (text, expected) => expect(typedPath(text, windows)).toEqual(path(expected)))

  test.each([
    ['file://server/logs/run.jsonl', /another machine, "server"/],
    ['file://C:/logs/run.jsonl', /another machine, "C:"/],
    ['file:run.jsonl', /no absolute path/],
    ['file:', /no absolute path/],
    ['file:///a%2', /two hexadecimal digits/],
    ['file:///100%', /%25/],
    ['file:///a%ff', /not UTF-8/],
    ['file:///a%2Fb', /separator/],
    ['file:///a%00b', /%00/],
    ['https://example.org/run.jsonl', /^Playhead cannot open https:\/\/ addresses/]
  ])('%s is refused with a sentence', (text, why) =>
    expect(typedPath(text, linux)).toEqual({ kind: 'wrong', why: expect.stringMatching(why) as string })
  )

  test('without a drive is refused on Windows', () => {
    expect(typedPath('file:///logs/run.jsonl', windows)).toMatchObject({ kind: 'wrong' })
    expect(typedPath('file:///C:/a%5Cb', windows)).toMatchObject({ kind: 'wrong' })
  })

  test('of any path leads back to it', () => {
    const name = fc.string({ unit: 'binary', minLength: 1 }).filter((text) => !/[/\0]/.test(text))
    fc.assert(
      fc.property(fc.array(name, { minLength: 1 }), (names) => {
        const url = `file:///${names.map(encodeURIComponent).join('/')}`
        expect(typedPath(url, linux)).toEqual(path(`/${names.join('/')}`))
      })
    )
  })
})

test('any text gives an answer', () => {
  const odd = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({
      unit: fc.constantFrom('~', '/', '\\', '*', '?', '[', ']', '%', 'f', 'file:', '//', '"', ' ', '-', '!')
    })
  )
  fc.assert(
    fc.property(odd, fc.boolean(), (text, isWindows) => {
      expect(['path', 'glob', 'wrong']).toContain(typedPath(text, isWindows ? windows : linux).kind)
    })
  )
})

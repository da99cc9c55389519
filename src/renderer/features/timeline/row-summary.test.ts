import { describe, expect, it } from 'vitest'
import { fileNameAt } from './row-summary.tsx'

describe('fileNameAt', () => {
  it.each([
    ['/home/dev/ws/greet.js', 'greet.js'],
    ['src/index.ts', 'index.ts'],
    ['~/notes/a.md', 'a.md'],
    ['C:\\work\\run.log', 'run.log'],
    ['/home/dev/', 'dev/']
  ])('finds the end of the path %j', (text, name) => expect(text.slice(fileNameAt(text))).toBe(name))

  it.each(['ls -la /home/dev', 'README.md', '{"a":"b/c"}', '<a>b</a>', ''])('takes %j for no path', (text) =>
    expect(fileNameAt(text)).toBe(0)
  )
})

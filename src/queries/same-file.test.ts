import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { claudeStreamJson } from '#core/formats/claude/stream-json.ts'
import type { Decoded } from '#core/formats/log-format.ts'
import { RunReader } from '#core/formats/run-reader.ts'
import { RunIndex } from '#core/index/run-index.ts'
import type { JsonObject } from '#core/json.ts'
import { LogPages } from './log-pages.ts'

let calls = 0

function line(content: JsonObject): string {
  return `${JSON.stringify({
    type: 'assistant',
    message: { id: `m${calls}`, role: 'assistant', model: 'm', content: [content] },
    parent_tool_use_id: null,
    session_id: 's'
  })}\n`
}

const said = (text: string) => line({ type: 'text', text })
const call = (input: JsonObject) => line({ type: 'tool_use', id: `t${++calls}`, name: 'Tool', input })
const result = () =>
  `${JSON.stringify({
    type: 'user',
    message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: `t${calls}`, content: 'ok' }] },
    session_id: 's'
  })}\n`

/** A log of these lines; its rows are the calls, results and words in it, one a line. */
function pagesOf(...lines: readonly string[]) {
  const content = new TextEncoder().encode(lines.join(''))
  const reads: number[] = []
  const source = {
    read: async (offset: number, length: number) => {
      reads.push(length)
      return content.subarray(offset, offset + length)
    }
  }
  const reader = new RunReader<Decoded, RunIndex>(claudeStreamJson, new RunIndex(claudeStreamJson))
  const run = { format: claudeStreamJson, files: [{ name: undefined, source }], framingOf: () => 'lines' as const }
  reader.push(0, content)
  reader.end()
  return { pages: new LogPages(run, reader.sink), reads }
}

describe('the next call about the same file', () => {
  const log = () =>
    pagesOf(
      call({ file_path: '/w/src/a.ts' }),
      result(),
      said('a.ts is next'),
      call({ file_path: '/w/lib/a.ts' }),
      call({ file_path: '/w/b.ts', content: 'import "src/a.ts"' }),
      call({ command: 'cat src/a.ts' }),
      call({ patch: '*** Begin Patch\n*** Update File: src/a.ts\n+x\n*** End Patch' }),
      result()
    ).pages

  test('is found in either direction, from a call and from a result', async () => {
    const files = ['/w/src/a.ts']
    const pages = log()
    expect(await pages.sameFile({ row: 0, from: 0, direction: 1 })).toEqual({ row: 5, goOnFrom: 5, files })
    expect(await pages.sameFile({ row: 1, from: 1, direction: 1 })).toMatchObject({ row: 5 })
    expect(await pages.sameFile({ row: 0, from: 5, direction: 1 })).toMatchObject({ row: 6 })
    expect(await pages.sameFile({ row: 0, from: 6, direction: 1 })).toEqual({ row: null, goOnFrom: null, files })
    expect(await pages.sameFile({ row: 7, from: 7, direction: -1 })).toMatchObject({ row: 6, files: ['src/a.ts'] })
    expect(await pages.sameFile({ row: 6, from: 6, direction: -1 })).toMatchObject({ row: 5 })
    expect(await pages.sameFile({ row: 6, from: 5, direction: -1 })).toMatchObject({ row: 0 })
  })

  test('is none for what names no file', async () => {
    const pages = log()
    const none = { row: null, goOnFrom: null, files: [] }
    expect(await pages.sameFile({ row: 2, from: 2, direction: 1 })).toEqual(none)
    expect(await pages.sameFile({ row: 5, from: 5, direction: -1 })).toEqual(none)
    await expect(pages.sameFile({ row: 99, from: 0, direction: 1 })).rejects.toThrow('There is no row 99')
  })

  test('is found whatever its name is written with', async () => {
    for (const name of ['grüße.md', '世界', 'a "b".txt', 'tab\there', 'x'.repeat(300)]) {
      const { pages } = pagesOf(call({ file_path: `/w/${name}` }), said('x'), call({ path: name }))
      expect(await pages.sameFile({ row: 0, from: 0, direction: 1 })).toMatchObject({ row: 2 })
    }
  })

  test('is looked for a piece at a time where there is much to look through', async () => {
    const large = call({ file_path: '/w/other.ts', content: 'x'.repeat(6 << 20) })
    const { pages, reads } = pagesOf(
      call({ file_path: '/w/a.ts' }),
      ...Array.from({ length: 6 }, () => large),
      call({ file_path: '/w/a.ts' })
    )
    const first = await pages.sameFile({ row: 0, from: 0, direction: 1 })
    expect(first).toMatchObject({ row: null })
    expect(first.goOnFrom).toBeGreaterThan(0)
    expect(Math.max(...reads)).toBeLessThan(2 << 20)
    let from = first.goOnFrom
    let found: number | null = null
    for (let asked = 0; asked < 10 && found === null && from !== null; asked++) {
      ;({ row: found, goOnFrom: from } = await pages.sameFile({ row: 0, from, direction: 1 }))
    }
    expect(found).toBe(7)
  })

  test('is the nearest of those that name it, and the way back is the way there', async () => {
    const paths = fc.constantFrom('/w/a.ts', '/w/b.ts', 'a.ts', '/w/x/a.ts')
    await fc.assert(
      fc.asyncProperty(fc.array(paths, { minLength: 1, maxLength: 12 }), async (files) => {
        const { pages } = pagesOf(...files.map((file) => call({ file_path: file })))
        for (const [row, file] of files.entries()) {
          const { row: next } = await pages.sameFile({ row, from: row, direction: 1 })
          if (next === null) expect(files.slice(row + 1)).not.toContain(file)
          else {
            expect(files.slice(row + 1, next)).not.toContain(file)
            expect(await pages.sameFile({ row: next, from: next, direction: -1 })).toMatchObject({
              row: expect.any(Number)
            })
          }
        }
      }),
      { numRuns: 30 }
    )
  })
})

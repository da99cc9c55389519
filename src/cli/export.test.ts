import { chmodSync, linkSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { file, folder, good, playhead } from '../../test/command-line.ts'

describe('export', () => {
  test('one event a line, in log order; opened again the same', async () => {
    const path = file('export.jsonl', good)
    const { code, out, err } = await playhead('export', path)
    expect([code, err]).toEqual([0, ''])
    const events = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(events.map(({ type }) => type)).toEqual([
      'session.started',
      'text',
      'todo_list',
      'todo_list',
      'tool.started',
      'todo_list'
    ])
    const again = await playhead('export', file('export-again.jsonl', out))
    expect(again.out).toBe(out)
    const todos = await playhead('todos', join(folder, 'export-again.jsonl'), '--json')
    expect(todos.out).toBe((await playhead('todos', path, '--json')).out)
  })

  test('--raw adds the exact line', async () => {
    const { out } = await playhead('export', file('raw.jsonl', good.replaceAll('\n', '\r\n')), '--raw')
    const raws = out
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { raw: string }).raw)
    expect(raws).toEqual(good.trimEnd().split('\n'))
  })

  test('-o writes a file whole, and says so', async () => {
    const path = file('to-file.jsonl', good)
    const target = file('target.jsonl', 'former')
    chmodSync(target, 0o640)
    const { code, out, err } = await playhead('export', path, '-o', target)
    expect([code, out]).toEqual([0, ''])
    expect(err).toContain('6 events')
    expect(readFileSync(target, 'utf8')).toBe((await playhead('export', path)).out)
    expect(statSync(target).mode & 0o777).toBe(0o640)
    expect(readdirSync(folder).filter((name) => name.endsWith('.playhead'))).toEqual([])
  })

  test('-o never writes to the log itself, by whatever path', async () => {
    const path = file('self.jsonl', good)
    symlinkSync(path, join(folder, 'soft'))
    linkSync(path, join(folder, 'hard'))
    for (const target of [
      path,
      join(folder, 'soft'),
      join(folder, 'hard'),
      join(folder, 'state', '..', 'self.jsonl')
    ]) {
      mkdirSync(join(folder, 'state'), { recursive: true })
      expect(await playhead('export', path, '-o', target)).toMatchObject({
        code: 2,
        err: expect.stringMatching(/the log itself/)
      })
    }
    expect(await playhead('export', join(folder, 'soft'), '-o', path)).toMatchObject({ code: 2 })
    expect(readFileSync(path, 'utf8')).toBe(good)
  })

  test('-o leaves what was there when the log cannot be read', async () => {
    const target = file('kept.jsonl', 'former')
    expect((await playhead('export', join(folder, 'nope'), '-o', target)).code).toBe(2)
    expect(readFileSync(target, 'utf8')).toBe('former')
    expect(await playhead('export', file('f', good), '-o', join(folder, 'no', 'dir'))).toMatchObject({ code: 2 })
    expect(readdirSync(folder).filter((name) => name.endsWith('.playhead'))).toEqual([])
  })

  test('an empty path, as of an unset variable, is not the current folder', async () => {
    const path = file('empty-path.jsonl', good)
    expect(await playhead('export', path, '-o', '')).toMatchObject({
      code: 2,
      err: expect.stringMatching(/which file/)
    })
    expect(await playhead('export', '')).toMatchObject({ code: 2, err: expect.stringMatching(/which FILE/) })
  })

  test('-o writes to a device as it is', async () => {
    expect((await playhead('export', file('dev', good), '-o', '/dev/null')).code).toBe(0)
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true)
  })

  test.each([
    [['--to', 'pdf'], /--to pdf: there are jsonl/],
    [['--to', 'html', '--raw'], /--raw adds lines to JSONL/],
    [['--no-redact'], /nothing is redacted in JSONL/]
  ])('%j is refused, with what there is', async (args, said) => {
    const path = file('to.jsonl', good)
    expect(await playhead('export', path, ...args)).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringMatching(said)
    })
  })
})

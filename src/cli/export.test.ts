import { chmodSync, linkSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { file, folder, good, jsonl, playhead, say } from '../../test/command-line.ts'

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

  test('--redact takes secrets out, of the raw lines too, and says how many of each kind', async () => {
    const token = `ghp_${'aB3dE6gH9jK2mN5pQ8sT1vW4xY7zA0bC3dE6'}`
    const log = jsonl(say(`the key is ${token}`), say(`or ${token.slice(0, 12)}`), say(`${token.slice(12)}, too`))
    const { code, out, err } = await playhead('export', file('redact.jsonl', log), '--redact')
    expect([code, err]).toEqual([0, 'playhead: 2 secrets redacted (2 GitHub token)\n'])
    const texts = (text: string): unknown[] =>
      text
        .trimEnd()
        .split('\n')
        .map((line) => (JSON.parse(line) as { text: unknown }).text)
    const clean = ['the key is [redacted: GitHub token]', 'or [redacted: GitHub token]', ', too']
    expect(texts(out)).toEqual(clean)
    const raw = await playhead('export', file('redact-raw.jsonl', log), '--redact', '--raw')
    expect(texts(raw.out)).toEqual(clean)
    const raws = raw.out
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { raw: string }).raw)
    expect(raws).toEqual(clean.map((text) => JSON.stringify(say(text))))
    const without = await playhead('export', file('no-secret.jsonl', good), '--redact', '--raw')
    expect([without.out, without.err]).toEqual([
      (await playhead('export', file('no-secret.jsonl', good), '--raw')).out,
      ''
    ])
  })

  test('--redact --raw: the first line of a text in pieces has no part of a secret that goes on in others', async () => {
    const token = `ghp_${'aB3dE6gH9jK2mN5pQ8sT1vW4xY7zA0bC3dE6'}`
    const piece = (content: string) => ({
      type: 'message',
      timestamp: '2026-01-02T03:04:05.000Z',
      role: 'assistant',
      content,
      delta: true
    })
    const log = jsonl(
      { type: 'init', timestamp: '2026-01-02T03:04:05.000Z', session_id: 's', model: 'm' },
      ...['the "key" is ', token.slice(0, 9), token.slice(9), ', keep it'].map(piece),
      { type: 'result', timestamp: '2026-01-02T03:04:05.000Z', status: 'success', stats: {} }
    )
    for (const cut of [log, log.replace('is "', `is ${token.slice(0, 9)}"`).replace(/.*"ghp_.{5}",.*\n/, '')]) {
      const { out } = await playhead(
        'export',
        file('pieces.jsonl', cut),
        '--redact',
        '--raw',
        '--format',
        'gemini-stream-json'
      )
      expect(out).toContain('is [redacted: GitHub token], keep it')
      expect(out).not.toContain(token.slice(0, 7))
    }
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
      err: expect.stringMatching(/-o needs a path/)
    })
    expect(await playhead('export', '')).toMatchObject({ code: 2, err: expect.stringMatching(/no FILE given/) })
  })

  test('-o writes to a device as it is', async () => {
    expect((await playhead('export', file('dev', good), '-o', '/dev/null')).code).toBe(0)
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true)
  })

  test.each([
    [['--to', 'pdf'], /--to pdf: use one of jsonl/],
    [['--to', 'html', '--raw'], /--raw cannot be used with --to html/],
    [['--no-redact'], /JSONL is only redacted with --redact/],
    [['--redact', '--no-redact'], /--redact and --no-redact cannot be combined/],
    [['--redact', '--no-redact', '--to', 'md'], /cannot be combined/]
  ])('%j is refused, with what there is', async (args, said) => {
    const path = file('to.jsonl', good)
    expect(await playhead('export', path, ...args)).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringMatching(said)
    })
  })
})

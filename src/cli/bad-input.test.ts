import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { file, folder, good, init, json, jsonl, playhead, say, todoWrite } from '../../test/command-line.ts'

describe('bad input', () => {
  /** The bytes that `check --json` says each issue is about. */
  async function issuesOf(path: string): Promise<{ code: string; line: number; bytes: string }[]> {
    const { issues } = await json('check', path)
    const bytes = readFileSync(path)
    return (issues as { code: string; line: number; offset: number; length: number }[]).map(
      ({ code, line, offset, length }) => ({
        code,
        line,
        bytes: bytes.subarray(offset, offset + length).toString('latin1')
      })
    )
  }

  test.each([
    ['an empty file', '', 'The file is empty.'],
    ['a file of blank lines', ' \n\n', 'The file contains only white space.'],
    ['a text', 'hello\n', 'No line at the start of the file is JSON'],
    ['JSON of something else', '{"a":1}\n', 'The file contains JSON, but in none of the supported formats'],
    ['a long document', `{"a":"${'x'.repeat(70_000)}"`, 'The file begins with a JSON value longer than 64 KiB']
  ])('%s is no log: exit code 2, and a sentence that says so', async (what, text, sentence) => {
    const path = file(`${what}.jsonl`, text)
    for (const words of [['check'], ['check', '--json'], ['todos'], ['stats'], ['export'], ['export', '--to', 'md']]) {
      const { code, err } = await playhead(...words, path)
      expect([words, code, err]).toEqual([words, 2, expect.stringContaining(`log format not recognized: ${sentence}`)])
      expect(err).toContain('--format ID')
    }
    const { out } = await playhead('check', path, '--json')
    expect(JSON.parse(out)).toMatchObject({ file: path, format: null, bytes: text.length, events: 0 })
    for (const words of [['todos'], ['stats'], ['export']])
      expect((await playhead(...words, path, '--format', 'claude-stream-json')).code).toBe(0)
  })

  test('a log of two formats is read as one of them, and said to be mixed', async () => {
    const thread = [
      { type: 'thread.started', thread_id: 't' },
      { type: 'item.completed', item: { id: 'item_0', type: 'agent_message', text: 'Hi' } }
    ]
    const path = file('mixed.jsonl', good + jsonl(...thread))
    const { out, err } = await playhead('check', path, '--json')
    expect(JSON.parse(out)).toMatchObject({ format: 'claude-stream-json' })
    expect(err).toMatch(/this log is mixed: .*Codex exec --json/)
    expect((await playhead('check', path, '--format', 'claude-stream-json')).err).not.toContain('mixed')
  })

  test('an export that was there stays where the file is not a log', async () => {
    const [path, out] = [file('no-log.jsonl', ''), file('kept.md', 'kept')]
    expect((await playhead('export', path, '--to', 'md', '-o', out)).code).toBe(2)
    expect(readFileSync(out, 'utf8')).toBe('kept')
  })

  test('a missing file, a directory, a pipe: exit code 2 and a sentence', async () => {
    mkdirSync(join(folder, 'dir'))
    spawnSync('sh', ['-c', 'mkfifo "$1"', 'sh', join(folder, 'pipe')])
    for (const command of ['check', 'export', 'todos', 'stats']) {
      expect(await playhead(command, join(folder, 'nope'))).toEqual({
        code: 2,
        out: '',
        err: `playhead: ${join(folder, 'nope')} does not exist; check the path\n`
      })
      expect(await playhead(command, join(folder, 'dir'))).toMatchObject({
        code: 2,
        err: expect.stringMatching(/directory/)
      })
      expect(await playhead(command, join(folder, 'pipe'))).toMatchObject({
        code: 2,
        err: expect.stringMatching(/pipe/)
      })
      expect(await playhead(command, 'a\0b')).toMatchObject({ code: 2, out: '' })
    }
  })

  test.skipIf(process.getuid?.() === 0)('a file that may not be read (as root every file may)', async () => {
    const path = file('secret.jsonl', good)
    chmodSync(path, 0)
    expect(await playhead('check', path)).toMatchObject({ code: 2, err: expect.stringMatching(/permissions/) })
  })

  test('a binary is said to be one, and its lines are malformed', async () => {
    const path = file('binary', Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2, 0xff, 0xfe, 10, 0, 0, 10]))
    const { code, err } = await playhead('check', path)
    expect(code).toBe(2)
    expect(err).toMatch(/binary/)
    expect((await issuesOf(path)).map(({ line }) => line)).toEqual(expect.arrayContaining([1, 2]))
  })

  test('null, an array and a number are records that break the contract, each on its line', async () => {
    const path = file('null.jsonl', jsonl(init) + 'null\n[1]\n7\n' + jsonl(say('on')))
    expect(await issuesOf(path)).toEqual([
      { code: 'TypedParse', line: 2, bytes: 'null' },
      { code: 'TypedParse', line: 3, bytes: '[1]' },
      { code: 'TypedParse', line: 4, bytes: '7' }
    ])
    expect(await json('stats', path)).toMatchObject({ events: 2 })
  })

  test('bytes that are not UTF-8 are an issue of their line only', async () => {
    const spoilt = Buffer.from(jsonl(init, say('é'), say('on')))
    spoilt[spoilt.indexOf(0xc3)] = 0xff
    const [issue, ...more] = await issuesOf(file('latin.jsonl', spoilt))
    expect([issue?.code, issue?.line, more]).toEqual(['InvalidUtf8', 2, []])
  })

  test('a cut last line is an issue, the lines before it are events', async () => {
    const cut = Buffer.from(jsonl(init, say('whole'), say('☕☕☕'))).subarray(0, -95)
    const path = file('cut.jsonl', cut)
    expect(await issuesOf(path)).toMatchObject([{ code: 'JsonParse', line: 3 }])
    expect((await playhead('check', path)).out).toContain('the log ends inside this line')
    expect((await playhead('export', path)).out).toContain('"text":"whole"')
  })

  test('a damaged line gives up its whole records, and has one issue', async () => {
    const [one, two, three] = [say('one'), say('two'), say('three')].map((record) => JSON.stringify(record))
    const zeros = '\0'.repeat(700)
    const lines = `${JSON.stringify(init)}\n${one}${two}\n${zeros}${three}\n${one?.slice(0, 60)}${two}\n`
    const path = file('damaged.jsonl', lines)
    expect(await issuesOf(path)).toEqual([
      { code: 'JsonParse', line: 2, bytes: two },
      { code: 'JsonParse', line: 3, bytes: zeros },
      { code: 'JsonParse', line: 4, bytes: one?.slice(0, 60) }
    ])
    expect(await json('check', path)).toMatchObject({ lines: 4, records: 5 })
    const exported = (await playhead('export', path)).out.trimEnd().split('\n')
    const events = exported.map((each) => JSON.parse(each) as { type: string; text?: string; eventId: string })
    const said = events.flatMap(({ type, text }) => (type === 'text' ? [text] : []))
    expect(said).toEqual(['one', 'two', zeros, 'three', one?.slice(0, 60), 'two'])
    expect(new Set(events.map(({ eventId }) => eventId)).size).toBe(events.length)
    const raw = (await playhead('export', path, '--raw')).out.trimEnd().split('\n')
    expect(raw.flatMap((each) => JSON.parse(each).raw as string)).toEqual(expect.arrayContaining([one, two, three]))
  })

  test('a log that begins with damage, or has lost its line ends, is recognized', async () => {
    const zeros = file('zeros-first.jsonl', `${'\0'.repeat(300)}${good}`)
    const joined = file('joined.jsonl', good.replaceAll('\n', ''))
    for (const path of [zeros, joined]) {
      expect(await json('check', path)).toMatchObject({
        format: 'claude-stream-json',
        records: 6,
        issues: { length: 1 }
      })
      expect(await json('stats', path)).toMatchObject({ todoSnapshots: 3 })
    }
  })

  test('a last line that is whole and wrong is not said to be cut', async () => {
    const { out } = await playhead('check', file('wrong-end.jsonl', jsonl(init) + 'oops'))
    expect(out).toContain('JsonParse')
    expect(out).not.toContain('the log ends')
  })

  test('CRLF throughout and a byte order mark change offsets, and nothing else', async () => {
    const path = file('crlf.jsonl', `\ufeff${(jsonl(init) + 'oops\n' + good).replaceAll('\n', '\r\n')}`)
    expect(await issuesOf(path)).toEqual([{ code: 'JsonParse', line: 2, bytes: 'oops' }])
    expect(await json('stats', path)).toMatchObject({ format: 'claude-stream-json', lines: 8, todoSnapshots: 3 })
  })

  test('100 MB on one line: the line is read, and so is the rest', async () => {
    const path = join(folder, 'huge.jsonl')
    writeFileSync(path, jsonl(init))
    const [before, after] = JSON.stringify(say('HERE')).split('HERE')
    writeFileSync(path, before ?? '', { flag: 'a' })
    for (let i = 0; i < 100; i++) writeFileSync(path, 'x'.repeat(1 << 20), { flag: 'a' })
    writeFileSync(path, `${after}\noops\n${jsonl(say('on'))}`, { flag: 'a' })
    expect(await issuesOf(path)).toMatchObject([{ code: 'JsonParse', line: 3, bytes: 'oops' }])
    expect(await json('stats', path)).toMatchObject({ lines: 4, byType: { error: 1 } })
    rmSync(path)
  })

  test('text that would steer a terminal is not printed as it is', async () => {
    const path = file('escape.jsonl', jsonl(init, todoWrite('t', [['\u001b]0;owned\u0007\u202eabc', 'pending']])))
    const { out } = await playhead('todos', path, '--at', '1')
    expect(out).toContain('  [ ] abc\n')
    expect(out.replaceAll('\n', '')).not.toMatch(/\p{C}/u)
  })
})

import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { environment, file, good, init, json, jsonl, playhead, repository, say, sink } from '../../test/command-line.ts'
import { run } from './run.ts'

describe('the command line itself', () => {
  test('--version and --help', async () => {
    expect(await playhead('--version')).toEqual({ code: 0, out: '1.2.3\n', err: '' })
    const { code, out, err } = await playhead('--help')
    expect([code, err]).toEqual([0, ''])
    for (const word of ['open', 'serve', 'url', 'check', 'export', 'todos', 'stats', 'claude-stream-json'])
      expect(out).toContain(word)
    expect((await playhead('check', '--help')).out).toMatch(/^usage: playhead check FILE/)
    expect((await playhead('run', '--help')).out).toMatch(/claude: default, .*bypassPermissions!/)
  })

  test('no sentence of the help has more than 25 words', async () => {
    const commands = [
      'open',
      'serve',
      'url',
      'run',
      'runs',
      'check',
      'export',
      'sessions',
      'search',
      'query',
      'todos',
      'stats',
      'hook'
    ]
    const texts = await Promise.all(
      [[], ...commands.map((command) => [command])].map((argv) => playhead(...argv, '--help'))
    )
    const lines = texts.flatMap(({ out }) => out.split('\n').filter((line) => !/^usage: |^ {2}playhead /.test(line)))
    // A line that is indented further goes on with the sentence above.
    const sentences = lines
      .join('\n')
      .replaceAll(/\n {15,}/g, ' ')
      .split(/[.:] |\n/)
    expect(sentences.length).toBeGreaterThan(100)
    expect(sentences.filter((sentence) => sentence.trim().split(/\s+/).length > 25)).toEqual([])
  })

  test.each([
    [['chek', 'x'], /neither a command .* nor a file/],
    [['check'], /no FILE given/],
    [['check', 'a', 'b'], /unexpected argument "b"/],
    [['check', 'a', '--jsn'], /--jsn/],
    [['stats', 'a', '--format', 'cobol'], /exist/],
    [['run'], /no agent given/],
    [['--nonsense'], /--nonsense/]
  ])('%j is refused with exit code 2', async (argv, reason) => {
    const { code, out, err } = await playhead(...argv)
    expect([code, out]).toEqual([2, ''])
    expect(err).toMatch(reason)
  })

  test('--format overrides what the log looks like', async () => {
    const path = file('forced.jsonl', good)
    expect(await json('stats', path, '--format', 'normalized')).toMatchObject({ format: 'normalized', events: 0 })
    expect(await playhead('check', path, '--format', 'cobol')).toMatchObject({
      code: 2,
      err: expect.stringMatching(/Unknown log format "cobol".*claude-transcript/)
    })
  })

  test('a reader that goes away is no failure', async () => {
    const path = file('long.jsonl', jsonl(init, ...Array.from({ length: 20_000 }, (_, i) => say(`line ${i}`))))
    const gone = new Writable({
      write(_chunk, _encoding, done) {
        done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }))
      }
    })
    const err = sink()
    expect(await run(['export', path], environment({ stdout: gone, stderr: err.stream }))).toBe(0)
    expect(err.text()).toBe('')
  })
})

describe('a slow reader', () => {
  test('is waited for: one piece at a time is on its way, and all of them come', async () => {
    const path = file('slow.jsonl', jsonl(init, ...Array.from({ length: 15_000 }, (_, i) => say(`${i}`.repeat(100)))))
    const chunks: Buffer[] = []
    let waiting = 0
    const slow: Writable = new Writable({
      highWaterMark: 1,
      write(chunk: Buffer, _encoding, done) {
        chunks.push(chunk)
        // Long enough to read on meanwhile, if anybody did.
        setTimeout(() => {
          waiting = Math.max(waiting, slow.writableLength - chunk.length)
          done()
        }, 5)
      }
    })
    expect(await run(['export', path], environment({ stdout: slow }))).toBe(0)
    expect(waiting).toBe(0)
    expect(chunks.length).toBeGreaterThan(10)
    expect(Buffer.concat(chunks).toString()).toBe((await playhead('export', path)).out)
  })
})

const built = join(repository, 'out', 'main', 'cli.js')
describe.skipIf(!existsSync(built))('the built program (skipped where there is no build)', () => {
  test('is the same: data on stdout, and a pipe that closes early is quiet', () => {
    const path = file('built.jsonl', good.repeat(5000))
    const checked = spawnSync(process.execPath, [built, 'check', path, '--json'], { encoding: 'utf8' })
    expect(checked.status).toBe(0)
    expect(JSON.parse(checked.stdout)).toMatchObject({ file: path, lines: 30_000 })
    const piped = spawnSync('sh', ['-c', '"$1" "$2" export "$3" | head -n 1', 'sh', process.execPath, built, path], {
      encoding: 'utf8'
    })
    expect([piped.status, piped.stderr, piped.stdout.split('\n').length]).toEqual([0, '', 2])
  })
})

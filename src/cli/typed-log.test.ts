import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { environment, file, folder, good, sink } from '../../test/command-line.ts'
import { card, fakeLibrary } from '../../test/fake-library.ts'
import type { Environment } from './environment.ts'
import { run } from './run.ts'

mkdirSync(join(folder, 'home'))
mkdirSync(join(folder, 'project'))
const log = file('home/a run.jsonl', good)
const other = file('home/b.jsonl', good)
const session = '0b1c2d3e-4f50-6172-8394-a5b6c7d8e9f0'
const project = join(folder, 'project')
const cards = [
  card({ path: log, sessionId: session, title: 'Count\n\x1b[2Jthe sheep', endedAt: 2000, project }),
  card({ path: other, sessionId: '0b1cffff', endedAt: 1000, project: join(project, 'below') })
]

async function playhead(argv: readonly string[], over: Partial<Environment> = {}) {
  const out = sink()
  const err = sink()
  const { createLibrary, asked } = fakeLibrary({ cards })
  const code = await run(argv, environment({ stdout: out.stream, stderr: err.stream, createLibrary, ...over }))
  return { code, out: out.text(), err: err.text(), asked }
}

describe('FILE', () => {
  test.each([
    ['~', '~/a run.jsonl'],
    ['a file:// address', pathToFileURL(log).href],
    ['a pattern', join(folder, 'home', 'a*.jsonl')],
    ['a pattern of the home folder', '~/[a]*']
  ])('may be %s, and no session is looked for', async (_what, typed) => {
    for (const command of ['stats', 'check', 'todos', 'export']) {
      const { code, out, err, asked } = await playhead([command, typed, ...(command === 'export' ? [] : ['--json'])])
      expect([command, code, asked.options.length]).toEqual([command, 0, 0])
      expect(err).toBe('')
      expect(out).not.toBe('')
    }
    expect(JSON.parse((await playhead(['stats', typed, '--json'])).out)).toMatchObject({ file: log })
  })

  test('may be a session id or its beginning', async () => {
    for (const typed of [session, '0b1c2d3e']) {
      const { code, out, asked } = await playhead(['stats', typed, '--json', '--root', folder])
      expect([code, asked.options[0]?.roots, asked.closed]).toEqual([0, [folder], 1])
      expect(JSON.parse(out)).toMatchObject({ file: log, events: 6 })
    }
  })

  test('may be the folder of a project', async () => {
    // It need not be there any more.
    expect(JSON.parse((await playhead(['stats', join(project, 'below'), '--json'])).out)).toMatchObject({ file: other })
    mkdirSync(join(project, 'below'))
    expect(JSON.parse((await playhead(['stats', join(project, 'below'), '--json'])).out)).toMatchObject({ file: other })
  })

  test('may be a folder that holds a log with those of its subagents', async () => {
    const given = join(import.meta.dirname, '../../test/fixtures/session-with-subagents')
    const { code, out } = await playhead(['stats', given, '--json'])
    expect([code, JSON.parse(out)]).toMatchObject([0, { events: 19, files: [{}, {}] }])
    expect((await playhead(['stats', join(given, 'd7cbf5a2-16f4-4f8d-b8eb-4094d68ce00d'), '--json'])).err).toContain(
      'matches 2 logs'
    )
  })

  test('that may be several logs is refused with their list, the latest first', async () => {
    for (const command of ['stats', 'check', 'todos', 'export']) {
      const { code, out, err } = await playhead([command, '0b1c'])
      expect([command, code, out]).toEqual([command, 2, ''])
      expect(err).toContain('"0b1c" matches 2 logs; give the path of one: ')
      expect(err.indexOf(log)).toBeLessThan(err.indexOf(other))
      expect(err).toContain('(Count the sheep, ')
      expect(err).not.toContain('\x1b')
    }
    for (let i = 0; i < 12; i++) file(`home/many-${i}.log`, good)
    expect((await playhead(['stats', '~/many-*'])).err).toContain('and 2 more')
  })

  test('keeps the name that was typed where that is a file', async () => {
    expect(JSON.parse((await playhead(['stats', log, '--json'])).out)).toMatchObject({ file: log })
  })

  test('that is nothing is refused with what to do', async () => {
    expect((await playhead(['stats', 'ffffffff'])).err).toMatch(
      /does not exist, and no session id begins with "ffffffff"/
    )
    expect((await playhead(['stats', join(folder, 'home', 'nope*')])).err).toMatch(/no file matches/)
    expect((await playhead(['open', 'file://server/x'])).err).toMatch(/another machine/)
    expect(await playhead(['stats', 'x', '--root', log])).toMatchObject({
      code: 2,
      err: expect.stringMatching(/not a folder/) as string
    })
  })
})

describe('open', () => {
  const opened = /^Playhead runs in the browser, .*http/

  test('opens the latest of several logs, and says so', async () => {
    const { code, out, err } = await playhead(['open', '0b1c', '--no-open'])
    expect([code, out]).toEqual([0, expect.stringMatching(opened)])
    expect(err).toMatch(/"0b1c" matches 2 logs; opening the latest: .*a run\.jsonl/)
    expect(await playhead(['serve', '0b1c2d3e', '--no-open'])).toMatchObject({ code: 0, err: '' })
    expect(await playhead(['~/b.jsonl', '--no-open'])).toMatchObject({ code: 0, err: '' })
    expect(await playhead([pathToFileURL(other).href, '--no-open'])).toMatchObject({ code: 0, err: '' })
  })

  test('--last opens the session that was written to last, of a project if it is named', async () => {
    expect(await playhead(['open', '--last', '--no-open'])).toMatchObject({
      code: 0,
      out: expect.stringMatching(opened) as string
    })
    const { code, asked } = await playhead(['open', '--last', '--project', project, '--root', folder, '--no-open'])
    expect(code).toBe(0)
    expect(asked).toMatchObject({ filters: [`project:${project}`], options: [{ roots: [folder] }], closed: 1 })
    expect(await playhead(['open', '--last', '--project', '/none', '--no-open'])).toMatchObject({
      ...{
        code: 2,
        out: '',
        err: expect.stringContaining('no session worked in /none; "playhead sessions" lists all') as string
      }
    })
  })

  test.each([
    [['open', '--last', log], /unexpected argument/],
    [['open', '--project', '/p'], /--project needs --last/]
  ])('%j is wrong use', async (argv, message) => {
    expect(await playhead(argv)).toMatchObject({ code: 2, out: '', err: expect.stringMatching(message) as string })
  })
})

import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../core/json.ts'
import { file, folder as testFolder, playhead } from '../../test/command-line.ts'
import { claudeTranscript } from '../core/formats/claude/transcript.ts'
import { claudeBash, claudeCall, claudeRead, filesOf } from '../../test/files-of.ts'
import { git, inFolder } from '../../test/conformance/file-oracles.ts'

const log = (name: string, ...records: readonly JsonObject[]): string =>
  file(name, records.map((record) => `${JSON.stringify(record)}\n`).join(''))

const write = (path: string, content: string): JsonObject[] =>
  claudeCall('Write', { file_path: path, content }, { type: 'create', filePath: path, content, structuredPatch: [] })
const edit = (filePath: string, oldString: string, newString: string): JsonObject[] =>
  claudeCall(
    'Edit',
    { file_path: filePath, old_string: oldString, new_string: newString },
    { filePath, oldString, newString }
  )

const session = (): string =>
  log(
    'files.jsonl',
    ...claudeRead('/w/src/a.ts', 'one\ntwo\nthree\n'),
    ...edit('/w/src/a.ts', 'two', '2'),
    ...write('/w/new file.md', '# New\n'),
    ...claudeRead('/w/part.ts', 'x', 7, 20),
    ...claudeBash('make'),
    ...claudeBash('rm "new file.md"')
  )

const json = (out: string): unknown[] =>
  out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown)

describe('files', () => {
  test('are listed with what is known of them', async () => {
    const { code, out } = await playhead('files', session())
    expect(out.split('\n')).toEqual([
      'full     /w/src/a.ts  1 read, 1 edit  stale since event 9: tests, a build or a linter ran',
      'deleted  /w/new file.md  2 edits, created',
      'part     /w/part.ts  1 read  stale since event 9: tests, a build or a linter ran',
      ''
    ])
    expect(code).toBe(0)
  })

  test('as JSON lines, at an event', async () => {
    const { out } = await playhead('files', session(), '--json', '--at', '5')
    expect(json(out)).toEqual([
      {
        path: '/w/src/a.ts',
        knowledge: 'full',
        created: false,
        deleted: false,
        edits: 1,
        reads: 1,
        lastSeq: 3,
        stale: null
      },
      {
        path: '/w/new file.md',
        knowledge: 'full',
        created: true,
        deleted: false,
        edits: 1,
        reads: 0,
        lastSeq: 5,
        stale: null
      }
    ])
    const end = await playhead('files', session(), '--json')
    expect(json(end.out)[0]).toMatchObject({ stale: { seq: 9, cause: 'check' } })
  })

  test('the content of one, as it was', async () => {
    expect(await playhead('files', session(), '--path', 'src/a.ts', '--at', '2')).toMatchObject({
      code: 0,
      out: 'one\ntwo\nthree\n'
    })
    const { code, out, err } = await playhead('files', session(), '--path', '/w/src/a.ts')
    expect([code, out]).toEqual([0, 'one\n2\nthree\n'])
    expect(err).toContain('stale since event 9')
    const part = await playhead('files', session(), '--path', 'part.ts')
    expect([part.code, part.out]).toEqual([1, 'x'])
    expect(part.err).toContain('lines that are not known: 1 to 6, 8 to 20')
    expect((await playhead('files', session(), '--path', 'none.ts')).code).toBe(1)
  })

  test('the event that wrote each line', async () => {
    const { out } = await playhead('files', session(), '--path', 'src/a.ts', '--blame')
    expect(out.split('\n').map((line) => line.trimEnd())).toEqual([
      '    1  before the session  stale    one',
      '    2  event 3             stale    2',
      '    3  before the session  stale    three',
      '    4  before the session  stale',
      ''
    ])
    const lines = await playhead('files', session(), '--path', 'part.ts', '--blame', '--json', '--at', '7')
    expect(json(lines.out)).toEqual([
      { line: 1, to: 6, known: false },
      { line: 7, author: 'before the session', confidence: 'seen', text: 'x' },
      { line: 8, to: 20, known: false }
    ])
  })

  test('known ones are written into a new folder', async () => {
    await inTest(async (folder) => {
      const target = join(folder, 'out')
      const { code, err } = await playhead('files', session(), '--at', '7', '-o', target)
      expect([code, err]).toEqual([0, expect.stringContaining('2 files written, 1 not')])
      expect(readFileSync(join(target, 'src/a.ts'), 'utf8')).toBe('one\n2\nthree\n')
      expect(lstatSync(join(target, 'src/a.ts')).mode & 0o777 & ~0o644).toBe(0)
      expect(JSON.parse(readFileSync(join(target, 'MANIFEST.json'), 'utf8'))).toMatchObject([
        {
          path: '/w/src/a.ts',
          file: 'src/a.ts',
          authors: { session: 1, before: 3 },
          sha256: expect.stringMatching(/^[0-9a-f]{64}$/)
        },
        { path: '/w/new file.md', file: 'new file.md' },
        { path: '/w/part.ts', file: null, reason: 'not fully known' }
      ])
      const again = await playhead('files', session(), '-o', target)
      expect([again.code, again.err]).toEqual([2, expect.stringContaining('not an empty folder')])
    })
  })

  test('secrets are counted, and replaced if asked', async () => {
    const secret = log('secret.jsonl', ...write('/w/.env', 'GITHUB_TOKEN=ghp_0123456789abcdefghijABCDEFGHIJ012345\n'))
    await inTest(async (folder) => {
      const kept = await playhead('files', secret, '-o', join(folder, 'a'))
      expect(kept.err).toContain('1 secret found')
      const redacted = await playhead('files', secret, '-o', join(folder, 'b'), '--redact')
      expect(redacted.err).toContain('1 secret redacted')
      expect(readFileSync(join(folder, 'b/.env'), 'utf8')).not.toContain('ghp_')
    })
  })

  test('wrong use', async () => {
    for (const args of [['--at', 'x'], ['--at', '999'], ['--blame'], ['--partial'], ['--path', 'a', '-o', 'b']])
      expect((await playhead('files', session(), ...args)).code).toBe(2)
  })
})

async function inTest(use: (folder: string) => Promise<void>): Promise<void> {
  await use(mkdtempSync(join(testFolder, 'files-')))
}

/** Everything below a folder, links included. */
function everything(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
}

describe('hostile paths', () => {
  const bad = [
    '..',
    '.',
    '...',
    '',
    ' ',
    '.git',
    'CON',
    'nul.txt',
    'a\u0000b',
    'C:',
    'c:evil',
    '~',
    'x'.repeat(4000),
    '\u202etxt',
    'a\nb',
    'trailing.',
    '%2e%2e',
    '\\..\\x',
    'MANIFEST.json',
    '_outside',
    '-rf',
    'é',
    '\ud800'
  ]
  const roots = ['/w/', '/', '', '/w/../', '//host/', 'C:\\', '../', '/w/../../etc/', '~/', '/etc/']

  test('200 of them write nothing outside the folder', async () => {
    const paths: string[] = []
    for (const root of roots)
      for (const [i, one] of bad.entries()) {
        paths.push(`${root}${one}`)
        if (paths.length % 2 === 0) paths.push(`${root}${one}/${bad[(i + 3) % bad.length] ?? ''}/f`)
      }
    expect(paths.length).toBeGreaterThan(200)
    const records = paths.filter((path) => path !== '').flatMap((path) => write(path, 'x\n'))
    await inTest(async (folder) => {
      writeFileSync(join(folder, 'sentinel'), 'kept')
      const target = join(folder, 'out')
      const { code, err } = await playhead('files', log('hostile.jsonl', ...records), '-o', target)
      expect([code, err]).toEqual([0, expect.stringContaining('files written')])
      expect(readdirSync(folder).sort()).toEqual(['out', 'sentinel'])
      expect(readFileSync(join(folder, 'sentinel'), 'utf8')).toBe('kept')
      const made = everything(target)
      expect(made.length).toBeGreaterThan(50)
      for (const name of made) {
        expect(lstatSync(join(target, name)).isSymbolicLink()).toBe(false)
        expect(name.split('/').every((segment) => !/^\.+$|^\.git$|[. ]$|^(?:con|nul)(?:\.|$)/i.test(segment))).toBe(
          true
        )
      }
      const own = JSON.parse(readFileSync(join(target, 'MANIFEST.json'), 'utf8')) as unknown[]
      expect(Array.isArray(own)).toBe(true)
    })
  })

  test('a link is not a folder to write into', async () => {
    await inTest(async (folder) => {
      mkdirSync(join(folder, 'real'))
      symlinkSync(join(folder, 'real'), join(folder, 'link'))
      expect((await playhead('files', session(), '-o', join(folder, 'link'))).code).toBe(2)
      expect(readdirSync(join(folder, 'real'))).toEqual([])
    })
  })
})

describe('patch', () => {
  test('git applies it to the start, which gives the end', async () => {
    const { code, out, err } = await playhead('patch', session(), '--to', '7')
    expect([code, err]).toEqual([0, ''])
    inFolder((folder) => {
      git(folder, ['init', '-q'])
      mkdirSync(join(folder, 'src'))
      writeFileSync(join(folder, 'src/a.ts'), 'one\ntwo\nthree\n')
      git(folder, ['apply', '-'], out)
      expect(readFileSync(join(folder, 'src/a.ts'), 'utf8')).toBe('one\n2\nthree\n')
      expect(readFileSync(join(folder, 'new file.md'), 'utf8')).toBe('# New\n')
    })
  })

  test('from any event to any later one', async () => {
    const records = [
      ...claudeRead('/w/a', 'one\ntwo\nthree\n'),
      ...write('/w/d.md', 'old\n'),
      ...claudeBash('rm d.md'),
      ...edit('/w/a', 'two', '2'),
      ...write('/w/b c.md', 'new\n'),
      ...edit('/w/a', '2\n', ''),
      ...edit('/w/b c.md', 'new', 'newer\nnewest'),
      ...claudeBash('rm a'),
      ...claudeBash('git mv "b c.md" d.md'),
      ...edit('/w/d.md', 'newer', '')
    ]
    const { contents, index } = await filesOf(claudeTranscript, records)
    const events = index.rows.events
    const at = await Promise.all(
      Array.from(
        { length: events },
        async (_, seq) => (await filesOf(claudeTranscript, records, seq)).contents.contents
      )
    )
    const path = join(testFolder, 'any.jsonl')
    writeFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(''))
    const asked: [from: number, to: number][] = []
    for (let from = 2; from < events; from += 2) for (let to = from + 1; to < events; to += 3) asked.push([from, to])
    const patches: string[] = []
    for (const [from, to] of asked)
      patches.push(
        (await playhead('patch', path, '--format', 'claude-transcript', '--from', `${from}`, '--to', `${to}`)).out
      )
    const name = (file: number): string => (contents.files.paths[file] ?? '').slice('/w/'.length)
    inFolder((folder) => {
      git(folder, ['init', '-q'])
      for (const [i, [from, to]] of asked.entries()) {
        mkdirSync(join(folder, `${i}`))
        for (const [file, content] of (at[from] ?? []).entries())
          if (content !== undefined && !content.deleted && content.text !== null)
            writeFileSync(join(folder, `${i}`, name(file)), content.text)
        git(folder, ['apply', '--allow-empty', '--whitespace=nowarn', `--directory=${i}`, '-'], patches[i])
        for (const [file, content] of (at[to] ?? []).entries()) {
          if (content === undefined) continue
          const read = () => readFileSync(join(folder, `${i}`, name(file)), 'utf8')
          if (content.deleted) expect(read).toThrow()
          else expect({ from, to, file, text: read() }).toEqual({ from, to, file, text: content.text })
        }
      }
    })
  })

  test('of a part, and into a file', async () => {
    const { out } = await playhead('patch', session(), '--from', '3', '--to', '7')
    expect(out).not.toContain('src/a.ts')
    const target = file('out.patch', 'old')
    expect((await playhead('patch', session(), '-o', target)).code).toBe(0)
    expect(readFileSync(target, 'utf8')).toContain('+2\n')
    expect((await playhead('patch', session(), '--from', '9', '--to', '3')).code).toBe(2)
  })

  test('names what it leaves out', async () => {
    const half = log(
      'half.jsonl',
      ...claudeRead('/w/a.ts', 'x', 5, 9),
      ...edit('/w/a.ts', 'x', 'y'),
      ...write('/etc/b', 'b')
    )
    const { code, err } = await playhead('patch', half)
    expect(code).toBe(1)
    expect(err).toContain('/w/a.ts: what it held before is not known')
    expect(err).toContain("/etc/b: it is not in the session's folder")
  })

  test('any two texts under any name', async () => {
    const { filePatch } = await import('../core/files/file-patch.ts')
    const text = fc
      .array(fc.constantFrom('a', 'b', '', 'c\r', '+x', '-- y', '\\ z', 'é'), { maxLength: 14 })
      .map((lines) => lines.join('\n'))
    const name = fc.constantFrom('a b', 'é', 'q"q', 'back\\slash', 'tab\there', '-x', 'a', ' b', 'new\nline')
    const cases = fc.sample(fc.tuple(text, fc.option(text, { freq: 6 }), name, fc.boolean()), { numRuns: 120, seed: 7 })
    inFolder((folder) => {
      git(folder, ['init', '-q'])
      const parts: string[] = []
      for (const [i, [before, after, path, isNew]] of cases.entries()) {
        if (isNew && after === null) continue
        mkdirSync(join(folder, `${i}`))
        if (!isNew) writeFileSync(join(folder, `${i}`, path), before)
        parts.push(filePatch(`${i}/${path}`, isNew ? null : before, after))
      }
      git(folder, ['apply', '--whitespace=nowarn', '-'], parts.join(''))
      for (const [i, [, after, path, isNew]] of cases.entries()) {
        if (after !== null) expect(readFileSync(join(folder, `${i}`, path), 'utf8')).toBe(after)
        else if (!isNew) expect(() => lstatSync(join(folder, `${i}`, path))).toThrow()
      }
    })
  })
})

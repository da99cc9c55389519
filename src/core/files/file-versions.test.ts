import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Redactor } from '../export/redact.ts'
import { claudeTranscript } from '../formats/claude/transcript.ts'
import type { JsonObject } from '../json.ts'
import { claudeBash, claudeCall, claudeRead, type FilesOf, filesOf } from '../../../test/files-of.ts'
import { FileContent } from './file-content.ts'
import { FileVersions } from './file-versions.ts'
import { LineHistory } from './line-history.ts'

const edit = (filePath: string, oldString: string, newString: string): JsonObject[] =>
  claudeCall(
    'Edit',
    { file_path: filePath, old_string: oldString, new_string: newString },
    { filePath, oldString, newString }
  )

const records = [
  ...claudeRead('/w/a.ts', 'one\ntwo\nthree\n'),
  ...claudeRead('/w/b.ts', 'x\ny', 4, 9),
  ...Array.from({ length: 70 }, (_, i) => edit('/w/a.ts', i === 0 ? 'two' : `v${i - 1}`, `v${i}`)).flat(),
  ...claudeBash('git mv a.ts c.ts'),
  ...edit('/w/c.ts', 'v69', 'end'),
  ...claudeBash('rm b.ts'),
  ...claudeBash('git mv c.ts a.ts'),
  ...claudeCall(
    'Write',
    { file_path: '/w/b.ts', content: 'new' },
    { type: 'create', filePath: '/w/b.ts', content: 'new' }
  )
]

const plain = ({ lines, total, deleted, unplaced }: FileContent): object => ({
  lines: [...lines],
  total,
  deleted,
  unplaced
})

function versionsOf({ contents, index, reader }: FilesOf): FileVersions {
  return new FileVersions(contents.files, index, async (row) => await reader.readRecord(index, row))
}

/** The content by applying all effects up to an event. */
async function replayed(seq: number, file: number): Promise<object> {
  const { contents } = await filesOf(claudeTranscript, records, seq)
  return plain(
    contents.contents[file] ?? ({ lines: [], total: null, deleted: false, unplaced: null } as unknown as FileContent)
  )
}

test('a version is what all effects up to it give, in any order of questions', async () => {
  const log = await filesOf(claudeTranscript, records)
  const events = log.index.rows.events
  const expected = new Map<string, Promise<object>>()
  const expectedOf = async (seq: number, file: number): Promise<object> => {
    const key = `${seq} ${file}`
    if (!expected.has(key)) expected.set(key, replayed(seq, file))
    return (await expected.get(key)) ?? {}
  }
  const questions = fc.array(fc.tuple(fc.nat(events - 1), fc.nat(2)), { minLength: 1, maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(questions, async (asked) => {
      const versions = versionsOf(log)
      for (const [seq, file] of asked) {
        const { content } = await versions.at(file, seq)
        expect({ seq, file, ...plain(content as FileContent) }).toEqual({ seq, file, ...(await expectedOf(seq, file)) })
      }
    }),
    { numRuns: 12 }
  )
})

test('an answer whose time is over is continued by the next one', async () => {
  const log = await filesOf(claudeTranscript, records)
  const versions = versionsOf(log)
  let asked = 0
  for (let done = -1; ; asked++) {
    let steps = 0
    const version = await versions.at(0, Infinity, () => steps++ >= 5)
    expect(version.done).toBeGreaterThan(done)
    done = version.done
    if (version.content === null) continue
    expect(version.content.text).toBe('one\nend\nthree\n')
    break
  }
  expect(asked).toBeGreaterThan(10)
})

test('before its first change a created file is not there', async () => {
  const log = await filesOf(claudeTranscript, records.slice(-2))
  expect((await versionsOf(log).beforeChange(0, -1)).content).toMatchObject({ deleted: true })
  const all = await filesOf(claudeTranscript, records)
  expect((await versionsOf(all).beforeChange(0, -1)).content?.text).toBe('one\ntwo\nthree\n')
  expect((await versionsOf(all).beforeChange(0, 10)).content?.text).toContain('v2\n')
})

test('states of earlier events do not depend on what follows', async () => {
  const whole = await filesOf(claudeTranscript, records)
  for (const cut of [3, 20, 140, records.length - 3]) {
    const start = await filesOf(claudeTranscript, records.slice(0, cut))
    const seq = start.index.rows.events - 1
    for (const file of start.contents.files.paths.keys()) {
      const { content } = await versionsOf(whole).at(file, seq)
      expect(plain(content as FileContent)).toEqual(plain(start.contents.contents[file] as FileContent))
    }
  }
})

test('the events about some lines follow them through edits', async () => {
  const log = await filesOf(claudeTranscript, records)
  const { rows } = log.index
  const versions = versionsOf(log)
  const about = async (file: number, seq: number, from: number, to: number) => {
    const { lines, of } = await versions.historyOf(file, seq)
    return (lines?.eventsOf({ from, to }, of) ?? []).map(({ row, did }) => [rows.seqOf(row), did] as const)
  }
  // The second line was shown once, and replaced by 70 edits.
  const second = await about(0, 144, 1, 2)
  expect(second[0]).toEqual([2, 'showed'])
  expect(second.slice(1)).toEqual(Array.from({ length: 70 }, (_, i) => [6 + 2 * i, 'wrote']))
  expect(await about(0, 10, 1, 2)).toEqual(second.slice(0, 4))
  expect(await about(0, 144, 0, 1)).toEqual([[2, 'showed']])
  expect(await about(0, 144, 0, 3)).toEqual(second)
  // Two lines in the middle of a file whose other lines are not known.
  expect(await about(1, 144, 3, 5)).toEqual([[4, 'showed']])
  expect(await about(1, 144, 0, 1)).toEqual([])
})

test('the events about a line hold the one that wrote it', async () => {
  const insert = (lines: readonly string[], at: number, text: string) => [
    ...lines.slice(0, at),
    text,
    ...lines.slice(at)
  ]
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ at: fc.nat(30), what: fc.constantFrom('insert', 'replace', 'remove') }), { maxLength: 12 }),
      async (changes) => {
        let lines = ['a', 'b', 'c', 'd', 'e', 'f']
        const written = changes.map(({ at, what }, number) => {
          const before = lines.join('\n')
          const place = at % (lines.length + 1)
          const rest = [...lines.slice(0, place), ...lines.slice(place + 1)]
          lines = what === 'insert' ? insert(lines, place, `new ${number}`) : rest
          if (what === 'replace') lines = insert(lines, Math.min(place, lines.length), `new ${number}`)
          const content = lines.join('\n')
          return claudeCall(
            'Write',
            { file_path: '/w/a', content },
            { type: 'update', filePath: '/w/a', content, originalFile: before }
          )
        })
        const log = await filesOf(claudeTranscript, [...claudeRead('/w/a', 'a\nb\nc\nd\ne\nf'), ...written.flat()])
        const versions = versionsOf(log)
        const { content } = await versions.at(0, Infinity)
        const { lines: history, of } = await versions.historyOf(0, Infinity)
        for (const [at, line] of (content?.lines ?? []).entries()) {
          const events = history?.eventsOf({ from: at, to: at + 1 }, of) ?? []
          expect(events.map(({ row }) => row)).toEqual(events.map(({ row }) => row).sort((a, b) => a - b))
          if (line === null || line.author < 0) continue
          expect(events).toContainEqual({ row: log.index.rows.rowOf(line.author), did: 'wrote' })
        }
      }
    ),
    { numRuns: 60 }
  )
})

test('calls that overlap change files in the order of their results', async () => {
  const folder = '/w'
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ file: fc.nat(1), text: fc.constantFrom('x', 'y', 'z'), delay: fc.nat(9) }), {
        maxLength: 8
      }),
      async (calls) => {
        const pairs = calls.map(({ file, text, delay }, at) => {
          const command = `cat >> ${file}.ts <<'EOF'\n${text}${at}\nEOF`
          return { file, line: `${text}${at}`, ends: at + delay, at, records: claudeBash(command) }
        })
        // Each call at its turn, its result after others.
        const timed = pairs.flatMap(({ at, ends, records: [call, result] }) => [
          { order: 3 * at, record: call ?? {} },
          { order: 3 * ends + 1, record: result ?? {} }
        ])
        timed.sort((a, b) => a.order - b.order)
        const written = [0, 1].flatMap((file) =>
          claudeCall(
            'Write',
            { file_path: `${folder}/${file}.ts`, content: '' },
            { type: 'create', filePath: `${folder}/${file}.ts`, content: '' }
          )
        )
        const log = await filesOf(claudeTranscript, [...written, ...timed.map(({ record }) => record)])
        const inOrder = [...pairs].sort((a, b) => a.ends - b.ends || a.at - b.at)
        for (const file of [0, 1]) {
          const lines = inOrder.filter((pair) => pair.file === file).map(({ line }) => `${line}\n`)
          expect((await versionsOf(log).at(file, Infinity)).content?.text).toBe(lines.join(''))
        }
      }
    ),
    { numRuns: 40 }
  )
})

test('a redacted log has the same authors', async () => {
  const secret = 'GITHUB_TOKEN=ghp_0123456789abcdefghijABCDEFGHIJ012345'
  const own = [
    ...claudeRead('/w/.env', `one\n${secret}\ntwo\n`),
    ...edit('/w/.env', 'one', `first\n${secret}\nsecond`),
    ...edit('/w/.env', 'two', '2'),
    ...edit('/w/.env', `second\n${secret}`, 'last')
  ]
  const redactor = new Redactor()
  const redacted = own.map((record) => JSON.parse(redactor.line(JSON.stringify(record))) as JsonObject)
  expect(redactor.total).toBeGreaterThan(3)
  const [log, shared] = [await filesOf(claudeTranscript, own), await filesOf(claudeTranscript, redacted)]
  for (let seq = 0; seq < log.index.rows.events; seq++) {
    const [a, b] = [await versionsOf(log).at(0, seq), await versionsOf(shared).at(0, seq)]
    const facts = ({ content }: typeof a) =>
      content?.lines.map((line) => line && [line.author, line.source, line.confirmed])
    expect(facts(b)).toEqual(facts(a))
    expect(b.content?.text ?? '').not.toContain('ghp_')
  }
})

test('after the person went back, files may have been restored', async () => {
  const said = (uuid: string, parentUuid: string | null, text: string): JsonObject => ({
    ...{ type: 'user', uuid, parentUuid, sessionId: 's', cwd: '/w', timestamp: '2026-01-01T00:00:00.000Z' },
    message: { role: 'user', content: text }
  })
  const [call, result] = claudeRead('/w/a.ts', 'one\n')
  const first = [
    said('p1', null, 'Look'),
    { ...call, parentUuid: 'p1' },
    { ...result, parentUuid: call?.['uuid'] ?? null },
    said('p2', result?.['uuid'] as string, 'Go on')
  ]
  const doubts = async (...records: readonly JsonObject[]) => {
    const { contents, index } = await filesOf(claudeTranscript, records)
    return contents.files.doubtsOf(index, 0, Infinity).map(({ effect }) => effect)
  }
  expect(await doubts(...first)).toEqual([])
  expect(await doubts(...first, said('p3', result?.['uuid'] as string, 'No, do this'))).toEqual(['rewind'])
})

test('of a file with very many events, the last ones are told', () => {
  const history = new LineHistory()
  const content = new FileContent()
  const count = 50_000
  for (let at = 0; at < count; at++) {
    content.apply(at, { what: 'written', text: `${at}` })
    history.add({ row: at, what: 'written', ordinal: 0, created: false, at }, at, content)
  }
  expect(history.steps).toBe(count)
  const events = history.eventsOf({ from: 0, to: 1 }, count)
  expect(events.at(-1)).toEqual({ row: count - 1, did: 'wrote' })
  expect(history.dropped + events.length).toBe(count)
  expect(history.eventsOf({ from: 0, to: 1 }, 10)).toEqual([])
})

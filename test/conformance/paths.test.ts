import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isAbsolutePath } from '#core/paths/log-path.ts'
import { fileTerm, projectTerm } from '#core/query/query-choices.ts'
import { printQuery } from '#core/query/print-query.ts'
import { environment, folder as testFolder, playhead, sink } from '../command-line.ts'
import { codexRollout } from '#core/formats/codex/rollout.ts'
import type { JsonObject } from '#core/json.ts'
import { claudeCall, codexCall, codexStart, filesOf } from '../files-of.ts'
import { type PathCase, pathCases } from '../path-cases.ts'
import { run } from '#cli/run.ts'
import { git, inFolder } from './file-oracles.ts'

/** Each path of the table in a log, through all that shows, compares or writes paths. */

interface CasesOfLog {
  readonly folder: string
  readonly cases: readonly PathCase[]
  readonly log: string
}

const before = (number: number): string => `file ${number}\nold\n`
const after = (number: number): string => `file ${number}\nnew\n`

/** Logs in which each file is of one case. Each file is read and changed by the path of its case, and changed again by what is shown of it. */
function logs(): readonly CasesOfLog[] {
  const groups: { folder: string; cases: PathCase[]; keys: Set<string> }[] = []
  for (const one of pathCases) {
    const key = one.onDisk.toLowerCase()
    let group = groups.find(({ folder, keys }) => folder === one.folder && !keys.has(key))
    if (group === undefined) groups.push((group = { folder: one.folder, cases: [], keys: new Set() }))
    group.keys.add(key)
    group.cases.push(one)
  }
  return groups.map(({ folder, cases }, number) => {
    const records = cases.flatMap(({ logged, shown }, i) => {
      const more = { parentUuid: null, isSidechain: false, version: '2.1.0', cwd: folder }
      const text = before(i)
      const file = { filePath: logged, content: text, numLines: 3, startLine: 1, totalLines: 3 }
      const edit = (filePath: string, oldString: string, newString: string) =>
        claudeCall(
          'Edit',
          { file_path: filePath, old_string: oldString, new_string: newString },
          { filePath, oldString, newString },
          'ok',
          more
        )
      return [
        ...claudeCall('Read', { file_path: logged }, { type: 'text', file }, 'ok', more),
        ...edit(logged, 'old', 'newer'),
        ...edit(shown.startsWith('?/') ? logged : shown, 'newer', 'new')
      ]
    })
    const log = join(testFolder, `paths-${number}.jsonl`)
    writeFileSync(log, records.map((record) => `${JSON.stringify(record)}\n`).join(''))
    return { folder, cases, log }
  })
}

const all = logs()
const named = all.map((one) => [one.folder, one.cases.length, one] as const)

test('the table is long, and each of its paths is in a log', () => {
  expect(pathCases.length).toBeGreaterThan(60)
  expect(all.flatMap(({ cases }) => cases)).toHaveLength(pathCases.length)
})

describe.each(named)('a session in %s with %i files', (_folder, _count, { folder, cases, log }) => {
  test('lists each file once, as it is shown', async () => {
    const { code, out } = await playhead('files', log, '--json')
    const files = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { path: string; knowledge: string; edits: number; reads: number })
    expect(code).toBe(0)
    expect(files).toEqual(
      cases.map(
        ({ shown }) => expect.objectContaining({ path: shown, knowledge: 'full', edits: 2, reads: 1 }) as unknown
      )
    )
  })

  test.each(cases)('tells the content and the authors of $logged by its name', async ({ logged, shown, inside }) => {
    const i = cases.findIndex((one) => one.logged === logged)
    // The end of a path outside may be that of another file.
    const name = inside ?? shown
    for (const path of new Set([logged, name])) {
      const { code, out } = await playhead('files', log, '--path', path, '--blame', '--json')
      expect([
        code,
        out.split('\n').map((line) => (line === '' ? '' : (JSON.parse(line) as { text: string }).text))
      ]).toEqual([0, [...after(i).split('\n'), '']])
      expect(out.split('\n').map((line) => /"author":"(\w+)/.exec(line)?.[1])).toEqual([
        'before',
        'event',
        'before',
        undefined
      ])
    }
  })

  test('prints a patch that git applies to a checkout of its folder', async () => {
    const { out, err } = await playhead('patch', log)
    const inside = cases.flatMap(({ inside: name }, i) => (name === null ? [] : [{ name, i }]))
    for (const { shown, inside: name } of cases)
      if (name === null) expect(err).toContain(`${shown}: it is not in the session's folder`)
    expect(out.match(/^diff --git/gm) ?? []).toHaveLength(inside.length)
    inFolder((checkout) => {
      git(checkout, ['init', '-q'])
      for (const { name, i } of inside) {
        mkdirSync(dirname(join(checkout, name)), { recursive: true })
        writeFileSync(join(checkout, name), before(i))
      }
      if (out !== '') git(checkout, ['apply', '-'], out)
      for (const { name, i } of inside) expect(readFileSync(join(checkout, name), 'utf8')).toBe(after(i))
    })
  })

  test('writes each file to its place on disk', async () => {
    const target = join(mkdtempSync(join(testFolder, 'paths-')), 'out')
    expect((await playhead('files', log, '-o', target, '--partial')).code).toBe(0)
    const written = JSON.parse(readFileSync(join(target, 'MANIFEST.json'), 'utf8')) as { path: string; file: string }[]
    expect(written.map(({ path, file }) => [path, file])).toEqual(cases.map(({ shown, onDisk }) => [shown, onDisk]))
    for (const [i, { onDisk }] of cases.entries()) expect(readFileSync(join(target, onDisk), 'utf8')).toBe(after(i))
  })

  test('reports each file once, with both changes', async () => {
    const { out } = await playhead('export', log, '--to', 'md')
    const rows = out
      .slice(out.indexOf('## Files changed'))
      .split('\n')
      .slice(4, 4 + cases.length)
    expect(rows.filter((row) => !row.endsWith('| 2 | +2 −2 |'))).toEqual([])
    expect(out).toMatch(new RegExp(`Files changed\\W+${cases.length}\\b`))
  })

  test('finds the calls of a file by its name in the folder, and by its whole path', async () => {
    for (const name of ['inside', 'shown'] as const) {
      const asked = cases.flatMap((one, i) => {
        const path = one.inside === null ? null : one[name]
        return path === null ? [] : [{ term: fileTerm(path), seq: 1 + 6 * i }]
      })
      if (asked.length === 0) return
      const terms = asked.map(({ term }) => term).join(' OR ')
      const { out } = await playhead('query', log, `tool:Read (${terms})`, '--fields', 'seq')
      const found = new Set(out.trimEnd().split('\n').map(Number))
      expect(asked.filter(({ seq }) => !found.has(seq))).toEqual([])
    }
  })

  test('is of one project with the sessions in its folder', async () => {
    const store = mkdtempSync(join(testFolder, 'paths-'))
    // Case matters to no query.
    const asked = cases.filter(
      ({ logged, inside }) =>
        isAbsolutePath(logged) &&
        (inside !== null || !logged.toLowerCase().includes(`${folder.toLowerCase().slice(-12)}`))
    )
    for (const [i, { logged }] of asked.entries()) {
      const record = {
        parentUuid: null,
        isSidechain: false,
        version: '2.1.0',
        sessionId: `s${i}`,
        cwd: logged,
        timestamp: '2026-01-01T00:00:00.000Z',
        uuid: `u${i}`
      }
      const message = { role: 'user', content: `Session ${i}` }
      writeFileSync(join(store, `s${i}.jsonl`), `${JSON.stringify({ type: 'user', ...record, message })}\n`)
    }
    const out = sink(true)
    const where = printQuery(projectTerm(folder))
    await run(['sessions', '--where', where, '--json', '--root', store], environment({ stdout: out.stream }))
    const found = out
      .text()
      .split('\n')
      .flatMap((line) => (line === '' ? [] : [(JSON.parse(line) as { project: string }).project]))
    expect(new Set(found)).toEqual(new Set(asked.flatMap(({ inside, logged }) => (inside === null ? [] : [logged]))))
  })
})

describe('a command of PowerShell or cmd', () => {
  const folder = String.raw`C:\Users\Ada\tide`
  const start = { ...codexStart, payload: { ...(codexStart['payload'] as JsonObject), cwd: folder } }
  const read = async (cmd: string, output = 'one\ntwo\n', cwd = folder) =>
    (await filesOf(codexRollout, [{ ...start, payload: { ...start.payload, cwd } }, ...codexCall(cmd, output)]))
      .contents

  test.each([
    [String.raw`Get-Content src\Main.ts`],
    [String.raw`gc -Raw -Encoding utf8 "src\Main.ts"`],
    [String.raw`Get-Content -Path 'C:\Users\Ada\tide\src\Main.ts' -TotalCount 2`],
    [String.raw`type .\src\Main.ts`],
    [String.raw`cat src\Main.ts`],
    [String.raw`Set-Location src; Get-Content Main.ts`],
    [String.raw`powershell.exe -NoProfile -Command "Get-Content src\Main.ts"`],
    [String.raw`cmd /c type src\Main.ts`]
  ])('shows the file that it names: %s', async (cmd) => {
    const { files, contents } = await read(cmd)
    expect(files.paths).toEqual([String.raw`C:\Users\Ada\tide\src\Main.ts`])
    expect(contents[0]?.lines.slice(0, 2).map((line) => line?.text)).toEqual(['one', 'two'])
  })

  test('shows no characters that it may have read wrongly, and names its file', async () => {
    const { files, contents } = await read(String.raw`Get-Content src\Main.ts`, 'GrÃ¼ÃŸe\n')
    expect([files.paths.length, contents[0]?.knownLines]).toEqual([1, 0])
  })

  test('deletes and moves the files that it names', async () => {
    const gone = await read(String.raw`Remove-Item src\old.ts`, '')
    expect([gone.files.paths, gone.contents[0]?.deleted]).toEqual([[String.raw`C:\Users\Ada\tide\src\old.ts`], true])
    const moved = await read(String.raw`Move-Item src\a.ts lib\b.ts`, '')
    expect(moved.files.paths.toSorted()).toEqual([
      String.raw`C:\Users\Ada\tide\lib\b.ts`,
      String.raw`C:\Users\Ada\tide\src\a.ts`
    ])
  })

  test('is one of sh in a session of another system', async () => {
    expect((await read(String.raw`cat a\ b.ts`, 'x\n', '/w')).files.paths).toEqual(['/w/a b.ts'])
  })
})

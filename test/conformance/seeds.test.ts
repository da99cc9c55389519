import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { claudeDeviations } from './seed-deviations-claude.ts'
import { geminiDeviations } from './seed-deviations-gemini.ts'
import { seedsAreHere, seedText } from './seed-parsers.ts'

/** docs/seeds.md says of every clause of the seeds where it is and what tests it. Here it is held to that. */

const repository = new URL('../../', import.meta.url)
const textOf = (path: string): string => readFileSync(new URL(path, repository), 'utf8')

interface Row {
  readonly id: string
  readonly sections: readonly string[]
  readonly code: string
  readonly test: string
  readonly deviations: readonly string[]
}

interface Chapter {
  readonly seed: string
  /** Where its tests are. */
  readonly file: string
  readonly rows: readonly Row[]
}

const [, ...parts] = textOf('docs/seeds.md').split(/^## /m)
const cellsOf = (line: string): string[] => line.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\', ''))
const tableOf = (part: string): string[][] =>
  part.split('\n').flatMap((line) => (/^\| [A-Z]-/.test(line) ? [cellsOf(line).slice(1, -1)] : []))
const listed = (text: string): string[] => text.split(', ').filter((one) => one !== '')

const chapters = parts.slice(0, -1).map((part): Chapter => {
  const rows = tableOf(part).map(([id = '', sections = '', , code = '', where = '', deviations = '']) => ({
    id,
    sections: listed(sections),
    code,
    test: where,
    deviations: listed(deviations)
  }))
  return { seed: part.slice(0, part.indexOf('\n')), file: /^Tests: `(.*)`/m.exec(part)?.[1] ?? '', rows }
})
const reasons = tableOf(parts.at(-1) ?? '').map(([id = '']) => id)

/** The tests of a file that are of a clause, by its id. */
function testsIn(file: string): [string, string][] {
  const found = textOf(file).matchAll(/\btest(?:\.skipIf\([^)]*\))?\(\s*(['"`])([A-Z]-\d+) (.*?)\1,/g)
  return [...found].map(([, , id = '', title = '']) => [id, title])
}

const elsewhere = (row: Row): { file: string; title: string } | null => {
  const [, file, title] = /^`([^`]+)`: (.*)$/.exec(row.test) ?? []
  return file === undefined || title === undefined ? null : { file, title }
}

test('there is a chapter for each seed', () => {
  expect(chapters.map(({ seed }) => seed)).toEqual([
    'agent-event-todo-types',
    'claude-parser-todowrite',
    'gemini-parser-write-todos',
    'claude-stream-json-contract',
    'todowrite-bridge'
  ])
})

describe.each(chapters)('$seed', ({ seed, file, rows }) => {
  test('ids are there once, in order', () => {
    const letter = rows[0]?.id[0]
    expect(rows.map(({ id }) => id)).toEqual(rows.map((_, index) => `${letter}-${index + 1}`))
  })

  test('each clause has the test that is named, and each test its clause', () => {
    const own = rows.filter((row) => elsewhere(row) === null)
    expect(testsIn(file)).toEqual(own.map((row) => [row.id, row.test]))
  })

  test('tests that are named elsewhere are there, once', () => {
    for (const { file: other, title } of rows.flatMap((row) => elsewhere(row) ?? [])) {
      expect([other, title, textOf(other).split(`'${title}'`).length - 1]).toEqual([other, title, 1])
    }
  })

  test('the code that is named is there', () => {
    for (const { id, code } of rows) {
      let path = ''
      for (const [, name = ''] of code.matchAll(/`([^`]+)`/g)) {
        if (name.includes('/')) path = name
        const found = existsSync(new URL(path, repository)) && (name === path || textOf(path).includes(name))
        expect([id, name, found]).toEqual([id, name, true])
      }
    }
  })

  test.skipIf(!seedsAreHere)('no section and no listed test case of the seed is without a row', () => {
    const text = seedText(seed)
    const covered = rows.flatMap(({ sections }) => sections)
    const missing = sectionsOf(text).filter((section) => !covered.some((one) => covers(one, section)))
    expect(missing).toEqual([])
  })
})

/** Headings below the title, numbered ones by their number; of a list of test cases each one, as `7.3`. */
function sectionsOf(seed: string): string[] {
  const prose = seed.replaceAll(/```[\s\S]*?```/g, '')
  const headings = [...prose.matchAll(/^##+ (.*)$/gm)].map(([, heading = '']) => {
    return /^(\d+(?:\.\d+)*)\.? /.exec(heading)?.[1] ?? heading.replace(/ \(.*\)$/, '')
  })
  const [, cases = ''] = prose.split('Test Cases\n')
  const numbers = [...cases.matchAll(/^(\d+)\. /gm)].map(([, number]) => `7.${number}`)
  return [...headings, ...numbers]
}

/** A row about a part of a section is one about the section; `Layer 1` is that of `Layer 1: …`. */
const covers = (row: string, section: string): boolean =>
  row === section || row.startsWith(`${section}.`) || section.startsWith(`${row}:`)

test('every deviation has a reason, stands at a clause, and the comparison knows it', () => {
  const atClauses = new Set(chapters.flatMap(({ rows }) => rows.flatMap(({ deviations }) => deviations)))
  expect(reasons).toEqual([...new Set(reasons)])
  expect([...atClauses].filter((id) => !reasons.includes(id))).toEqual([])
  expect(reasons.filter((id) => !atClauses.has(id))).toEqual([])
  const compared = [...new Set([...claudeDeviations, ...geminiDeviations].map(({ id }) => id))]
  expect(compared.filter((id) => !reasons.includes(id))).toEqual([])
  // What the comparison leaves out: ids, times, chunks; and what it has no code of.
  const others = reasons.filter((id) => !compared.includes(id) && !/^D-[ESB]\d/.test(id))
  expect(others).toEqual(['D-2', 'D-11'])
})

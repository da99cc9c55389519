import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { decodeLine } from '../src/core/formats/decode-line.ts'
import { issueCodes } from '../src/core/formats/issue.ts'
import { logFormats } from '../src/core/formats/registry.ts'

const root = join(import.meta.dirname, '..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const documentsIn = (folder: string): string[] =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`)
const decisions = documentsIn('docs/decisions')
const rules = documentsIn('docs/formats')
const documents = ['README.md', 'CONTRIBUTING.md', ...documentsIn('docs'), ...decisions, ...rules]
/** Written for somebody who reads them from the beginning. */
const reference = ['adding-a-log-format', 'desktop', 'format-sources', 'run-stream', 'sharing', 'tasks'].map(
  (name) => `docs/${name}.md`
)
const plain = ['README.md', 'CONTRIBUTING.md', 'docs/architecture.md', ...reference, ...decisions, ...rules]

/** What a person reads of it as sentences: no code, no addresses, each cell and item apart. */
function sentencesOf(markdown: string): string[] {
  return markdown
    .replaceAll(/^```.*?^```/gms, '\n\n')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/<[^>]+>/g, '')
    .split(/\n\n|\n(?=[|#-]|\d+\. )|\|/)
    .flatMap((block) => block.replaceAll('\n', ' ').split(/[.:?!] /))
    .map((sentence) => sentence.trim())
    .filter((sentence) => /\p{L}/u.test(sentence))
}

test.each(plain)('%s has no sentence of more than 25 words and no long line', (document) => {
  const text = read(document)
  const sentences = sentencesOf(text)
  expect(sentences.length).toBeGreaterThan(5)
  expect(sentences.filter((sentence) => wordsOf(sentence) > 25)).toEqual([])
  // Cells of a table cannot be broken.
  expect(text.split('\n').filter((line) => line.length > 200 && !line.startsWith('|'))).toEqual([])
})

test('the architecture is read in a quarter of an hour', () => {
  expect(wordsOf(read('docs/architecture.md'))).toBeLessThanOrEqual(3000)
})

describe('the README', () => {
  test('names the command that tests everything, and fits on a few screens', () => {
    const text = read('README.md')
    expect(text).toMatch(/^npm test {2,}/m)
    expect(wordsOf(text)).toBeLessThan(900)
  })
})

test.each(documents)('%s leads to files and headings that exist', (document) => {
  const broken = [...read(document).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]*))?\)/g)]
    .filter(
      ([, path = '', heading]) => !leadsSomewhere(path === '' ? document : join(dirname(document), path), heading)
    )
    .map(([link]) => link)
  expect(broken).toEqual([])
})

test.each(documents)('%s names test commands that find their tests', (document) => {
  const commands = [...read(document).matchAll(/npx vitest run ([^\n`]*)/g)].map(([, words = '']) => words.split(' '))
  const named = commands.flat().filter((word) => word.includes('/'))
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([])
  // Which project a test is in is said in vitest.config.ts, and may change.
  expect(commands.flat()).not.toContain('--project')
})

describe('the rules of the log formats', () => {
  test('each format has a page', () => {
    const pages = [...logFormats.map(({ id }) => `docs/formats/${id}.md`), 'docs/formats/README.md']
    expect(rules.toSorted()).toEqual(pages.toSorted())
  })

  test.each(rules)('each rule of %s says where its code is', (page) => {
    const [, ...sections] = read(page).split(/^### /m)
    expect(sections.filter((section) => !/^Code: `/m.test(section)).map((section) => section.split('\n')[0])).toEqual(
      []
    )
  })

  test.each(logFormats.map((format) => [format.id, format] as const))('samples of %s keep its rules', (id, format) => {
    const samples = [...read(`docs/formats/${id}.md`).matchAll(/^```json\n(.*?)^```/gms)].map(
      ([, sample = '']) => sample
    )
    const wrong = samples.flatMap((sample) => {
      const bytes = new TextEncoder().encode(sample)
      const line = { line: 1, offset: 0, length: bytes.length, bytes, terminated: true }
      const { decoded } = decodeLine(format, line)
      return (decoded?.issues ?? [])
        .filter(({ code }) => issueCodes[code].severity !== 'notice')
        .map((issue) => [sample, issue])
    })
    expect(wrong).toEqual([])
  })

  test('each address that the code cites leads to a rule', () => {
    const cited = ['src', 'test'].flatMap((folder) =>
      filesBelow(folder)
        .filter((name) => /\.tsx?$/.test(name))
        .flatMap((name) =>
          [...read(name).matchAll(/\b(docs\/(?:formats\/)?[\w-]+\.md)(?:#([\p{L}\p{N}_-]+))?/gu)].map(
            ([address, path = '', heading]) => ({
              name,
              address,
              leads: leadsSomewhere(path, heading)
            })
          )
        )
    )
    expect(cited).not.toEqual([])
    expect(cited.filter(({ leads }) => !leads)).toEqual([])
  })
})

// It names the sources of other programs.
test.each(documents.filter((document) => document !== 'docs/format-sources.md'))(
  '%s names files that exist',
  (document) => {
    const text = read(document).replaceAll(/^```.*?^```/gms, '')
    const names = [...text.matchAll(/`([\w@./-]+)`/g)].map(([, name = '']) => name)
    expect(names.filter((name) => isPath(name) && !isThere(name))).toEqual([])
  }
)

const files = readdirSync(root).flatMap((name) =>
  ['node_modules', 'out', '.git'].includes(name) ? [] : [name, ...filesBelow(name)]
)
const folders = new Set(files.flatMap((file) => file.split('/').slice(0, -1)))

function filesBelow(folder: string): string[] {
  if (!statSync(join(root, folder)).isDirectory()) return []
  const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
  return names.map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
}

/** A file of source or text, or a folder of this repository. Others are files that programs write. */
function isPath(name: string): boolean {
  const [first = ''] = name.split('/')
  return /\.(?:[jt]sx?|mjs|css|md)$/.test(name) || (name.endsWith('/') && folders.has(first))
}

/** Documents leave out the first folders of a path. */
function isThere(name: string): boolean {
  const path = name.replace(/^\.\//, '').replace(/\/$/, '')
  return files.some((file) => file === path || file.endsWith(`/${path}`))
}

function wordsOf(text: string): number {
  return text.split(/\s+/).filter((word) => word !== '').length
}

function leadsSomewhere(path: string, heading: string | undefined): boolean {
  if (!existsSync(join(root, path))) return false
  return heading === undefined || headingsOf(read(path)).includes(heading)
}

/** As GitHub names them in addresses. */
function headingsOf(markdown: string): string[] {
  return [...markdown.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-')
  )
}

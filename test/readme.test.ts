import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const documents = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`)
]

/** What a person reads of it as sentences: no code, no addresses, each cell and item apart. */
function sentencesOf(markdown: string): string[] {
  return markdown
    .replaceAll(/^```.*?^```/gms, '\n\n')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/<[^>]+>/g, '')
    .split(/\n\n|\n(?=[|#-])|\|/)
    .flatMap((block) => block.replaceAll('\n', ' ').split(/[.:?!] /))
    .map((sentence) => sentence.trim())
    .filter((sentence) => /\p{L}/u.test(sentence))
}

describe('the README', () => {
  test('has no sentence of more than 25 words', () => {
    const sentences = sentencesOf(read('README.md'))
    expect(sentences.length).toBeGreaterThan(50)
    expect(sentences.filter((sentence) => sentence.split(/\s+/).length > 25)).toEqual([])
  })

  test('names the command that tests everything, and fits on a few screens', () => {
    const text = read('README.md')
    expect(text).toMatch(/^npm test {2,}/m)
    expect(text.split(/\s+/).length).toBeLessThan(900)
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

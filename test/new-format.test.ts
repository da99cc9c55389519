import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')

/** Files of the repository, by their paths in it. */
function filesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(root.length + 1)
        .replaceAll('\\', '/')
    )
}

/** The format that was written by the guide, docs/adding-a-log-format.md, and after it. */
const id = 'atif'
/** Digests of all fixtures, recorded when the library's version is raised. A new format need not be among them. */
const recorded = 'test/conformance/library-cards.json'
/** What real logs say, checked by hand. A format without a real log needs no line there. */
const realLogs = 'test/conformance/other-agents.test.ts'
/** What a format leaves to others, how it states tokens and lists: no format needs a line there. */
const special = ['stated-values.test.ts', 'stated-lists.test.ts', 'usage.test.ts', 'usage-reader.ts'].map(
  (name) => `test/conformance/${name}`
)
/** Exports are written in this format, too. */
const writers = [
  ...['README.md', 'docs/command-line.md', 'docs/for-other-tools.md', 'src/backend/export/', 'src/cli/export'],
  ...[
    'src/contract/exports.ts',
    'src/core/export/',
    'src/renderer/features/export/',
    'test/conformance/foreign-exports.test.ts'
  ],
  'test/conformance/redacted-exports.test.ts',
  'test/conformance/atif.test.ts',
  'test/conformance/words.test.ts',
  'test/write-faults.test.ts',
  `test/fixtures/${id}-v1.7.schema.json`
]
const own = [`src/core/formats/${id}/`, `test/fixtures/formats/${id}/`, `docs/formats/${id}.md`]

test('a new format touches its folder, its fixtures, its page, the registry and one table, and what lists all changes and texts', () => {
  const texts = ['src', 'test', 'docs', 'bench', 'bin', 'resources'].flatMap(filesIn)
  const named = [...texts, 'README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'package.json'].filter(
    (path) =>
      /\.(?:[jt]sx?|json|md)$/.test(path) &&
      ![...own, ...writers].some((place) => path.startsWith(place)) &&
      ![recorded, realLogs, ...special, 'test/new-format.test.ts'].includes(path) &&
      readFileSync(join(root, path), 'utf8').toLowerCase().includes(id)
  )
  expect(named.toSorted()).toEqual([
    'CHANGELOG.md',
    'docs/interface-text.md',
    'docs/log-formats.md',
    'src/core/formats/registry.ts'
  ])
  const registry = readFileSync(join(root, 'src/core/formats/registry.ts'), 'utf8').split('\n')
  // An import, and its place in the list.
  expect(registry.filter((line) => line.includes(id))).toHaveLength(2)
})

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const text = readFileSync(join(root, 'docs/dependencies.md'), 'utf8')
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<
  'dependencies' | 'devDependencies',
  Record<string, string>
>

/** The packages that the tables between two headings name, each of which has a reason. */
function listed(from: string, to: string): string[] {
  const part = text.slice(text.indexOf(`## ${from}`), text.indexOf(`## ${to}`))
  return part.split('\n').flatMap((row) => {
    const [, names = '', why = ''] = row.split('|')
    const packages = [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)
    if (packages.length > 0) expect(why.trim()).toMatch(/\w{3}/)
    return packages
  })
}

test('every dependency is listed with its reason, and nothing else is', () => {
  expect(listed('At run time', 'In the page').sort()).toEqual(Object.keys(manifest.dependencies).sort())
  const others = [...listed('In the page', 'To build'), ...listed('To build', 'Audit')]
  expect(others.sort()).toEqual(Object.keys(manifest.devDependencies).sort())
})

test('every version is exact', () => {
  for (const versions of [manifest.dependencies, manifest.devDependencies])
    for (const version of Object.values(versions))
      // DuckDB's releases are numbered `1.5.6-r.1`.
      expect(version).toMatch(/^\d+\.\d+\.\d+(?:-r\.\d+)?$/)
})

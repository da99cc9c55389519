import { readFileSync } from 'node:fs'
import { join, posix, resolve } from 'node:path'
import { parseSync } from 'vite'
import { expect, test } from 'vitest'
import * as z from 'zod'

const root = resolve(import.meta.dirname, '..')
const { imports } = z
  .object({ imports: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')))
const folders = Object.entries(imports).map(([name, path]) => [name.slice(0, -1), path.slice(2, -1)] as const)

/** Paths from the root, and names of packages, that are loaded with a file of the source. Types and dynamic imports are not. */
function loadedWith(entry: string): Set<string> {
  const loaded = new Set<string>()
  const load = (path: string): void => {
    if (loaded.has(path)) return
    loaded.add(path)
    if (!/\.tsx?$/.test(path)) return
    const { module, errors } = parseSync(path, readFileSync(join(root, path), 'utf8'))
    expect(errors).toEqual([])
    for (const { moduleRequest, entries } of module.staticImports)
      if (entries.length === 0 || entries.some(({ isType }) => !isType)) load(placeOf(moduleRequest.value, path))
    for (const { entries } of module.staticExports)
      for (const { moduleRequest, isType } of entries)
        if (moduleRequest !== null && !isType) load(placeOf(moduleRequest.value, path))
  }
  load(entry)
  return loaded
}

function placeOf(name: string, importer: string): string {
  const folder = folders.find(([prefix]) => name.startsWith(prefix))
  if (folder !== undefined) return folder[1] + name.slice(folder[0].length)
  return name.startsWith('.') ? posix.join(posix.dirname(importer), name) : name
}

/** Large code, which takes much of the time in which a command or a thread starts. */
const [formats, queries, findings, databases] = [
  'src/core/formats/registry.ts',
  're2js',
  'src/core/findings/run-findings.ts',
  'src/backend/sources/session-databases.ts'
]

test.each([
  // Without `--where` nothing reads a query.
  ['src/cli/check.ts', [queries, findings]],
  ['src/cli/export.ts', [queries, findings]],
  ['src/cli/todos.ts', [queries, findings]],
  // The library's thread does the work.
  ['src/cli/search.ts', [formats, queries, findings]],
  ['src/cli/sessions.ts', [formats, queries, findings]],
  ['src/backend/library/search/scan-thread.ts', [formats, queries, databases]],
  // Each form of an export loads its writer.
  ['src/backend/export/export-thread.ts', [formats, queries, findings]],
  ['src/backend/find/find-thread.ts', [formats, queries, 'zod']],
  // Runs, searches and exports load theirs.
  ['src/server/server.ts', [formats, queries, findings]],
  ['src/main/index.ts', [formats, queries, findings]],
  ['src/contract/methods.ts', [formats, queries, findings]],
  ['src/cli/index.ts', [formats, queries, 'zod']],
  ['src/cli/hook-program.ts', [formats, queries, 'zod']]
])('%s is loaded without code that it does not need', (entry, unneeded) => {
  const loaded = loadedWith(entry)
  expect(unneeded.filter((one) => loaded.has(one))).toEqual([])
})

test('the code of other entries is found', () => {
  expect(loadedWith('src/cli/query.ts')).toContain(queries)
  expect(loadedWith('src/backend/indexer/log-thread.ts')).toContain(findings)
  expect(loadedWith('src/backend/library/library-thread.ts')).toContain(formats)
  expect(loadedWith('src/backend/sources/stored-log.ts')).toContain(databases)
})

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/**
 * The test files below `root` that import this module, themselves or through what they import: paths with `/`, sorted. Types do not count, as
 * they are gone when a test runs. Reads imports with relative paths, in one scan of each file.
 */
export function testsThatImport(root, module) {
  const imports = new Map()
  const importsOf = (file) => {
    if (!imports.has(file)) imports.set(file, existsSync(file) ? importedBy(file) : [])
    return imports.get(file)
  }
  const wanted = join(root, module)
  const reaches = (file, seen = new Set()) => {
    if (file === wanted) return true
    if (seen.has(file)) return false
    seen.add(file)
    return importsOf(file).some((next) => reaches(next, seen))
  }
  return ['src', 'test']
    .flatMap((folder) => filesBelow(join(root, folder)))
    .filter((file) => /\.(?:test|spec)\.tsx?$/.test(file) && reaches(file))
    .map((file) => relative(root, file).replaceAll('\\', '/'))
    .sort()
}

/** The tests that read real logs or seeds, which lie beside the checkout. */
export function corpusTests(root) {
  return testsThatImport(root, 'test/shared-folder.ts')
}

function filesBelow(folder) {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

/** `import … from './a.ts'`, `export … from './a.ts'`, `import './a.ts'`, `import('./a.ts')`. */
const statements =
  /(?:^|[;\n])\s*(?:import|export)\s+(?!type\b)(?:[^'"`;]*?\bfrom\s+)?(['"])(\.[^'"]+)\1|\bimport\(\s*(['"])(\.[^'"]+)\3/g

function importedBy(file) {
  const text = readFileSync(file, 'utf8')
  return [...text.matchAll(statements)].map(([, , from, , asked]) => join(dirname(file), from ?? asked))
}

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { repository } from './command-line.ts'
import { corpusTests, testsThatImport } from './corpus-tests.js'
import { folder } from './folder.ts'
import { Tally } from './tally.js'

test('a test reads the corpus if it imports what reads it, at any distance', () => {
  const root = mkdtempSync(join(folder, 'tests-'))
  const files: Readonly<Record<string, string>> = {
    'test/wanted.ts': 'export const wanted = 1',
    'test/near.ts': "import { wanted } from './wanted.ts'\nexport { wanted }\nimport './far.ts'",
    'test/far.ts': "import './near.ts'",
    'test/types.ts': "export type { wanted } from './wanted.ts'",
    'test/direct.test.ts': "import {\n  wanted\n} from './wanted.ts'",
    'test/e2e/page.spec.ts': "import { wanted } from '../near.ts'",
    'src/core/late.test.ts': "const { wanted } = await import('../../test/wanted.ts')",
    'src/core/passed-on.test.tsx': "export * from '../../test/far.ts'",
    'src/core/types.test.ts': "import type { wanted } from '../../test/wanted.ts'\nimport '../../test/types.ts'",
    'src/core/said.test.ts': "const text = './wanted.ts'\n// see ../../test/wanted.ts\nimport 'node:fs'",
    'src/core/no-test.ts': "import '../../test/wanted.ts'"
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  expect(testsThatImport(root, 'test/wanted.ts')).toEqual([
    'src/core/late.test.ts',
    'src/core/passed-on.test.tsx',
    'test/direct.test.ts',
    'test/e2e/page.spec.ts'
  ])
})

test('both runners have tests that read the corpus', () => {
  const found = corpusTests(repository)
  expect(found).toContain('test/conformance/corpus.test.ts')
  expect(found).toContain('test/conformance/seeds-contract.test.ts')
  expect(found).toContain('src/cli/sessions-of-home.test.ts')
  expect(found).toContain('test/e2e/todos.spec.ts')
  expect(found).not.toContain('test/e2e/find.spec.ts')
  expect(found.length).toBeLessThan(80)
})

test('nothing else has a path beside the checkout', () => {
  const beside = /(['"`])[^\s'"`]*\.\.\/shared\/(?:corpus|seeds|cases|specs|hooks|mock)[^\s'"`]*\1|'\.\.', 'shared'/
  const files = ['src', 'test'].flatMap((name) =>
    readdirSync(join(repository, name), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.(?:[jt]sx?)$/.test(path))
      .map((path) => `${name}/${path.replaceAll('\\', '/')}`)
  )
  const found = files.filter((path) => beside.test(readFileSync(join(repository, path), 'utf8')))
  // The real agents are no part of `npm test`, which itself looks whether there is a corpus.
  expect(found.filter((path) => !path.startsWith('test/real-agents/'))).toEqual(['test/run.js'])
})

test('the last line of a run counts all of its parts', () => {
  const tally = new Tally()
  tally.count('tsc', { passed: 1 })
  tally.count('vitest', { passed: 20, failed: 0, skipped: 3 })
  expect(tally.hasFailed).toBe(false)
  expect(tally.text().split('\n').at(-1)).toBe('21 passed, 0 failed, 3 skipped')
  tally.count('vitest, corpus', { passed: 5, failed: 2 }, 'exit code 1')
  expect(tally.hasFailed).toBe(true)
  expect(tally.text(['    ✗ a test'])).toBe(
    [
      '  ✓ tsc                       1 passed, 0 failed',
      '  ✓ vitest                    20 passed, 0 failed, 3 skipped',
      '  ✗ vitest, corpus            5 passed, 2 failed (exit code 1)',
      '    ✗ a test',
      '26 passed, 2 failed, 3 skipped'
    ].join('\n')
  )
})

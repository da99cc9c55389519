import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { interfaceText } from '../docs/interface-text.js'

const root = join(import.meta.dirname, '..')

test('docs/interface-text.md is that of this version: `npm run interface-text` writes it', async () => {
  expect(readFileSync(join(root, 'docs', 'interface-text.md'), 'utf8')).toBe(await interfaceText(join(root, 'src')))
})

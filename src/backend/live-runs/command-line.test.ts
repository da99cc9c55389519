import { expect, test } from 'vitest'
import { lacksSecret, withoutSecrets } from './command-line.ts'

const token = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`

test('secrets are taken out of words, also where another word announces them', () => {
  const words = withoutSecrets(['claude', '--api-key', 'q8Zr1Xv7Lm2Tn5Kp9Ws3', token, '--model=opus', ''])
  expect(words).toHaveLength(6)
  expect(words.join(' ')).not.toMatch(/q8Zr|ghp_/)
  expect([words[0], words[1], words[4], words[5]]).toEqual(['claude', '--api-key', '--model=opus', ''])
  expect(words.map(lacksSecret)).toEqual([false, false, true, true, false, false])
})

test('words without secrets stay as they are', () => {
  const words = ['/usr/bin/codex', 'exec', '--json', '--skip-git-repo-check', '--sandbox', 'read-only', '-']
  expect(withoutSecrets(words)).toEqual(words)
})

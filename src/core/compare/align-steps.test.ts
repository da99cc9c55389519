import fc from 'fast-check'
import { expect, test } from 'vitest'
import { alignSteps } from './align-steps.ts'
import type { Step } from './step.ts'

/** "s ls" is the command `ls`; "p …" a prompt; "r …" a read; "t …" a text. */
function steps(...texts: readonly string[]): readonly Step[] {
  const kinds = { s: 'call', r: 'call', p: 'prompt', t: 'text' } as const
  const tools = { s: 'shell', r: 'read', p: '', t: '' } as const
  return texts.map((text, seq) => {
    const letter = text.charAt(0) as keyof typeof kinds
    const target = text.slice(2)
    const hash = [...text].reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) % 1_000_003, 7)
    const { [letter]: kind } = kinds
    return { kind, tool: tools[letter], target, hash, seq, place: seq, file: null, outcome: null, resultHash: null }
  })
}

const pairsOf = (a: readonly Step[], b: readonly Step[]): string =>
  Array.from(alignSteps(a, b).pairs, (other, place) => (other < 0 ? `${place}` : `${place}-${other}`)).join(' ')

test('equal lists are pairs throughout, also without any unique step', () => {
  const list = steps('p go', 's ls', 's ls', 's ls', 'r a.ts', 's ls')
  expect(pairsOf(list, list)).toBe('0-0 1-1 2-2 3-3 4-4 5-5')
})

test('an added and a missing step have no partner', () => {
  expect(pairsOf(steps('s ls', 's make', 's test'), steps('s ls', 'r a.ts', 's test'))).toBe('0-0 1 2-2')
})

test('a step with half of its words in common is changed, another one is not forced', () => {
  expect(pairsOf(steps('s npm run test unit'), steps('s npm run test e2e'))).toBe('0-0')
  expect(pairsOf(steps('s npm run test'), steps('s git push origin main'))).toBe('0')
  expect(pairsOf(steps('s a b c'), steps('r a b c'))).toBe('0')
})

test('the same tool and target pair before similar ones', () => {
  const b = steps('r src/a/b/c.ts', 'r src/a/b/d.ts')
  const changed = [{ ...(b[1] as Step), hash: 1 }]
  expect(pairsOf(changed, b)).toBe('0-1')
})

test('prompts divide the lists, so equal steps of other sections are not taken', () => {
  const a = steps('p one', 's ls', 'p two', 's ls')
  const b = steps('p one', 'p two', 's ls')
  expect(pairsOf(a, b)).toBe('0-0 1 2-1 3-2')
})

test('a step that changed its place is moved', () => {
  const { pairs, moved } = alignSteps(steps('s ls', 's make', 's test'), steps('s make', 's test', 's ls'))
  expect([...pairs]).toEqual([-1, 0, 1])
  expect([...moved]).toEqual([2, -1, -1])
})

test('500 equal polls on one side and 480 on the other are pairs within the band', () => {
  const polls = (count: number): readonly string[] => Array.from({ length: count }, () => 's gh pr checks')
  const { pairs } = alignSteps(steps('r a.ts', ...polls(500), 'r b.ts'), steps('r a.ts', ...polls(480), 'r b.ts'))
  expect(pairs.filter((other) => other >= 0)).toHaveLength(482)
})

test('a million steps, of which one is missing and one is added', () => {
  const [poll] = steps('s gh pr checks')
  const all = Array.from({ length: 1_000_000 }, (_, seq) => {
    const step = poll as Step
    return seq % 500 === 0 ? { ...step, seq, hash: -seq, target: `make ${seq}` } : step
  })
  const [added] = steps('r added.ts')
  const other = [...all.slice(0, 400_000), ...all.slice(400_001, 700_000), added as Step, ...all.slice(700_000)]
  const { pairs, moved } = alignSteps(all, other)
  expect(pairs.filter((place) => place < 0)).toHaveLength(1)
  expect(moved.every((place) => place < 0)).toBe(true)
})

test('a fork and its parent are pairs up to the fork', () => {
  const history = ['p go', 's npm test', 's npm test', 's npm test']
  const { pairs } = alignSteps(steps(...history, 's git commit'), steps(...history, 'p no', 's npm test'))
  expect([...pairs]).toEqual([0, 1, 2, 3, -1])
})

const letters = fc.constantFrom(
  's ls',
  's npm run a',
  's npm run b',
  'r x.ts',
  'r y.ts',
  't so',
  'p go',
  'p on',
  's make'
)
const unique = fc.integer({ min: 0, max: 30 }).map((number) => `s step ${number}`)
const list = fc.array(fc.oneof(letters, unique), { maxLength: 40 }).map((texts) => steps(...texts))

test('pairs ascend on both sides, each step is in one pair or moved once', () => {
  fc.assert(
    fc.property(list, list, (a, b) => {
      const { pairs, moved } = alignSteps(a, b)
      const partners = pairs.filter((other) => other >= 0)
      expect([...partners]).toEqual([...new Set(partners)].toSorted((x, y) => x - y))
      const all = [...partners, ...moved.filter((other) => other >= 0)]
      expect(new Set(all).size).toBe(all.length)
      for (const [place, other] of moved.entries()) {
        if (other < 0) continue
        expect(pairs[place]).toBe(-1)
        expect(a[place]?.hash).toBe(b[other]?.hash)
      }
    })
  )
})

test('swapping the lists swaps the pairs', () => {
  fc.assert(
    fc.property(list, list, (a, b) => {
      const [one, other] = [alignSteps(a, b), alignSteps(b, a)]
      for (const key of ['pairs', 'moved'] as const) {
        const forth = [...one[key].entries()].filter(([, to]) => to >= 0).map(([from, to]) => `${from}-${to}`)
        const back = [...other[key].entries()].filter(([, to]) => to >= 0).map(([to, from]) => `${from}-${to}`)
        expect(forth.toSorted()).toEqual(back.toSorted())
      }
    })
  )
})

test('without k steps, at most k steps of a side have no equal partner', () => {
  fc.assert(
    fc.property(list, fc.array(fc.nat(), { maxLength: 10 }), (a, drops) => {
      const gone = new Set(drops.map((drop) => drop % Math.max(1, a.length)))
      const b = a.filter((_, place) => !gone.has(place))
      const { pairs, moved } = alignSteps(a, b)
      const isSame = (other: number, place: number): boolean => other >= 0 && b[other]?.hash === a[place]?.hash
      const same = [...pairs].filter(isSame).length + [...moved].filter((other) => other >= 0).length
      expect(a.length - same).toBeLessThanOrEqual(a.length - b.length)
    })
  )
})

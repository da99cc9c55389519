import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Sign, SignScanner } from './sign-scanner.ts'

const unit = fc.constantFrom('a', 'b', 'A', 'B', '-', 'é', ' ')
const sign = fc.record({
  text: fc.string({ unit: fc.constantFrom('a', 'b', 'A', 'B', '-'), minLength: 2, maxLength: 4 }),
  anyCase: fc.boolean(),
  endsWord: fc.boolean(),
  of: fc.constant(null)
})

/** What is found, place by place. */
function slowly(text: string, signs: readonly Sign<null>[]): string[] {
  return Array.from(text, (_, at) => at).flatMap((at) =>
    signs
      .filter(({ text: searched, anyCase, endsWord }) => {
        const there = text.slice(at, at + searched.length)
        const isThere = anyCase === true ? there.toLowerCase() === searched.toLowerCase() : there === searched
        return isThere && !(endsWord === true && /\w/.test(text.charAt(at + searched.length)))
      })
      .map(({ text: searched }) => `${at} ${searched}`)
  )
}

test('finds what a search for each sign at each place does', () => {
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 40 }), fc.array(sign, { maxLength: 6 }), (text, signs) => {
      const found = new SignScanner(signs).places(text)
      expect(found.map(({ at, sign }) => `${at} ${sign.text}`).sort()).toEqual(slowly(text, signs).sort())
      expect(found.map(({ at }) => at)).toEqual(found.map(({ at }) => at).sort((a, b) => a - b))
    })
  )
})

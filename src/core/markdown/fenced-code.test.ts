import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fencedCodeAt } from './fenced-code.ts'

/** Info, code and what follows; null for no code. */
function read(text: string): [string, string, string] | null {
  const code = fencedCodeAt(text, 0)
  return code && [code.info, text.slice(code.from, code.to), text.slice(code.end)]
}

describe('a block of code', () => {
  test.each([
    ['```ts\na\n\nb\n```\nc', 'ts', 'a\n\nb', 'c'],
    ['  ~~~ sh -x \na\n~~~~  \r\nc', 'sh -x', 'a', 'c'],
    ['````\n```\na\n```\n````', '', '```\na\n```', ''],
    ['```\n```', '', '', ''],
    ['```', '', '', ''],
    ['```ts\na\n', 'ts', 'a\n', ''],
    ['```sh extra words\nls\n```\nc', 'sh extra words', 'ls', 'c'],
    // The second fence may open a block that the third closes.
    ['```\na\n```js title=x\nb\n```\nc', '', 'a\n```js title=x\nb', 'c'],
    ['```md\n```js\na\n```\nc', 'md', '```js\na', 'c']
  ])('%j', (text, ...expected) => {
    expect(read(text)).toEqual(expected)
  })

  test.each([
    ['```\na\n``` please fix it', '', 'a', 'please fix it'],
    ['```\na\n```please fix it\nb', '', 'a', 'please fix it\nb'],
    ['```\na\n``` please fix it\n```ts\nb\n```', '', 'a', 'please fix it\n```ts\nb\n```'],
    ['```\na\n```thanks', '', 'a', 'thanks'],
    ['```\na\n``` see `b`', '', 'a', 'see `b`']
  ])('%j ends where words follow a fence', (text, ...expected) => {
    expect(read(text)).toEqual(expected)
  })

  test.each(['a', '    ```\na', '``\na', '```a`\nb', '``` please fix it\nb', '``` please fix it\n```ts\nb\n```'])(
    '%j is none',
    (text) => {
      expect(read(text)).toBeNull()
    }
  )
})

test('a block has all of its text but the fences', () => {
  const line = fc.constantFrom('a', '', '```', '~~~', '```` b', '``` c d', '~~~ e f', '  ```', '    ```', '```g`')
  fc.assert(
    fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
      const text = lines.join('\n')
      const code = fencedCodeAt(text, 0)
      if (code === null) return
      expect(code.from).toBeLessThanOrEqual(code.to)
      expect(code.to).toBeLessThanOrEqual(code.end)
      const fences = text.slice(0, code.from) + text.slice(code.to, code.end)
      expect(fences.replace(code.info, '')).toMatch(/^[`~ \n]*$/)
    })
  )
})

test.each(['``` a b\n', '~~~ a b\n``` c d\n', '```\n', '````` a\n``` b c\n'])(
  '%j many times takes no longer',
  (unit) => {
    const text = unit.repeat(50_000)
    for (let at = 0; at < text.length;) at = fencedCodeAt(text, at)?.end ?? text.indexOf('\n', at) + 1
  }
)

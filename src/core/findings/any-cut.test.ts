import fc from 'fast-check'
import { expect, test } from 'vitest'
import { answer, bash, edit, eventsOf, findingsOf, prompt, type Step, turnDone } from '../../../test/findings-of.ts'
import { normalized } from '../formats/normalized.ts'
import { RunReader } from '../formats/run-reader.ts'
import { RunIndex } from '../index/run-index.ts'

const fail = 'Exit code 1\nerror: it broke'
const steps: readonly Step[] = [
  prompt,
  ...[1, 2, 3].flatMap(() => [...edit('a.ts'), ...bash('npm test', fail)]),
  ...bash('make', fail),
  ...bash('make', fail),
  ...bash('git push --force'),
  { type: 'todo_list', todoId: 't', items: [{ text: 'a', status: 'pending' }] },
  answer,
  turnDone
]
const lines = eventsOf(steps).map((event) => JSON.stringify(event))
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

/** The findings of a whole log. */
function offline(text: string): unknown {
  const reader = new RunReader(normalized, new RunIndex(normalized))
  reader.push(0, bytes(text))
  reader.end()
  return reader.sink.findings
}

test('a log that grows has at every cut the findings of the log that ends there', () => {
  const text = `${lines.join('\n')}\n`
  const reader = new RunReader(normalized, new RunIndex(normalized))
  let from = 0
  for (const [i, line] of lines.entries()) {
    // After the line, and once within it.
    for (const to of i % 3 === 0 ? [from + (line.length >> 1), from + line.length + 1] : [from + line.length + 1]) {
      reader.push(0, bytes(text.slice(from, to)))
      from = to
      expect(reader.endedCopy()?.findings).toEqual(offline(text.slice(0, to)))
    }
  }
  expect(findingsOf(steps).map(({ rule }) => rule)).toEqual(
    expect.arrayContaining(['edit-check-fail', 'repeated-failure', 'destructive', 'todo-open-at-end'])
  )
})

test('other line ends and unknown records change nothing', () => {
  const expected = offline(`${lines.join('\n')}\n`)
  expect(offline(`${lines.join('\r\n')}\r\n`)).toEqual(expected)
  expect(offline(lines.map((line) => `${line}\n\n`).join(''))).toEqual(expected)
})

test('500 commands that only quote, comment or pass on what is destructive', () => {
  const bad = fc.constantFrom('rm -rf src', 'git push --force', 'git reset --hard', 'chmod 777 a', 'terraform destroy')
  const harmless = fc.oneof(
    bad.map((line) => `echo '${line}'`),
    bad.map((line) => `echo "a; ${line}"`),
    bad.map((line) => `ls # ${line}`),
    bad.map((line) => `cat > notes.md <<'END'\n${line}\nEND`),
    bad.map((line) => `cat <<END > a\n${line}\nEND\nls`),
    bad.map((line) => `grep -n '${line}' README.md`)
  )
  fc.assert(
    fc.property(fc.array(harmless, { minLength: 1, maxLength: 3 }), (parts) => {
      const rules = findingsOf(bash(parts.join('\n'))).map(({ rule }) => rule)
      expect(rules.filter((rule) => rule.startsWith('destructive'))).toEqual([])
    }),
    { numRuns: 500 }
  )
})

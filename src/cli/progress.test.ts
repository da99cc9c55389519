import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { environment, file, folder, jsonl, playhead, say } from '../../test/command-line.ts'
import { run } from './run.ts'

/** A terminal, and what was written to it. */
function terminal(): { stream: Writable; text: () => string } {
  let text = ''
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      text += chunk.toString()
      done()
    }
  })
  return { stream: Object.assign(stream, { isTTY: true }), text: () => text }
}

// The page, as it is built.
const root = join(folder, 'root')
mkdirSync(join(root, 'out', 'shared'), { recursive: true })
for (const name of ['page.js', 'page.css', 'thread.js']) writeFileSync(join(root, 'out', 'shared', name), '')

const long = jsonl(...Array.from({ length: 40 }, () => say('x'.repeat(100_000))))

/** A clock that goes on by half a second each time it is looked at. */
function quickClock(): () => number {
  let now = 0
  return () => (now += 500)
}

test.each(['md', 'html', 'jsonl'])(
  'on a terminal, export --to %s says how far it is, and takes that away',
  async (to) => {
    const stderr = terminal()
    const path = file(`long-${to}.jsonl`, long)
    const out = join(folder, `long.${to}`)
    const code = await run(
      ['export', path, '--to', to, '-o', out],
      environment({ stderr: stderr.stream, now: quickClock(), root })
    )
    expect(code).toBe(0)
    const parts = [...stderr.text().matchAll(/exporting, (\d+) %/g)].map(([, part]) => Number(part))
    expect(parts.length).toBeGreaterThan(1)
    expect(parts).toEqual([...parts].sort((a, b) => a - b))
    expect(stderr.text().split('\r\u001b[K').at(-1)).toMatch(/^playhead: .* written to /)
  }
)

test('where nobody looks on, and where the data goes to the same terminal, it says nothing', async () => {
  const path = file('quiet.jsonl', long)
  expect((await playhead('export', path, '--to', 'md')).err).toBe('')
  const both = terminal()
  const streams = { stdout: both.stream, stderr: both.stream }
  expect(await run(['export', path, '--to', 'md'], environment({ ...streams, now: quickClock() }))).toBe(0)
  expect(both.text()).not.toContain('exporting')
})

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { allFixtures, bytesOfFixture } from '../../test/conformance/fixtures.ts'
import { folder, playhead } from '../../test/command-line.ts'
import { randomNumbers } from '../../test/conformance/read-log.ts'

/** What steers a terminal: C0 but for tab and line feed, DEL, C1, and bidirectional controls. */
const unsafe = /[^\P{Cc}\n\t]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u
const hostile = [
  '\x1b]0;owned\x07',
  '\x1b[2J',
  '\x9b31m',
  '\x90q\x9c',
  '\x7f',
  '\u202egnp',
  '\u2066',
  '\u061c',
  '\r',
  '\b',
  '\x00'
]

const commands = [
  ['check'],
  ['check', '--json'],
  ['stats'],
  ['stats', '--json'],
  ['todos'],
  ['todos', '--json'],
  ['export'],
  ['export', '--raw'],
  ['export', '--redact', '--raw'],
  ['export', '--to', 'md'],
  ['open', '--no-open']
] as const

/** One log of each format, of those that are one record a line. */
const logs = [...new Map(allFixtures().map((fixture) => [fixture.formatId, fixture])).values()]

/** A part of the texts of a log, names of members among them, gets something that steers a terminal: escaped as JSON has it, or as it is. */
function attacked(text: string, random: () => number): string {
  return text.replace(/"(?:[^"\\]|\\.)*"/g, (quoted) => {
    if (random() > 0.3 || quoted.length > 200) return quoted
    const put = hostile[Math.floor(random() * hostile.length)] ?? ''
    const written = random() < 0.8 ? JSON.stringify(put).slice(1, -1) : put
    return `${quoted.slice(0, -1)}${written}"`
  })
}

test.each(logs.map((fixture) => [fixture.formatId, fixture] as const))(
  'nothing in a log of %s steers a terminal',
  async (formatId, fixture) => {
    const random = randomNumbers(20261122)
    const text = attacked(Buffer.from(bytesOfFixture(fixture)).toString(), random)
    expect(text.includes('\\u001b') || unsafe.test(text)).toBe(true)
    const path = join(folder, `${formatId} \x1b[31m\x9b1m\u202e.jsonl`)
    writeFileSync(path, text)
    let printed = 0
    for (const [command, ...options] of commands) {
      const { out, err } = await playhead(command, path, ...options)
      printed += out.length
      expect(unsafe.exec(out + err)?.[0], [command, ...options].join(' ')).toBeUndefined()
    }
    expect(printed).toBeGreaterThan(1000)
  }
)

test('nor does what is said of a file that is not there, a word that is no option, or a command that is none', async () => {
  for (const words of [
    ['stats', 'no\x9b1m\x1b[2J'],
    ['stats', '--\x1b[2J'],
    ['\x1b[2J\u202e'],
    ['export', 'x', '--to', '\x9b']
  ]) {
    const { code, out, err } = await playhead(...words)
    expect([code, unsafe.exec(out + err)?.[0]]).toEqual([2, undefined])
    expect(err).toContain('\\u00')
  }
})

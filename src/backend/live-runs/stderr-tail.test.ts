import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { stderrTail } from './stderr-tail.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'playhead-words-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

async function wordsOf(text: string | Buffer, ignoredStderrLines?: readonly string[]): Promise<string> {
  const file = join(folder, 'stderr.txt')
  writeFileSync(file, text)
  return await stderrTail(file, ignoredStderrLines)
}

test('the last three lines that say something', async () => {
  expect(await wordsOf('one\ntwo\n\n three\t3 \r\n\nfour\n')).toBe('two / three 3 / four')
  expect(await wordsOf('Reading…\nError: no key\nReading…\n', ['Reading…'])).toBe('Error: no key')
})

test('as a terminal would show them, without what could harm one', async () => {
  expect(await wordsOf('\u001b[31mred\u001b[0m\u0007 \u202eback\u0000wards')).toBe('red back wards')
  expect(await wordsOf(Buffer.from([0xff, 0x41, 0xfe]))).toBe('\ufffdA\ufffd')
})

test('of however much: whole lines, or the end of one that never ends', async () => {
  expect(await wordsOf(`${'x'.repeat(1_000_000)}\n${'y'.repeat(8_100)}\nlast\n`)).toMatch(/^… y{493} \/ last$/)
  expect(await wordsOf('z'.repeat(1_000_000))).toBe(`… ${'z'.repeat(500)}`)
})

test('nothing where there is nothing', async () => {
  expect(await wordsOf('\n \u001b[0m\n')).toBe('')
  expect(await stderrTail(join(folder, 'nowhere'))).toBe('')
})

test('an error of a JavaScript program is told without its stack', async () => {
  const said = [
    '/lib/agent.js:8',
    'start(undefined.name)',
    '                ^',
    '',
    "TypeError: Cannot read properties of undefined (reading 'name')",
    '    at Object.<anonymous> (/lib/agent.js:8:17)',
    '    at node:internal/main/run_main_module:28:49',
    '    at new Promise (<anonymous>)',
    '',
    'Node.js v20.20.2'
  ]
  expect(await wordsOf(said.join('\n'))).toBe(
    "/lib/agent.js:8 / start(undefined.name) / TypeError: Cannot read properties of undefined (reading 'name')"
  )
})

test('objects that a JavaScript program prints for its developers are told by their message', async () => {
  const said = [
    'Error handling request {',
    "  jsonrpc: '2.0',",
    "  params: { sessionId: 'none', prompt: [ [Object] ] }",
    "} { code: -32602, message: 'Session not found: it\\'s none', data: undefined }",
    'Failed {',
    '  status: 7,',
    '  [cause]: undefined',
    '}'
  ]
  expect(await wordsOf(said.join('\n'))).toBe("Error handling request: Session not found: it's none / Failed")
  // Its beginning is not there.
  expect(await wordsOf(said.slice(1).join('\n'))).not.toMatch(/undefined|\[Object\]|\}/)
  expect(await wordsOf('{"error":{"message":"no key"}}')).toBe('{"error":{"message":"no key"}}')
  expect(await wordsOf('use { braces: like this')).toBe('use { braces: like this')
})

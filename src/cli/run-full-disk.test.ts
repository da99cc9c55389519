import { readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { environment, folder, sink } from '../../test/command-line.ts'
import { type SmallDisk, smallDisk } from '../../test/small-disk.ts'
import { program } from '../../test/stand-in/stand-in.ts'
import { run } from './run.ts'

let disk: SmallDisk | null = null
afterEach(() => disk?.remove())

const messages = 3100

/** An agent that drops what it cannot write, says nothing of it and ends with 0, as Gemini CLI does. Half way somebody makes room. It has no time for signals. */
const agent = (ballast: string): string => `
  const fs = require('node:fs')
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {})
  const write = (record) => {
    try { fs.writeSync(1, JSON.stringify(record) + '\\n') } catch {}
  }
  write({ type: 'init', timestamp: '2026-01-02T03:04:05.000Z', session_id: 's', model: 'm' })
  for (let number = 0; number < ${messages}; number++) {
    if (number === 2500) fs.rmSync(${JSON.stringify(ballast)})
    write({ type: 'message', timestamp: '2026-01-02T03:04:05.000Z', role: 'assistant', content: String(number).padEnd(700, 'x'), delta: true })
  }
  write({ type: 'result', timestamp: '2026-01-02T03:04:05.000Z', status: 'success', stats: {} })`

/** What it printed, had there been room for it. */
function allOf(): string {
  const lines: string[] = []
  const fs = { writeSync: (_: number, text: string) => lines.push(text), rmSync: () => {} }
  // The stand-in itself says it.
  new Function('require', 'process', agent(''))(() => fs, { on: () => {} })
  return lines.join('')
}

function playhead(state: string, ...argv: string[]): { code: Promise<number>; out: () => string; err: () => string } {
  const [out, err] = [sink(), sink()]
  const variables = { ...process.env, PATH: `${folder}:${process.env['PATH'] ?? ''}`, PLAYHEAD_STATE_DIR: state }
  const streams = { stdout: out.stream, stderr: err.stream }
  const untilStopped = () => new Promise<void>(() => {})
  const code = run(
    ['run', 'gemini', '--cwd', folder, ...argv, '--', 'Count'],
    environment({ variables, ...streams, now: Date.now, untilStopped })
  )
  return { code, out: out.text, err: err.text }
}

test('playhead run on a disk of 2 MB that fills up: it is never done, and says which disk and from where', async (context) => {
  disk = smallDisk(2 << 20)
  if (disk === null) return context.skip('mounting a small disk takes root on Linux')
  const name = realpathSync(disk.folder)
  const ballast = join(name, 'ballast')
  writeFileSync(join(folder, 'agent.cjs'), agent(ballast))
  program(folder, 'gemini', `exec '${process.execPath}' '${join(folder, 'agent.cjs')}'`)
  const state = join(name, 'state')

  const refused = playhead(state)
  expect(await refused.code).toBe(1)
  expect(refused.err()).toMatch(new RegExp(`The disk ${name} has only \\d MB left.*add --allow-low-disk`))

  writeFileSync(ballast, Buffer.alloc(400 << 10))
  const started = playhead(state, '--allow-low-disk')
  expect(await started.code).toBe(1)
  expect(started.err()).toContain(`The disk ${name} was full.`)
  expect(started.err()).not.toMatch(/is whole|is done/)
  const recording = /recorded in (\S+)$/m.exec(started.err())?.[1] ?? ''
  const manifest = JSON.parse(readFileSync(join(recording, '../run.json'), 'utf8')) as Record<string, unknown>
  expect(manifest).toMatchObject({
    state: 'ended',
    finishReason: 'error',
    incomplete: { reason: 'disk-full', disk: name }
  })

  const recorded = readFileSync(recording, 'utf8')
  const all = allOf()
  let firstLoss = 0
  while (firstLoss < recorded.length && recorded[firstLoss] === all[firstLoss]) firstLoss++
  expect(firstLoss).toBeLessThan(all.length)
  const { from } = manifest['incomplete'] as { from: number }
  expect(from).toBeLessThanOrEqual(firstLoss)
  expect(recorded.slice(0, from)).toBe(all.slice(0, from))
})

import { readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { LiveRun } from '#contract/live-runs.ts'
import { newFolder, program } from '../../../test/run-processes.ts'
import { diskName } from '../disk-space.ts'
import { createWorker } from '../indexer/create-worker.ts'
import { LiveRuns } from './live-runs.ts'
import { RunDisks } from './run-disks.ts'
import { readManifest } from './run-manifest.ts'

const MB = 1 << 20

let folder = ''
let disk = ''
/** Bytes that the disk says it has left. */
let free = 0
let told: LiveRun[] = []
let runs: LiveRuns
beforeEach(async () => {
  folder = realpathSync(newFolder())
  disk = await diskName(folder)
  free = 100_000 * MB
  told = []
  runs = new LiveRuns({
    state: join(folder, 'state'),
    createWorker,
    hook: null,
    tasks: null,
    notify: (name, payload) => {
      if (name !== 'run.changed') return
      told.push(payload as LiveRun)
      for (const listener of listeners.splice(0)) listener()
    },
    variables: { PATH: process.env['PATH'] ?? '', HOME: folder },
    lookAtDisk: async () => ({ free, total: 200_000 * MB })
  })
})
afterEach(async () => await runs.close())

let listeners: (() => void)[] = []

async function toldOf(wanted: (run: LiveRun) => boolean): Promise<LiveRun> {
  for (;;) {
    const run = told.findLast(wanted)
    if (run !== undefined) return run
    await new Promise<void>((resolve) => listeners.push(resolve))
  }
}

const request = () => ({
  ...{ agent: 'claude' as const, prompt: 'Count the geese.', cwd: folder, model: null, mode: null },
  ...{ extraArguments: [], timeLimitMs: null, resumes: null }
})

/** Starts a program of these lines, which waits where it has `wait` until it is told to `go`. */
async function start(lines: readonly string[], lowDisk = false): Promise<LiveRun> {
  await runs.agents.setCommand('claude', program(folder, ['case "$1" in --version) exit; esac', ...lines]))
  return await runs.start(request(), { confirmed: false, lowDisk })
}

const waits = 'while [ ! -e go ]; do sleep 0.02; done'
const go = () => writeFileSync(join(folder, 'go'), '')
const say = (text: string) =>
  `echo '${JSON.stringify({ type: 'assistant', message: { role: 'assistant', content: [{ type: 'text', text }] }, session_id: 's' })}'`
const result = `echo '{"type":"result","subtype":"success","is_error":false,"result":"Over","session_id":"s","num_turns":1}'`
/** Half a record, and the next one behind it. */
const torn = `printf '{"type":"assistant","mess'; ${say('after the hole')}`

/** The run once nothing is left of it, which is the same in its manifest. */
async function ended({ run, recording }: LiveRun): Promise<LiveRun> {
  const over = await runs.ended(run)
  const { incomplete, finishReason, message, state } = over
  expect(await readManifest(join(dirname(recording), 'run.json'))).toMatchObject({
    incomplete,
    finishReason,
    message,
    state
  })
  expect(readdirSync(dirname(recording))).not.toContain('reserve')
  return over
}

async function streamOf({ run }: LiveRun): Promise<string> {
  const stream = (await runs.stream(run)).open()
  try {
    return (await stream.read(Buffer.alloc(await stream.size()), 0)).toString()
  } finally {
    await stream.close()
  }
}

describe('little room', () => {
  test('has a person agree before a run is started', async () => {
    free = 200 * MB
    await expect(start([result])).rejects.toMatchObject({
      code: 'low-disk',
      message: `The disk ${disk} has only 200 MB left. Output that does not fit is lost. Free some space first.`
    })
    expect(readdirSync(join(folder, 'state', 'runs'))).toEqual([])
    const over = await ended(await start([result], true))
    expect(over).toMatchObject({ finishReason: 'done', incomplete: null })
  })

  test('is said on a run that goes on', async () => {
    free = 900 * MB
    const run = await start([waits, result])
    const { message } = await toldOf((one) => one.message !== null)
    expect(message).toBe(`The disk ${disk} has only 900 MB left. The run will be stopped at 32 MB.`)
    go()
    expect(await ended(run)).toMatchObject({ finishReason: 'done', message: null })
  })

  test('stops a run before the disk is full, and says so', async () => {
    free = 300 * MB
    const run = await start([say('one'), 'while :; do sleep 0.1; done'])
    free = 30 * MB
    const over = await ended(run)
    expect(over).toMatchObject({ finishReason: 'error', incomplete: null })
    expect(over.message).toBe(
      `Claude Code was stopped because the disk ${disk} had less than 32 MB left. Free some space and run it again.`
    )
  })
})

describe('a full disk', () => {
  test('makes a run incomplete from where there was room the last time, though its agent says that all is well', async () => {
    free = 60 * MB
    const run = await start([say('one'), waits, say('two'), result], true)
    const { size } = await toldOf((one) => one.stdoutBytes > 0).then((one) => ({ size: one.stdoutBytes }))
    // It is looked at every 20 ms: one look at least has seen these bytes.
    await new Promise((resolve) => setTimeout(resolve, 200))
    free = 0
    // Playhead stops it, or it has ended by itself.
    go()
    const over = await ended(run)
    expect(over.incomplete).toEqual({ from: size, reason: 'disk-full', disk })
    expect(over.finishReason).toBe('error')
    expect(over.message).toContain(
      `The disk ${disk} was full. Output after byte ${size} may be missing from the recording.`
    )
    expect(await streamOf(over)).toMatch(/event: done\ndata: .*"finish_reason":"error".*was full/)
  })

  test('is told by a record that was cut, at its line', async () => {
    free = 100 * MB
    const run = await start([say('one'), torn, result], true)
    const over = await ended(run)
    const from = readFileSync(run.recording).indexOf('\n') + 1
    expect(over).toMatchObject({ finishReason: 'error', incomplete: { from, reason: 'disk-full', disk } })
    expect(over.message).toBe(`The disk ${disk} was full. Output after byte ${from} is missing from the recording.`)
  })

  test('is looked at where a run was over before it was watched', async () => {
    const look = async () => ({ free: 100 * MB, total: 200_000 * MB })
    const ignored = () => {}
    const disks = new RunDisks({ recording: join(folder, 'r'), folder, look, low: ignored, stop: ignored })
    expect(await disks.end()).toMatchObject({ disk, wasScarce: true })
  })

  test.each([
    ['a shell', 'printf: write error: No space left on device'],
    ['Claude Code', 'could not save all of the output because the disk is full (ENOSPC)'],
    ['Codex', 'failed printing to stdout: No space left on device (os error 28)']
  ])('is told by the standard error of %s', async (_, words) => {
    const over = await ended(await start([result, `echo '${words}' >&2`]))
    expect(over).toMatchObject({ finishReason: 'error', incomplete: { from: 0, reason: 'disk-full' } })
    expect(over.message).toBe(
      `The agent reported a full disk. Output may be missing from the recording on ${disk}. It said: ${words}`
    )
  })

  test('is nothing that a damaged line tells where there was room', async () => {
    const over = await ended(await start([torn, result]))
    expect(over).toMatchObject({ finishReason: 'done', incomplete: null, message: null })
  })

  test('is nothing that words between the records tell', async () => {
    free = 100 * MB
    const over = await ended(await start(['echo Loading…', result], true))
    expect(over).toMatchObject({ finishReason: 'done', incomplete: null })
  })
})

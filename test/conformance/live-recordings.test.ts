import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, type ExpectStatic, test } from 'vitest'
import type { LiveRun } from '#contract/live-runs.ts'
import { methods, type LogStatus } from '#contract/methods.ts'
import { contentOf, RunHost } from '../run-host.ts'
import { fixturePlays, type Play } from '../stand-in/play.ts'
import { recordedPlays } from '../stand-in/recorded-plays.ts'
import { standIn } from '../stand-in/stand-in.ts'
import { every } from '../thorough.ts'
import { corpusIsHere } from './corpus.ts'
import { type LogHere, openHere } from './log-here.ts'

/**
 * Agents that behave as the real ones did when they were recorded, started and followed as a person would: what is seen of them while they
 * run is in the end what their recording shows when it is opened.
 */

if (!corpusIsHere) console.warn('live-recordings.test.ts: of its own fixtures only, ../shared/corpus is not here')

/** `PLAYHEAD_REAL_TIME=1`: as slow as they were. Else each takes so many ms, beside what it waits for. */
const quickMs = process.env['PLAYHEAD_REAL_TIME'] === '1' ? null : 500

function paced(play: Play): Play {
  return quickMs === null ? play : { ...play, speed: Math.max(1, play.exitedAfterMs / quickMs) }
}

const host = new RunHost()
afterAll(() => host.close())

interface Followed {
  readonly run: LiveRun
  readonly live: object
  /** How often it was seen longer than before. */
  readonly steps: number
}

/** Starts a stand-in, opens its recording while it runs, stops it where it was stopped then, and waits for its end. */
async function followed(play: Play, offline: LogStatus, expect: ExpectStatic): Promise<Followed> {
  const { command, seen } = standIn(join(host.state, 'stand-ins', play.name), play)
  const { run, recording, format } = await host.start(play.agent, command, { prompt: hostilePrompt })
  const { log } = await host.handlers['log.open']({ path: recording, format })
  if (play.signalledAfterMs !== null) {
    const before = play.chunks.filter(([ms]) => ms <= (play.signalledAfterMs ?? 0))
    const bytes = before.reduce((sum, [, length]) => sum + length, 0)
    await host.log(log, ({ bytesRead }) => bytesRead === bytes)
    await host.handlers['run.stop']({ run })
  }
  const ended = await host.ended(run)
  const { bytes, rows, settled, todoSnapshots, issues } = offline
  const status = await host.log(log, (now) => {
    return now.bytesRead === bytes && now.rows === rows && now.settled.rows === settled.rows && now.phase === 'done'
  })
  expect(status).toMatchObject({ todoSnapshots, issues, format })
  expect(seen()).toMatchObject({ prompt: hostilePrompt, env: { PLAYHEAD_RUN: run } })
  const left = seen().leftBehind
  expect(left === null || hasEnded(left)).toBe(true)
  const lengths = host.statuses.filter((one) => one.log === log).map(({ bytesRead }) => bytesRead)
  const live = await contentOf(host.handlers, status)
  await host.handlers['log.close']({ log })
  return { run: ended, live, steps: new Set(lengths).size }
}

/** Nobody may have collected it yet. */
function hasEnded(pid: number): boolean {
  return /^(Z.*)?$/.test(spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).stdout.trim())
}

/** No shell and no parser of options gets to see it. */
const hostilePrompt = `--help "; $(touch x) 'Zähle\n\tdie Schafe 🐑\\' %PATH% \`id\``

/** Its agent says something after its last turn, and then nothing. */
const unfinished = new Set(['claude-stream-json/damage'])

/** As the agents put it. */
const whatFailed = /API Error: \d+ |messages\.3: |Reached maximum|We.re currently|\[API Error: /

/** Of the main agent's last turn. */
async function lastTurn({ handlers, status: { log, rows } }: LogHere): Promise<string | null> {
  for (let row = rows - 1; row >= 0; row--) {
    const { event } = await handlers['log.event']({ log, row, limit: 1000 })
    if (event?.type === 'turn.completed' && event.trackId === undefined) return event.finishReason
  }
  return null
}

async function todoAtTheEnd({ handlers, status: { log, todoSnapshots } }: LogHere): Promise<LiveRun['todo']> {
  if (todoSnapshots === 0) return null
  const columns = methods['log.todoColumns'].result.parse(await handlers['log.todoColumns']({ log, from: 0 }))
  const last = new Uint16Array(columns.track).lastIndexOf(0)
  if (last < 0) return null
  return { completed: new Uint16Array(columns.completed)[last] ?? 0, total: new Uint16Array(columns.total)[last] ?? 0 }
}

/** It was recorded in a way in which Playhead does not start it (signals did not come through), and would be killed long before its end. */
function outlivesItsStop({ signalledAfterMs, exitedAfterMs, speed }: Play): boolean {
  return signalledAfterMs !== null && (exitedAfterMs - signalledAfterMs) / speed > 5000
}

const plays = [...every(6, recordedPlays()), ...fixturePlays()].map(paced).filter((play) => !outlivesItsStop(play))

describe('a live run of a stand-in', () => {
  test.concurrent.for(plays)('$name', async (play, { expect }) => {
    const opened = await openHere(play.stdout)
    const offline = opened.status
    expect(offline.phase).toBe('done')
    const { run, live, steps } = await followed(play, offline, expect)

    expect(readFileSync(run.recording).equals(readFileSync(play.stdout))).toBe(true)
    expect(live).toEqual(await contentOf(opened.handlers, offline))
    expect(steps).toBeGreaterThan(1)

    const { exitCode, exitSignal, signalled } = play
    expect(run).toMatchObject({ state: 'ended', exitCode, signal: exitSignal, own: true })
    expect(run).toMatchObject({ sessionId: offline.sessionId, stdoutBytes: offline.bytes })
    expect(run.todo).toEqual(await todoAtTheEnd(opened))
    const isUnfinished = unfinished.has(play.name)
    const byItself = exitCode !== 0 || isUnfinished ? 'error' : ((await lastTurn(opened)) ?? 'done')
    expect(run.finishReason).toBe(signalled === null ? byItself : 'cancelled')
    expect(run.unfinished).toBe(isUnfinished)
    if (isUnfinished) expect(run.message).toMatch(/^The agent exited without a final turn/)
    else if (run.finishReason !== 'error') expect(run.message).toBeNull()
    // Not a stack of functions, nor what it warns of each time.
    else expect(run.message).toMatch(new RegExp(`ended with exit code ${exitCode}\\. It said: ${whatFailed.source}`))
    if (play.stderr !== null) {
      const { bytes } = await host.handlers['run.stderr']({ run: run.run, from: 0, count: 1_048_576 })
      expect(Buffer.from(bytes).equals(readFileSync(play.stderr))).toBe(true)
    }
    await opened.close()
  })
})

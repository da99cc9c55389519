// `npm run soak [CYCLES]`: starts and stops live runs in the built server, with an agent that leaves processes behind in every way, and fails where
// a process, a thread or an open file of any of them is left.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { prepare } from '../bin/prepare.js'
import { figure, printFigures } from './figures.js'
import { folder } from './logs.js'
import { heldBy, pause, settled, within } from './processes.js'
import { forget, withServer } from './server.js'

const cycles = Number(process.argv[2] ?? 1000)
/** At once; a person has fewer. */
const lanes = 4
/** Before anything is counted: what a host opens once stays open. */
const warmUps = 12
/** A cycle takes well below a second; those that have to be killed have their grace first. */
const limitSeconds = 120 + 2 * cycles
const scratch = join(folder, 'live-runs')

/** What an agent does, by the prompt, and how its run has to end. Every twentieth cycle is of one that has to be killed. */
const ways = [
  { prompt: 'stopped at once', finishReason: 'cancelled', stop: 'at once' },
  { prompt: 'stopped at work', finishReason: 'cancelled', stop: 'at work' },
  { prompt: 'ends by itself', finishReason: 'done', stop: null },
  { prompt: 'fails', finishReason: 'error', stop: null }
]
const stubborn = { prompt: 'ignores all', finishReason: 'cancelled', stop: 'at work' }
const wayOf = (cycle) => (cycle % 20 === 19 ? stubborn : ways[cycle % ways.length])

const record = (more) => `echo '${JSON.stringify({ session_id: 'soak', ...more })}'`
const agent = `#!/bin/sh
[ "$1" = --version ] && { echo 1.2.3; exit; }
[ "$PLAYHEAD_SOAK" = child ] && { trap '' INT TERM HUP; exec sleep 1000; }
read -r way
${record({ type: 'system', subtype: 'init', model: 'm', tools: [] })}
sleep 1000 &
setsid sleep 1000 &
(setsid sh -c '(setsid sleep 1000 &)' &)
[ "$way" = 'ignores all' ] && { trap '' INT TERM HUP; PLAYHEAD_SOAK=child setsid "$0" & }
${record({ type: 'result', subtype: 'success', is_error: false, result: 'Over', num_turns: 1 })}
case $way in
  ends*) exit 0 ;;
  fails) exit 3 ;;
  stopped*) trap 'exit 0' INT ;;
esac
while :; do sleep 1; done
`

/** Living processes and zombies with any of these runs in their environment or command line, or that server as parent. */
function processesOf(runs, server) {
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return []
    const status = textOf(`/proc/${pid}/status`)
    if (new RegExp(`^PPid:\\s+${server}$`, 'm').test(status)) return pid
    const [, run] = /PLAYHEAD_RUN=([0-9a-z-]+)/.exec(textOf(`/proc/${pid}/environ`)) ?? []
    const words = textOf(`/proc/${pid}/cmdline`).split('\0')
    return runs.has(run) || (words.includes('playhead-watchdog') && words.some((word) => runs.has(word))) ? pid : []
  })
}

function textOf(path) {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}

let server = null

async function soak({ pid, connect }) {
  server = pid
  const page = await connect()
  /** What is waited for, by run. */
  const waiting = new Map()
  const runs = new Map()
  page.listen((name, run) => {
    if (name !== 'run.changed') return
    runs.set(run.run, run)
    waiting.get(run.run)?.()
  })
  const until = async (run, isSo) => {
    while (!isSo(runs.get(run))) await new Promise((resolve) => waiting.set(run, resolve))
    waiting.delete(run)
    return runs.get(run)
  }
  const command = join(scratch, 'agent')
  writeFileSync(command, agent, { mode: 0o755 })
  await page.call('agent.setCommand', { agent: 'claude', command })

  const wrong = []
  async function cycle(number) {
    const way = wayOf(number)
    const request = {
      agent: 'claude',
      prompt: `${way.prompt}\n`,
      cwd: scratch,
      model: null,
      mode: null,
      extraArguments: []
    }
    const started = await page.call('run.start', { request: { ...request, timeLimitMs: null }, confirmed: true })
    const { run } = started
    if (!runs.has(run)) runs.set(run, started)
    if (way.stop === 'at work') await until(run, ({ stdoutBytes, endedAt }) => stdoutBytes > 0 || endedAt !== null)
    if (way.stop !== null) await page.call('run.stop', { run })
    const { state, finishReason, message } = await until(run, ({ endedAt }) => endedAt !== null)
    if (state !== 'ended' || finishReason !== way.finishReason)
      wrong.push(`${run} (${way.prompt}): ${state}, ${finishReason}: ${message}`)
  }
  async function all(count) {
    let next = 0
    const lane = async () => {
      while (next < count) await cycle(next++)
    }
    await Promise.all(Array.from({ length: lanes }, lane))
  }

  await all(warmUps)
  await pause(3000)
  const before = heldBy(pid)
  const began = performance.now()
  await all(cycles)
  const seconds = (performance.now() - began) / 1000
  const after = await settled(pid, before)
  const left = processesOf(new Set(runs.keys()), pid)
  page.close()
  return { wrong, left, before, after, seconds }
}

await prepare()
forget()
rmSync(scratch, { recursive: true, force: true })
mkdirSync(scratch, { recursive: true })
const found = await within(limitSeconds, `${cycles} cycles`, withServer(soak)).catch((error) => {
  console.error(error.message)
  // What it started ends with it.
  if (server !== null) process.kill(server, 'SIGKILL')
  process.exit(1)
})
const { wrong, left, before, after, seconds } = found
printFigures(`${cycles} live runs, started and stopped, ${lanes} at once`, [
  figure('runs that did not end as they had to', wrong.length, '', { most: 0, note: wrong[0] ?? '' }),
  figure('processes left', left.length, '', { most: 0, note: left.join(' ') }),
  figure('open files more than before', after.files - before.files, '', { most: 0, note: `${after.files} are open` }),
  figure('threads more than before', after.threads - before.threads, '', { most: 0, note: `${after.threads} run` }),
  figure('memory of the host more than before', after.memory - before.memory, 'MB'),
  figure('a run, from start to end', (seconds * 1000) / cycles, 'ms', { note: 'with all that it left behind' })
])
process.exitCode =
  wrong.length + left.length === 0 && after.files <= before.files && after.threads <= before.threads ? 0 : 1

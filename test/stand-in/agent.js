import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync, writeSync } from 'node:fs'
import { setTimeout as after } from 'node:timers/promises'
import { prompt, refusal } from './command-line.js'

// node agent.js PLAY SEEN ARGUMENTS…: behaves as an agent did when it was recorded. PLAY is a `Play` (play.ts), SEEN a file for what it was
// started with.
const [playFile = '', seenFile = '', ...args] = process.argv.slice(2)
const play = JSON.parse(readFileSync(playFile, 'utf8'))

const refused = refusal(play.agent, args, process.env, play.session)
if (refused !== null) {
  write(2, Buffer.from(`${refused.said}\n`))
  process.exit(refused.exitCode)
}
const { cwd, env, pid } = { cwd: process.cwd(), env: process.env, pid: process.pid }
const seen = { args, cwd, env, pid, prompt: prompt(play.agent), leftBehind: null }
if (play.leavesBehind) {
  // As all three start their commands: in a session of its own.
  const command = spawn('sleep', ['600'], { detached: true, stdio: 'ignore' })
  command.unref()
  seen.leftBehind = command.pid
}
writeFileSync(seenFile, JSON.stringify(seen))

const began = performance.now()
/** Resolves `ms` of the recording after its start. `pause`: how long the recording stood still, in ms since the start. */
async function at(ms, pause = 0) {
  await after(Math.max(0, ms / play.speed + pause - (performance.now() - began)))
}

/** stdout is a file or a pipe: all of it, or none is left to write to. */
function write(descriptor, bytes) {
  for (let done = 0; done < bytes.length;) done += writeSync(descriptor, bytes, done)
}

let signalled = () => {}
const hasSignal = new Promise((resolve) => (signalled = resolve))
// One that it was not recorded with does not end it either: it is the next one that has to.
if (play.signalled !== null) {
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => signal === play.signalled && signalled())
}

if (play.stderr !== null) write(2, readFileSync(play.stderr))
const stdout = readFileSync(play.stdout)
let written = 0
let paused = 0
let waits = play.signalledAfterMs !== null
async function waitForSignal() {
  waits = false
  await at(play.signalledAfterMs)
  const alive = setInterval(() => {}, 1000)
  await hasSignal
  clearInterval(alive)
  paused = performance.now() - began - play.signalledAfterMs / play.speed
}
for (const [ms, bytes] of play.chunks) {
  if (waits && ms > play.signalledAfterMs) await waitForSignal()
  await at(ms, paused)
  write(1, stdout.subarray(written, written + bytes))
  written += bytes
}
if (waits) await waitForSignal()
await at(play.exitedAfterMs, paused)
if (play.exitSignal === null) process.exit(play.exitCode)
process.removeAllListeners(play.exitSignal)
process.kill(process.pid, play.exitSignal)

import { spawn } from 'node:child_process'
import { appendFileSync, closeSync, existsSync, mkdirSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import { once } from 'node:events'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'

// node dialogue-agent.js PLAY SEEN ARGUMENTS…: an agent that is talked to. It prints what was recorded, and waits for a line wherever the
// recorded host had written one. PLAY is a `DialoguePlay` (dialogue-play.ts). In the folder SEEN it notes what it was started with, read
// and printed.
const [playFile = '', seen = '', ...args] = process.argv.slice(2)
const play = JSON.parse(readFileSync(playFile, 'utf8'))
writeFileSync(`${seen}/started.json`, JSON.stringify({ args, pid: process.pid, cwd: process.cwd() }))

const input = createInterface({ input: process.stdin })
const lines = []
let isOver = false
let wake = () => {}
input.on('line', (line) => {
  appendFileSync(`${seen}/read.jsonl`, `${line}\n`)
  lines.push(line)
  wake()
})
input.on('close', () => {
  isOver = true
  wake()
})
// Playhead was killed: as the real ones, it goes on with what it may do.
process.stdout.on('error', () => {})

/** The next line of the host; null: there is none any more. */
async function nextLine() {
  while (lines.length === 0 && !isOver) await new Promise((resolve) => (wake = resolve))
  return lines.shift() ?? null
}

async function endOfInput() {
  while (!isOver) await new Promise((resolve) => (wake = resolve))
}

function print(text) {
  appendFileSync(`${seen}/printed.jsonl`, text)
  const bytes = Buffer.from(text)
  try {
    for (let done = 0; done < bytes.length;) done += writeSync(1, bytes, done)
  } catch (error) {
    if (error.code !== 'ENOSPC' || play.fullDisk === undefined) throw error
    isFull = true
    if (play.fullDisk !== 'ends') return
    writeSync(2, 'failed printing to stdout: No space left on device (os error 28)\n')
    process.exit(101)
  }
}

/** Gemini CLI keeps a log of its own of each session. */
function save({ file, line }) {
  const path = join(process.env.GEMINI_CLI_HOME ?? process.env.HOME, '.gemini', 'tmp', file)
  mkdirSync(dirname(path), { recursive: true })
  appendFileSync(path, `${line}\n`)
}

let refused = 0
/** A call that is refused sends it nothing: without a pause it would be ahead of its person. */
async function nextRefusal() {
  const path = `${seen}/refused.txt`
  for (refused++; !existsSync(path) || readFileSync(path, 'utf8').length < refused;) await setTimeout(5)
}

let command = null
let isFull = false
if (play.fullDisk !== undefined) for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {})

async function runCommand(what) {
  if (what === 'starts') {
    // As real agents do, in a process group of its own.
    command = spawn('sleep', ['300'], { detached: true, stdio: 'ignore' })
    writeFileSync(`${seen}/command.txt`, String(command.pid))
    return
  }
  const ended = once(command, 'exit')
  command.kill('SIGKILL')
  await ended
}

async function fault(kind, line) {
  const forever = async () => {
    setInterval(() => {}, 1000)
    await new Promise(() => {})
  }
  switch (kind) {
    // It reads, and says nothing more.
    case 'stall':
      return await forever()
    // Its input is closed, and it goes on.
    case 'deaf':
      process.stdin.destroy()
      return await forever()
    case 'close':
      closeSync(1)
      return await forever()
    case 'break':
      print('{"type":"control_request","request_id":"torn","request":{"subt\n')
      return
    case 'half':
      print(line.slice(0, line.length / 2))
      return process.kill(process.pid, 'SIGKILL')
    case 'die':
      return process.kill(process.pid, 'SIGKILL')
  }
}

for (const [number, step] of play.steps.entries()) {
  if (play.fault !== null && play.fault.before === number) {
    await fault(play.fault.kind, step.out ?? '')
    // Signals are delivered in another turn of the event loop.
    if (play.fault.kind === 'half' || play.fault.kind === 'die') await new Promise(() => setInterval(() => {}, 1000))
  }
  appendFileSync(`${seen}/steps.txt`, `${number}\n`)
  if (step.out !== undefined) print(`${step.out}\n`)
  else if (step.saves !== undefined) save(step.saves)
  else if (step.err !== undefined) process.stderr.write(`${step.err}\n`)
  else if (step.command !== undefined) await runCommand(step.command)
  else if (step.call !== undefined && step.refused !== null) await nextRefusal()
  else if (step.in === null) await endOfInput()
  // It ended its input: the rest is not waited for.
  else if (step.in !== undefined && (await nextLine()) === null) break
}
appendFileSync(`${seen}/steps.txt`, 'end\n')
if (isFull && play.fullDisk === 'says') {
  writeSync(2, 'could not save all of the output because the disk is full (ENOSPC)\n')
  process.exit(1)
}
process.exit(play.exitCode)

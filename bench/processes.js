import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { folder } from './logs.js'

/** The most memory a process has had so far, in bytes; NaN where the system does not say. (`maxRSS` counts that of the parent.) */
export function peakBytes(pid) {
  return 1024 * numberIn(`/proc/${pid}/status`, /VmHWM:\s*(\d+)/)
}

/** How long all threads of a process have run, in ms; those that ended do not count. NaN where the system does not say. */
export function cpuMs(pid) {
  try {
    const tasks = readdirSync(`/proc/${pid}/task`)
    return tasks.reduce((sum, task) => sum + numberIn(`/proc/${pid}/task/${task}/schedstat`, /^(\d+)/) / 1e6, 0)
  } catch {
    return NaN
  }
}

function numberIn(path, pattern) {
  try {
    return Number(pattern.exec(readFileSync(path, 'utf8'))?.[1])
  } catch {
    return NaN
  }
}

/** What a process needs that does nothing. */
export async function emptyProcessBytes() {
  const child = spawn(process.execPath, ['-e', 'console.log(1); setInterval(() => {}, 1000)'], {
    stdio: ['ignore', 'pipe', 'inherit']
  })
  await once(child.stdout, 'data')
  await pause(300)
  const bytes = peakBytes(child.pid)
  child.kill('SIGKILL')
  return bytes
}

/** Runs a program to its end: wall time, peak memory (of a Node program), exit code. `out`: a file for its stdout. */
export async function timeProgram(command, args, { env = {}, out = '/dev/null' } = {}) {
  const stdout = openSync(out, 'w')
  const isNode = command === process.execPath
  const report = join(folder, `peak-${process.pid}.json`)
  rmSync(report, { force: true })
  const probe = new URL('./peak.js', import.meta.url).href
  const began = performance.now()
  const child = spawn(command, isNode ? ['--import', probe, ...args] : args, {
    env: { ...process.env, ...env, PLAYHEAD_BENCH_REPORT: report },
    stdio: ['ignore', stdout, 'ignore']
  })
  const [code] = await once(child, 'close')
  const ms = performance.now() - began
  closeSync(stdout)
  return { ms, code, peakBytes: isNode ? JSON.parse(readFileSync(report, 'utf8')).peakBytes : NaN }
}

/** The last line a Node program prints, as JSON. */
export async function jsonOf(script, ...args) {
  const child = spawn(process.execPath, [new URL(script, import.meta.url).pathname, ...args], {
    stdio: ['ignore', 'pipe', 'inherit']
  })
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (more) => (text += more))
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${script} ended with ${code}`)
  return JSON.parse(text)
}

/** Whether a program is installed. */
export async function has(program) {
  const child = spawn(program, ['--version'], { stdio: 'ignore' })
  return await new Promise((resolve) => {
    child.on('error', () => resolve(false))
    child.on('exit', () => resolve(true))
  })
}

export function pause(ms) {
  return new Promise((resume) => setTimeout(resume, ms))
}

/** Fails where something takes longer than so many seconds. */
export async function within(seconds, what, promise) {
  let timer
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what}: nothing in ${seconds} s`)), seconds * 1000)
  })
  return await Promise.race([promise, late]).finally(() => clearTimeout(timer))
}

/** The middle one. */
export function median(values, key = (value) => value) {
  const sorted = [...values].sort((a, b) => key(a) - key(b))
  return sorted[Math.floor(sorted.length / 2)]
}

/** The least: what else the machine does shares its caches and cores, and only adds. */
export function least(values, key = (value) => value) {
  return values.reduce((best, value) => (key(value) < key(best) ? value : best))
}

/** What a process has open and runs; `memory` and `peak` in MB. Linux. */
export function heldBy(pid) {
  return {
    files: readdirSync(`/proc/${pid}/fd`).length,
    threads: readdirSync(`/proc/${pid}/task`).length,
    memory: numberIn(`/proc/${pid}/status`, /VmRSS:\s*(\d+)/) / 1024,
    peak: numberIn(`/proc/${pid}/status`, /VmHWM:\s*(\d+)/) / 1024
  }
}

/** What it holds once that is no more than before, or after half a minute. */
export async function settled(pid, before) {
  for (let turn = 0; ; turn++) {
    const held = heldBy(pid)
    if (turn === 60 || (held.files <= before.files && held.threads <= before.threads)) return held
    await pause(500)
  }
}

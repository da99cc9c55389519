// `npm run bench`: how fast and how large (with `-- --formats` only what each format costs). Ratios matter more than the numbers, so all is measured on one machine in one run.
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, openSync, readFileSync, readSync, rmSync, statSync } from 'node:fs'
import { cpus, release, totalmem, type } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import WebSocket from 'ws'
import { prepare, root } from '../bin/prepare.js'
import { makeLog } from './make-log.js'

const folder = join(root, '.bench')
const chunkBytes = 1 << 20
const megabytes = Number(process.env.PLAYHEAD_BENCH_MB ?? 200)
const rounds = 3

/** What any reader has to do: bytes, lines, JSON. One thread, everything dropped at once. */
function floor(path) {
  return timed(() => {
    const file = openSync(path, 'r')
    const chunk = Buffer.alloc(chunkBytes)
    let rest = Buffer.alloc(0)
    let records = 0
    for (;;) {
      const length = readSync(file, chunk)
      if (length === 0) return { records }
      const bytes = Buffer.concat([rest, chunk.subarray(0, length)])
      let from = 0
      for (let to = bytes.indexOf(10); to >= 0; to = bytes.indexOf(10, from)) {
        const line = bytes.toString('utf8', from, to)
        from = to + 1
        try {
          JSON.parse(line)
          records++
        } catch {
          // The log has lines that are not JSON.
        }
      }
      rest = Buffer.from(bytes.subarray(from))
    }
  })
}

/** Events and issues of the whole log, by the one path every command reads by. */
async function fullRead(path) {
  const { detectFormat, headOf, LogReader } = await import(`${root}/out/core/index.js`)
  return timed(() => {
    const file = openSync(path, 'r')
    const chunk = Buffer.alloc(chunkBytes)
    let reader
    let events = 0
    let issues = 0
    for (;;) {
      const length = readSync(file, chunk)
      if (length === 0) break
      reader ??= new LogReader(detectFormat(headOf(path, chunk.subarray(0, length))).format, {
        line(line) {
          events += line.events.length
          issues += line.issues.length
        }
      })
      reader.push(chunk.subarray(0, length))
    }
    reader.end()
    return { events, issues }
  })
}

/** Every kind of log, one after the other in one process: they share the code that is hot, as they do in the app. */
async function formats() {
  const { costOf, kindsOfLogs } = await import('./format-costs.js')
  return kindsOfLogs().map(costOf)
}

function timed(work) {
  const began = performance.now()
  const counts = work()
  return { ms: performance.now() - began, peakRssBytes: process.resourceUsage().maxRSS * 1024, ...counts }
}

/** Opens the log as the page does: the built server, its thread, the WebSocket. Asks for pages while it is read. */
async function open(path) {
  const report = join(folder, 'probe.json')
  rmSync(report, { force: true })
  const probe = new URL('./probe.js', import.meta.url).href
  const server = spawn(process.execPath, ['--import', probe, join(root, 'out/main/cli.js'), 'serve', '--no-open'], {
    env: { ...process.env, PLAYHEAD_BENCH_REPORT: report, PLAYHEAD_STATE_DIR: join(folder, 'state') },
    stdio: ['ignore', 'pipe', 'inherit']
  })
  try {
    const [url] = await once(createInterface(server.stdout), 'line')
    await new Promise((resume) => setTimeout(resume, 1000))
    const page = await connect(new URL(url))
    const began = performance.now()
    const { log } = await page.call('log.open', { path })
    let firstRowsMs = null
    let slowestPageMs = 0
    for (;;) {
      const asked = performance.now()
      const status = await page.call('log.status', { log })
      if (status.rows > 0) {
        const from = Math.max(0, Math.floor(status.rows / 2) - 30)
        const rows = Array.from({ length: Math.min(60, status.rows) }, (_, i) => from + i)
        await page.call('log.rows', { log, rows })
        firstRowsMs ??= performance.now() - began
        slowestPageMs = Math.max(slowestPageMs, performance.now() - asked)
      }
      if (status.phase !== 'reading') {
        page.close()
        const ms = performance.now() - began
        server.kill('SIGTERM')
        await once(server, 'exit')
        const { rows, events } = status
        return { ms, firstRowsMs, slowestPageMs, rows, events, ...JSON.parse(readFileSync(report, 'utf8')) }
      }
      await new Promise((resume) => setTimeout(resume, 20))
    }
  } finally {
    server.kill('SIGKILL')
  }
}

/** As much of the contract's client as is wanted here: calls whose answers are JSON. */
async function connect(url) {
  const socket = new WebSocket(`ws://127.0.0.1:${url.port}/rpc${url.search}`)
  await once(socket, 'open')
  const waiting = new Map()
  socket.on('message', (data, isBinary) => {
    if (isBinary) return
    const answer = JSON.parse(data.toString())
    waiting.get(answer.id)?.(answer)
  })
  let calls = 0
  return {
    close: () => socket.close(),
    call: (method, params) =>
      new Promise((resolve, reject) => {
        const id = calls++
        waiting.set(id, (answer) =>
          answer.kind === 'result' ? resolve(answer.result) : reject(new Error(answer.message))
        )
        socket.send(JSON.stringify({ kind: 'call', id, method, params }))
      })
  }
}

function once(emitter, event) {
  return new Promise((resolve, reject) => {
    emitter.once(event, (...values) => resolve(values))
    emitter.once('error', reject)
  })
}

/** What is found in a process of its own. */
function measureApart(...args) {
  return JSON.parse(execFileSync(process.execPath, [fileURLToPath(import.meta.url), ...args], { encoding: 'utf8' }))
}

/** The middle one of several measurements. */
function measure(name, path) {
  const runs = Array.from({ length: rounds }, () => measureApart(name, path))
  return runs.toSorted((a, b) => a.ms - b.ms)[Math.floor(rounds / 2)]
}

function table(found, bytes) {
  const mb = (number) => `${(number / 2 ** 20).toFixed(0)} MB`
  const ms = (number) => `${number.toFixed(0)} ms`
  const row = (name, { ms: took, peakRssBytes }, rest = '') =>
    console.log(
      [name.padEnd(12), ms(took).padStart(9), `${(bytes / 2 ** 20 / (took / 1000)).toFixed(0)} MB/s`.padStart(10)].join(
        ''
      ),
      `${(took / found.floor.ms).toFixed(2)} x floor  peak ${mb(peakRssBytes)}`,
      rest
    )
  row('floor', found.floor)
  row('full read', found.fullRead)
  const { firstRowsMs, slowestPageMs, longestBlockMs, longestRunMs } = found.open
  row('open', found.open)
  console.log(
    `  first rows ${ms(firstRowsMs)}, slowest page while reading ${ms(slowestPageMs)},`,
    `longest block of the host's main thread ${longestBlockMs.toFixed(1)} ms`,
    `(of which it ran at most ${longestRunMs.toFixed(1)} ms; the rest it waited for a core)`
  )
}

/** Reading as a ratio to `JSON.parse` of the same lines: as strings, and as the bytes they are. */
function formatTable(costs) {
  console.log(`\n${'format'.padEnd(40)}      MB    lines   events  parse  floor   read  x parse  x floor`)
  for (const { of, name, bytes, lines, events, parseMs, floorMs, readMs, toParse, toFloor } of costs) {
    const numbers = [
      (bytes / 1e6).toFixed(1).padStart(8),
      ...[lines, events].map((count) => String(count).padStart(9)),
      ...[parseMs, floorMs, readMs].map((ms) => ms.toFixed(0).padStart(7)),
      ...[toParse, toFloor].map((ratio) => ratio.toFixed(2).padStart(9))
    ]
    console.log(`${of} ${name}`.padEnd(40) + numbers.join(''))
  }
  console.log()
}

async function main() {
  await prepare()
  if (process.argv[2] === '--formats') {
    const costs = measureApart('formats')
    formatTable(costs)
    console.log(JSON.stringify(costs))
    return
  }
  mkdirSync(folder, { recursive: true })
  const path = join(folder, `run-${megabytes}mb.jsonl`)
  if (!existsSync(path)) makeLog(path, megabytes * 2 ** 20)
  const bytes = statSync(path).size
  const found = { floor: measure('floor', path), fullRead: measure('full-read', path), open: measure('open', path) }
  table(found, bytes)
  const costs = measureApart('formats')
  formatTable(costs)
  const [cpu] = cpus()
  const machine = { cpu: cpu?.model, cores: cpus().length, memory: totalmem(), os: `${type()} ${release()}` }
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  console.log(JSON.stringify({ bytes, ...found, formats: costs, machine, node: process.version, playhead: version }))
}

const measurements = { floor, 'full-read': fullRead, open, formats }
const measurement = measurements[process.argv[2] ?? '']
if (measurement) console.log(JSON.stringify(await measurement(process.argv[3])))
else await main()

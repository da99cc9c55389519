import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import WebSocket from 'ws'
import { root } from '../bin/prepare.js'
import { folder } from './logs.js'
import { pause, peakBytes } from './processes.js'

/** What a server keeps between starts. */
export const stateFolder = join(folder, 'state')

/** Nothing is remembered, no index is saved. */
export function forget() {
  rmSync(stateFolder, { recursive: true, force: true })
  mkdirSync(stateFolder, { recursive: true })
}

/**
 * Starts the built server, does `work` with it and ends it. Gives what `work` gave, and with it the most memory the server had
 * and for how long its main thread was blocked.
 */
export async function withServer(work, { env = {}, files = [] } = {}) {
  const report = join(folder, `probe-${process.pid}.json`)
  rmSync(report, { force: true })
  const probe = new URL('./probe.js', import.meta.url).href
  const args = ['--import', probe, join(root, 'out/main/cli.js'), 'serve', '--no-open', ...files]
  const child = spawn(process.execPath, args, {
    env: {
      ...process.env,
      ...env,
      PLAYHEAD_BENCH_REPORT: report,
      PLAYHEAD_STATE_DIR: stateFolder,
      PLAYHEAD_CACHE_DIR: join(stateFolder, 'cache')
    },
    stdio: ['ignore', 'pipe', 'inherit']
  })
  const exited = once(child, 'exit')
  try {
    const [url] = await Promise.race([once(createInterface(child.stdout), 'line'), exited.then(ended)])
    await pause(1000)
    const access = await letIn(url)
    const done = await work({ url: await access.address(), pid: child.pid, connect: () => connect(access) })
    const peak = peakBytes(child.pid)
    child.kill('SIGTERM')
    await exited
    return { ...done, peakBytes: peak, ...JSON.parse(readFileSync(report, 'utf8')) }
  } finally {
    child.kill('SIGKILL')
  }
}

/** What the page does with the address that is printed, which works once. `address()` gives another one. */
async function letIn(printed) {
  const { origin, host, hash } = new URL(printed)
  const post = async (path, secret) => {
    const answer = await fetch(`${origin}${path}`, { method: 'POST', headers: { authorization: `Bearer ${secret}` } })
    if (!answer.ok) throw new Error(await answer.text())
    return await answer.json()
  }
  const { token } = await post('/api/token', hash.replace('#code=', ''))
  return { host, token, address: async () => `${origin}/#code=${(await post('/api/code', token)).code}` }
}

function ended() {
  throw new Error('the server ended before it printed its address')
}

/**
 * As much of the contract's client as is wanted here: calls, whose buffers are told by their lengths alone (`frame.bytes`), and notices.
 * `hear(name, test)` resolves with the first payload of that name that passes, also of one that came since the last call of `hear`.
 */
async function connect({ host, token }) {
  const socket = new WebSocket(`ws://${host}/rpc`, ['playhead', `playhead.token.${token}`])
  await once(socket, 'open')
  const waiting = new Map()
  const listeners = new Set()
  socket.on('message', (data, isBinary) => {
    const body = JSON.parse(isBinary ? jsonOfFrame(data) : data.toString())
    if (body.kind === 'notice') for (const listener of listeners) listener(body.name, body.payload)
    else waiting.get(body.id)?.(body)
  })
  let calls = 0
  return {
    close: () => socket.close(),
    /** Calls back for every notice until what it returns is called. */
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    call: (method, params) =>
      new Promise((resolve, reject) => {
        const id = calls++
        waiting.set(id, (answer) => {
          waiting.delete(id)
          if (answer.kind === 'result') resolve(answer.result)
          else reject(new Error(`${method}: ${answer.message}`))
        })
        socket.send(JSON.stringify({ kind: 'call', id, method, params }))
      })
  }
}

/** The JSON of a frame with buffers (`contract/wire.ts`). */
function jsonOfFrame(frame) {
  const length = frame.readUInt32LE(0)
  const start = Math.ceil((8 + 4 * frame.readUInt32LE(4)) / 8) * 8
  return frame.toString('utf8', start, start + length)
}

/** Resolves with the first status of the log that passes, `current` included. Fails where the log does. */
export function statusOf(page, current, passes) {
  return new Promise((resolve, reject) => {
    const look = (status) => {
      if (status.log !== current.log) return
      if (status.phase === 'failed') reject(new Error(status.error.message))
      else if (!passes(status)) return
      else resolve(status)
      stop()
    }
    const stop = page.listen((name, payload) => name === 'log.progress' && look(payload))
    look(current)
  })
}

const pageRows = 200_000

/**
 * Opens a log and asks for its columns as the page does: one page of them after another, as far as the host has said it read.
 * Gives the last status and when, in ms since the call, the first rows, the end of the log and all columns were there.
 */
export async function openAsPage(page, path) {
  const began = performance.now()
  const since = () => performance.now() - began
  // What is said of it may come together with the answer.
  const said = new Map()
  let changed = () => {}
  const stop = page.listen((name, payload) => {
    if (name !== 'log.progress') return
    said.set(payload.log, payload)
    status = payload.log === log ? payload : status
    changed()
  })
  let log = null
  let status = null
  let doneMs = null
  const opened = await page.call('log.open', { path })
  log = opened.log
  status = said.get(log) ?? opened
  let have = 0
  let firstRowsMs = null
  for (;;) {
    if (status.phase === 'failed') throw new Error(status.error.message)
    if (status.phase === 'done') doneMs ??= since()
    if (status.rows > have) {
      const count = Math.min(status.rows - have, have === 0 ? 2000 : pageRows)
      have += (await page.call('log.columns', { log, from: have, count })).count
      if (firstRowsMs === null) {
        await page.call('log.rows', { log, rows: Array.from({ length: Math.min(60, have) }, (_, row) => row) })
        firstRowsMs = since()
      }
    } else if (doneMs !== null) break
    else await new Promise((resume) => (changed = resume))
  }
  stop()
  return { ...statusFacts(status), log, firstRowsMs, ms: doneMs, columnsMs: since() }
}

/** Of a status what a bench compares or prints. */
function statusFacts({ rows, events, issues, savedRows, bytes }) {
  return { rows, events, issues: issues.malformed + issues.violation + issues.notice, savedRows, bytes }
}

/** One search from its call to its end. `error`: why it was stopped. */
export async function findOnce(page, params) {
  const began = performance.now()
  let firstMs = NaN
  let find = null
  const early = []
  return await new Promise((resolve, reject) => {
    const look = (progress) => {
      if (find === null) early.push(progress)
      if (progress.find !== find) return
      if (progress.hits > 0 && Number.isNaN(firstMs)) firstMs = performance.now() - began
      if (progress.searching) return
      stop()
      resolve({ find, ms: performance.now() - began, hits: progress.hits, firstMs, error: progress.error })
    }
    const stop = page.listen((name, payload) => name === 'log.found' && look(payload))
    page.call('log.find', params).then((answer) => {
      find = answer.find
      early.splice(0).forEach(look)
    }, reject)
  })
}

/** Asks for single rows here and there, as someone does who scrolls. Gives the slowest answer in ms. */
export async function scroll(page, log, rows) {
  let slowestMs = 0
  for (let place = 0; place < 100; place++) {
    const from = Math.floor((rows * ((place * 37) % 100)) / 100)
    const wanted = Array.from({ length: Math.min(60, rows - from) }, (_, i) => from + i)
    const asked = performance.now()
    await page.call('log.rows', { log, rows: wanted })
    slowestMs = Math.max(slowestMs, performance.now() - asked)
  }
  return slowestMs
}

/** Waits until nothing is written any more to what is kept between starts: the index of a log is saved behind its back. */
export async function whenSaved() {
  let before = ''
  for (let turn = 0; turn < 40; turn++) {
    const now = JSON.stringify(
      readdirSync(stateFolder, { recursive: true }).map((name) => {
        const { size, mtimeMs } = statSync(join(stateFolder, name), { throwIfNoEntry: false }) ?? {}
        return [name, size, mtimeMs]
      })
    )
    if (now === before && turn > 3) return
    before = now
    await pause(700)
  }
}

import { appendFileSync, readdirSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { figure } from '../figures.js'
import { libraryHome, librarySize, logsBelow } from '../library-home.js'
import { folder } from '../logs.js'
import { cpuMs, emptyProcessBytes, pause, within } from '../processes.js'
import { forget, withServer } from '../server.js'

const query = { sort: 'last', descending: true, group: 'day' }
/** Cards of a screen. */
const screenful = 40
const reads = join(folder, 'library-reads')
/** What an idle library may take longer to say than it is. */
const settleMs = 600

/** A library of many sessions: the first start, the second, and what is written meanwhile. */
export async function run() {
  const home = libraryHome()
  const logs = logsBelow(home)
  const bytes = logs.reduce((sum, path) => sum + statSync(path).size, 0)
  const empty = await emptyProcessBytes()
  forget()
  const cold = await started(home, async (page, { pid }) => {
    const cpuBefore = cpuMs(pid)
    const began = performance.now()
    const firstMs = await firstCards(page)
    await page.call('library.pause', { isPaused: true })
    const status = await until(page, ({ phase }) => phase === 'counts' || phase === 'idle', 300)
    const scanMs = performance.now() - began
    const scanCpuMs = cpuMs(pid) - cpuBefore
    await pause(100)
    return { firstMs, scanMs, scanCpuMs, status, read: readBytes() }
  })
  const counted = await started(home, async (page) => {
    const began = performance.now()
    await page.call('library.status', {})
    await until(page, ({ phase }) => phase === 'idle', 3600)
    return { ms: performance.now() - began }
  })
  const warm = await started(home, async (page) => {
    const firstMs = await firstCards(page)
    await until(page, ({ phase }) => phase === 'idle', 60)
    await pause(settleMs)
    const readAtStart = readBytes()
    const append = await appended(page, logs)
    return { firstMs, readAtStart, ...append }
  })
  const { sessions } = cold.status
  const mb = (bytes / 2 ** 20).toFixed(0)
  return [
    figure(`first cards, cold (${sessions} sessions, ${mb} MB)`, cold.firstMs, 'ms', { most: 1000 }),
    figure('all cards, cold', cold.scanMs, 'ms', { note: `${(cold.read / 2 ** 20).toFixed(0)} MB read` }),
    figure('processor time of a card', cold.scanCpuMs / sessions, 'ms', { most: 1, note: 'all threads of the server' }),
    figure('first cards, warm', warm.firstMs, 'ms', { most: 300 }),
    figure('bytes of logs read at a second start', warm.readAtStart, 'B', { most: 0 }),
    figure('bytes of logs read for an append', warm.appendRead, 'B', { most: 65_536 }),
    figure('append shown', warm.appendMs, 'ms', { most: 2000 }),
    figure('all counted', counted.ms, 'ms', {
      note: `${(counted.ms / sessions).toFixed(1)} ms a session`
    }),
    figure('memory of a server that counts, above an empty process', (counted.peakBytes - empty) / 1e6, 'MB'),
    figure('memory of a server that knows all, above an empty process', (warm.peakBytes - empty) / 1e6, 'MB', {
      most: 150
    })
  ]
}

async function started(home, work) {
  for (const file of readdirSync(folder)) if (file.startsWith('library-reads.')) rmSync(join(folder, file))
  const probe = new URL('../read-probe.js', import.meta.url).href
  const env = {
    ...{ HOME: home, USERPROFILE: home, CLAUDE_CONFIG_DIR: '', CODEX_HOME: '', GEMINI_CLI_HOME: '' },
    ...{ NODE_OPTIONS: `--import ${probe}`, PLAYHEAD_BENCH_HOME: home, PLAYHEAD_BENCH_READS: reads }
  }
  return await withServer(async ({ pid, connect }) => await work(await connect(), { pid }), { env })
}

/** From the first call of a page to a screenful of cards. */
async function firstCards(page) {
  const began = performance.now()
  const status = page.call('library.status', {})
  for (;;) {
    const { cards } = await page.call('library.cards', { query, from: 0, count: screenful })
    if (cards.length >= Math.min(screenful, librarySize.sessions)) break
    await pause(10)
  }
  const ms = performance.now() - began
  await status
  return ms
}

/** The first status that is so, as a page hears of it. */
async function until(page, isSo, seconds) {
  return await within(
    seconds,
    'the library',
    new Promise((resolve, reject) => {
      const look = (status) => {
        if (!isSo(status)) return
        stop()
        resolve(status)
      }
      const stop = page.listen((name, payload) => name === 'library.changed' && look(payload))
      page.call('library.status', {}).then(look, reject)
    })
  )
}

/** One line is added to one session while a page shows the library. */
async function appended(page, logs) {
  await page.call('library.watch', { isShown: true })
  await page.call('library.pause', { isPaused: true })
  await pause(settleMs)
  const path =
    logs.find((log) => log.endsWith('.jsonl') && log.includes('.claude') && statSync(log).size > 200_000) ?? logs[0]
  const { size } = statSync(path)
  const before = readBytes()
  const began = performance.now()
  const line = JSON.stringify({
    type: 'user',
    message: { role: 'user', content: 'Go on' },
    timestamp: new Date().toISOString()
  })
  try {
    appendFileSync(path, `${line}\n`)
    for (;;) {
      const { cards } = await page.call('library.cards', { query, from: 0, count: 1 })
      if (cards[0]?.path === path && cards[0].bytes > size) break
      await pause(5)
    }
    const appendMs = performance.now() - began
    await pause(settleMs)
    return { appendMs, appendRead: readBytes() - before }
  } finally {
    truncateSync(path, size)
  }
}

/** Of all threads, as they last wrote it down. */
function readBytes() {
  return readdirSync(folder)
    .filter((file) => file.startsWith('library-reads.'))
    .reduce((sum, file) => sum + Number(readFileSync(join(folder, file), 'utf8')), 0)
}

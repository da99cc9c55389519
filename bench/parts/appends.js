import { appendFileSync } from 'node:fs'
import { figure } from '../figures.js'
import { growingLog, sizes } from '../logs.js'
import { cpuMs, median, pause, within } from '../processes.js'
import { withPage } from '../screen.js'
import { forget, openAsPage, statusOf, whenSaved, withServer } from '../server.js'

const appends = 30
/** In which all an append causes is done, in ms. */
const settleMs = 400

/** One line written to an open log, large and small: when it is visible, and how much work it is. */
export async function run() {
  const large = await appended(growingLog(sizes.gigabyteMb))
  const small = await appended(growingLog(1))
  const name = `${(sizes.gigabyteMb / 1024).toFixed(1)} GB`
  const slowest = ({ times }) => `slowest ${Math.max(...times).toFixed(0)} ms`
  return [
    figure(`append to ${name}: told to the page`, median(large.times), 'ms', { most: 100, note: slowest(large) }),
    figure('append to 1 MB: told to the page', median(small.times), 'ms', { note: slowest(small) }),
    figure(`append to ${name}: row count on screen in Chromium`, median(large.shown), 'ms', {
      most: 100,
      note: `slowest ${Math.max(...large.shown).toFixed(0)} ms`
    }),
    figure('append to 1 MB: row count on screen in Chromium', median(small.shown), 'ms'),
    figure('processor time of an append, large beside small', median(large.work) / median(small.work), 'x', {
      most: 1.5,
      note: `${median(large.work).toFixed(2)} ms and ${median(small.work).toFixed(2)} ms of all threads`
    })
  ]
}

async function appended(path) {
  forget()
  return await withServer(async ({ url, pid, connect }) => {
    const page = await connect()
    const { log } = await openAsPage(page, path)
    await whenSaved()
    const times = []
    const work = []
    for (let turn = 0; turn < appends; turn++) {
      const { idle, busy, ms } = await appendOnce({ page, pid, path, log, turn })
      times.push(ms)
      work.push(busy - idle)
    }
    const shown = await withPage(url, async (screen) => await appendsOnScreen(screen, path))
    return { times, work, shown }
  })
}

/** An event: records without one stand together in a row that may be there already. */
function line(turn) {
  const content = [{ type: 'text', text: `Appended ${turn}` }]
  const message = { id: `msg_appended_${turn}`, type: 'message', role: 'assistant', content }
  return `${JSON.stringify({ type: 'assistant', message, parent_tool_use_id: null, session_id: 'bench' })}\n`
}

async function appendOnce({ page, pid, path, log, turn }) {
  const status = await page.call('log.status', { log })
  // What it costs to wait for as long.
  const start = cpuMs(pid)
  await pause(settleMs)
  const before = cpuMs(pid)
  const visible = statusOf(page, status, ({ rows }) => rows > status.rows)
  const began = performance.now()
  appendFileSync(path, line(turn))
  await within(20, 'an append told to the page', visible)
  const ms = performance.now() - began
  await pause(settleMs - ms)
  return { ms, idle: before - start, busy: cpuMs(pid) - before }
}

/** From the write to the frame in which the timeline has one row more. */
async function appendsOnScreen(screen, path) {
  const rowCount = () => Number(document.querySelector('[role=grid]')?.getAttribute('aria-rowcount') ?? 0)
  await screen.getByRole('grid', { name: 'Timeline' }).waitFor()
  for (let before = -1, now = 0; now !== before; await pause(1500))
    [before, now] = [now, await screen.evaluate(rowCount)]
  const times = []
  for (let turn = 0; turn < appends / 3; turn++) {
    const seen = screen.evaluate(nextRowCount)
    await pause(settleMs)
    const wrote = Date.now()
    appendFileSync(path, line(appends + turn))
    times.push((await within(20, 'an append on screen', seen)) - wrote)
  }
  return times
}

/** Runs in the page: when, in ms since the epoch, the frame was drawn that has another number of rows. */
function nextRowCount() {
  const grid = document.querySelector('[role=grid]')
  const before = grid.getAttribute('aria-rowcount')
  return new Promise((resolve) => {
    const look = () => {
      if (grid.getAttribute('aria-rowcount') === before) requestAnimationFrame(look)
      else requestAnimationFrame(() => resolve(performance.timeOrigin + performance.now()))
    }
    look()
  })
}

import { appendFileSync } from 'node:fs'
import { figure } from '../figures.js'
import { growingLog, sizes } from '../logs.js'
import { cpuMs, median, pause, within } from '../processes.js'
import { withPage } from '../screen.js'
import { forget, openAsPage, statusOf, whenSaved, withServer } from '../server.js'

const appends = 30
/** In which all an append causes is done, also what is done once the log is left alone, in ms. */
const settleMs = 1000
/** Between two appends of a run whose work is measured, in ms. */
const paceMs = 100

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
    figure('processor time of an append, large beside small', large.workMs / small.workMs, 'x', {
      most: 1.5,
      note: `${large.workMs.toFixed(2)} ms and ${small.workMs.toFixed(2)} ms of all threads`
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
    for (let turn = 0; turn < appends; turn++) times.push(await appendOnce({ page, path, log, turn }))
    const workMs = await workOfAppend(pid, path)
    const shown = await withPage(url, async (screen) => await appendsOnScreen(screen, path))
    return { times, workMs, shown }
  })
}

/** An event: records without one stand together in a row that may be there already. */
function line(turn) {
  const content = [{ type: 'text', text: `Appended ${turn}` }]
  const message = { id: `msg_appended_${turn}`, type: 'message', role: 'assistant', content }
  return `${JSON.stringify({ type: 'assistant', message, parent_tool_use_id: null, session_id: 'bench' })}\n`
}

/** How long an append took to be told, in ms. */
async function appendOnce({ page, path, log, turn }) {
  const status = await page.call('log.status', { log })
  await pause(settleMs)
  const visible = statusOf(page, status, ({ rows }) => rows > status.rows)
  const began = performance.now()
  appendFileSync(path, line(turn))
  await within(20, 'an append told to the page', visible)
  return performance.now() - began
}

/** Processor time of one append among many, in ms, over that of waiting for as long. */
async function workOfAppend(pid, path) {
  const spent = async (work) => {
    const before = cpuMs(pid)
    await work()
    await pause(settleMs)
    return cpuMs(pid) - before
  }
  const idle = await spent(() => pause(appends * paceMs))
  const busy = await spent(async () => {
    for (let turn = 0; turn < appends; turn++) {
      appendFileSync(path, line(2 * appends + turn))
      await pause(paceMs)
    }
  })
  return (busy - idle) / appends
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

// `npm run soak:logs [CYCLES]`: opens 100 logs in the built server, asks each of them again, and opens and closes as many logs as it is told, one
// after the other. Fails where 100 open logs take more memory than they may, or a thread, an open file or memory is left behind. Linux.
import { copyFileSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'
import { prepare, root } from '../bin/prepare.js'
import { figure, printFigures } from './figures.js'
import { folder } from './logs.js'
import { heldBy, pause, settled } from './processes.js'
import { forget, openAsPage, withServer } from './server.js'

const cycles = Number(process.argv[2] ?? 200)
const count = 100
const mostMb = 700
/** What the host opens once, and what V8 keeps of its own garbage, is there after so many. */
const warmUps = 50
/** What memory may vary by without being a leak: allocators give nothing back at once. */
const mostGrowthMb = 40
const scratch = join(folder, 'open-logs')

/** The largest real logs there are, each below 20 MB, as often as it takes. */
function realLogs() {
  const corpus = join(root, '..', 'shared', 'corpus')
  const found = []
  try {
    for (const name of readdirSync(corpus, { recursive: true })) {
      const path = join(corpus, name)
      const { size } = statSync(path)
      if (/\.jsonl?$/.test(name) && size < 20e6) found.push({ path, size })
    }
  } catch {
    // There are none beside this checkout.
  }
  if (found.length === 0) return [join(root, 'resources', 'sample-run.jsonl')]
  return found
    .sort((a, b) => b.size - a.size)
    .slice(0, count)
    .map(({ path }) => path)
}

function copies() {
  rmSync(scratch, { recursive: true, force: true })
  const logs = realLogs()
  return Array.from({ length: count }, (_, number) => {
    const from = logs[number % logs.length]
    // In folders of their own: files of other runs beside them are none of theirs.
    const path = join(scratch, String(number), `log${extname(from)}`)
    mkdirSync(join(scratch, String(number)), { recursive: true })
    copyFileSync(from, path)
    return path
  })
}

async function soak({ pid, connect }, paths) {
  const page = await connect()
  const bytes = paths.reduce((sum, path) => sum + statSync(path).size, 0)
  const idle = heldBy(pid)
  const logs = []
  for (const path of paths) logs.push((await openAsPage(page, path)).log)
  await pause(5000)
  const all = { ...heldBy(pid), peak: heldBy(pid).peak }
  let slowestMs = 0
  for (const log of logs) {
    const asked = performance.now()
    await page.call('log.rows', { log, rows: [0] })
    slowestMs = Math.max(slowestMs, performance.now() - asked)
  }
  await pause(5000)
  const asked = heldBy(pid)
  for (const log of logs) await page.call('log.close', { log })
  const cycle = async (number) => {
    const { log } = await openAsPage(page, paths[number % paths.length])
    await page.call('log.close', { log })
  }
  for (let number = 0; number < warmUps; number++) await cycle(number)
  await pause(3000)
  const before = heldBy(pid)
  const began = performance.now()
  for (let number = 0; number < cycles; number++) await cycle(number)
  const cycleMs = (performance.now() - began) / cycles
  const after = await settled(pid, before)
  page.close()
  return { bytes, idle, all, slowestMs, asked, before, after, cycleMs }
}

await prepare()
forget()
const paths = copies()
const { bytes, idle, all, slowestMs, asked, before, after, cycleMs } = await withServer((server) => soak(server, paths))
const threads = all.threads - idle.threads
const figures = [
  figure('memory of the host with all of them open', all.memory, 'MB', {
    most: mostMb,
    note: `logs of ${(bytes / 1e6).toFixed(0)} MB; ${idle.memory.toFixed(0)} MB without any`
  }),
  figure('the most memory meanwhile', all.peak, 'MB', { most: mostMb }),
  figure('threads more than without a log', threads, '', { note: `${all.threads} run` }),
  figure('open files', all.files, '', { note: `${idle.files} without a log` }),
  figure('memory once each was asked again', asked.memory, 'MB', { most: mostMb }),
  figure('the slowest answer of a log without a thread', slowestMs, 'ms')
]
printFigures(`${count} open logs`, figures)
const growth = [
  figure('open files more than before', after.files - before.files, '', { most: 0, note: `${after.files} are open` }),
  figure('threads more than before', after.threads - before.threads, '', { most: 0, note: `${after.threads} run` }),
  figure('memory more than before', after.memory - before.memory, 'MB', {
    most: mostGrowthMb,
    note: `${before.memory.toFixed(0)} MB before`
  }),
  figure('a log, opened, read and closed', cycleMs, 'ms')
]
printFigures(`${cycles} logs, opened and closed`, growth)
process.exitCode = [...figures, ...growth].every(({ holds }) => holds !== false) ? 0 : 1

import { runLog, sizes } from '../logs.js'
import { hasCorpus } from '../real-logs.js'
import { blockFigure, figure, memoryFigure } from '../figures.js'
import { emptyProcessBytes, jsonOf, median } from '../processes.js'
import { forget, openAsPage, scroll, withServer } from '../server.js'
import { programFigures } from './other-programs.js'

const rounds = 3

/** A log of a whole day's work: how long it takes to index, beside the least any reader needs. */
export async function run() {
  const path = runLog()
  const floors = []
  const indexed = []
  // In turns, so that what else the machine does meets all alike.
  for (let round = 0; round < rounds; round++) {
    floors.push(await jsonOf('./floor.js', path))
    indexed.push(await indexedOnce(path))
  }
  const floorMs = median(floors.map(({ ms }) => ms))
  const whole = median(indexed, ({ ms }) => ms)
  const read = await jsonOf('./full-read.js', path)
  for (const { events, issues } of indexed) {
    if (events !== read.events || issues !== read.issues) throw new Error('the index has other events or issues')
  }
  const scrolled = await withServer(async ({ connect }) => await openAndScroll(await connect(), path))
  const empty = await emptyProcessBytes()
  const ratio = (name, ms, options) =>
    figure(name, ms / floorMs, 'x floor', { note: `${ms.toFixed(0)} ms`, ...options })
  return [
    figure(`floor: read, split, JSON.parse, drop (${sizes.mixedMb} MB)`, floorMs, 'ms'),
    ratio('core alone: every event and issue, one thread', read.ms),
    // Invented lines say nothing about the logs of people.
    ratio('index', whole.ms, { most: hasCorpus ? 3 : null }),
    ratio('index while a page scrolls', scrolled.ms, { note: `slowest answer ${scrolled.slowestMs.toFixed(0)} ms` }),
    figure('first rows', whole.firstRowsMs, 'ms', { most: 300 }),
    memoryFigure('memory above an empty process, at most', whole.peakBytes, empty, whole.rows),
    blockFigure("longest block of the host's main thread", whole, 50),
    ...(await programFigures(floorMs))
  ]
}

async function indexedOnce(path) {
  forget()
  return await withServer(async ({ connect }) => {
    const page = await connect()
    const opened = await openAsPage(page, path)
    await scroll(page, opened.log, opened.rows)
    return opened
  })
}

/** Asks for rows in the middle of what is there, fifty times a second, while it is indexed. */
async function openAndScroll(page, path) {
  forget()
  const began = performance.now()
  const { log } = await page.call('log.open', { path })
  let slowestMs = 0
  for (;;) {
    const asked = performance.now()
    const { rows, phase } = await page.call('log.status', { log })
    if (rows > 0) {
      const from = Math.max(0, Math.floor(rows / 2) - 30)
      await page.call('log.rows', { log, rows: Array.from({ length: Math.min(60, rows) }, (_, i) => from + i) })
      slowestMs = Math.max(slowestMs, performance.now() - asked)
    }
    if (phase !== 'reading') return { ms: performance.now() - began, slowestMs }
    await new Promise((resume) => setTimeout(resume, 20))
  }
}

import { closeSync, openSync, readSync } from 'node:fs'
import { detectFormat, headOf, LogReader } from '../../out/core/index.js'
import { soloIdentity } from '../../out/core/formats/solo-identity.js'
import { stamp } from '../../out/core/formats/stamp.js'
import { snapshotOf } from '../../out/core/replay/snapshot-of.js'
import { TodoHistory } from '../../out/core/replay/todo-history.js'
import { shortLog } from '../logs.js'
import { figure, memoryFigure } from '../figures.js'
import { emptyProcessBytes, jsonOf } from '../processes.js'
import { forget, openAsPage, withServer } from '../server.js'

const lookups = 100_000
const calls = 2000

/** A million short events with ten thousand todo lists: memory by rows, and the list at any point. */
export async function run() {
  const path = shortLog()
  const floor = await jsonOf('./floor.js', path)
  forget()
  const found = await withServer(async ({ connect }) => {
    const page = await connect()
    const opened = await openAsPage(page, path)
    const { todoSnapshots } = await page.call('log.status', { log: opened.log })
    const asked = await timesOf(calls, async (part) => {
      await page.call('log.todos', { log: opened.log, from: Math.floor(part * todoSnapshots), count: 1 })
    })
    return { ...opened, todoSnapshots, asked }
  })
  const { history, events } = historyOf(path)
  const state = timesOfSync(lookups, (part) => history.tracksAt(Math.floor(part * events)))
  const rows = `${events} events, ${history.length} snapshots`
  const empty = await emptyProcessBytes()
  return [
    figure('floor', floor.ms, 'ms', {
      note: `${found.rows} rows, ${(found.bytes / found.rows).toFixed(0)} bytes each`
    }),
    figure('index', found.ms / floor.ms, 'x floor', { note: `${found.ms.toFixed(0)} ms` }),
    memoryFigure('memory above an empty process, at most', found.peakBytes, empty, found.rows),
    figure('todo state at a seq, in the worker: p50', state.p50, 'ms', { note: rows }),
    figure('todo state at a seq, in the worker: p99', state.p99, 'ms', {
      most: 1,
      note: `at most ${state.max.toFixed(2)} ms`
    }),
    figure('todo list of a seq asked of the server: p50', found.asked.p50, 'ms', {
      note: `${found.todoSnapshots} snapshots`
    }),
    figure('todo list of a seq asked of the server: p99', found.asked.p99, 'ms')
  ]
}

/** Every todo list of the log, as the indexer keeps them. */
function historyOf(path) {
  const history = new TodoHistory()
  const file = openSync(path, 'r')
  const chunk = Buffer.alloc(1 << 20)
  let reader
  let events = 0
  const take = (folded, { agentType }) => {
    const event = stamp(folded, agentType, soloIdentity(agentType))
    const snapshot = snapshotOf(event, events++, folded.at)
    if (snapshot) history.add(snapshot)
  }
  for (let length = readSync(file, chunk); length > 0; length = readSync(file, chunk)) {
    if (reader === undefined) {
      const { format } = detectFormat(headOf(path, chunk.subarray(0, length)))
      reader = new LogReader(format, {
        line: (line) => line.events.forEach((event) => take(event, format)),
        end: (more) => more.forEach((event) => take(event, format))
      })
    }
    reader.push(chunk.subarray(0, length))
  }
  reader.end()
  closeSync(file)
  return { history, events }
}

/** Places all over the run, in no order, the same each time: parts of it from 0 to 1. */
function partOf(turn) {
  return (turn * 0.6180339887498949) % 1
}

async function timesOf(count, work) {
  const times = []
  for (let turn = 0; turn < count; turn++) {
    const began = performance.now()
    await work(partOf(turn))
    times.push(performance.now() - began)
  }
  return spread(times)
}

function timesOfSync(count, work) {
  const times = new Float64Array(count)
  for (let turn = 0; turn < count; turn++) {
    const began = performance.now()
    work(partOf(turn))
    times[turn] = performance.now() - began
  }
  return spread(times)
}

function spread(times) {
  const sorted = Float64Array.from(times).sort()
  const at = (part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]
  return { p50: at(0.5), p99: at(0.99), max: at(1) }
}

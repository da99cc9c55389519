// The index of a log and its spans, in one thread. Run as a process.
import { openSync, readSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { RunAnalysis } from '../out/core/analysis/run-analysis.js'
import { SpanList } from '../out/core/analysis/span-list.js'
import { detectFormat, headOf, LogReader } from '../out/core/index.js'
import { allSteps } from '../out/core/steps.js'
import { RunIndex } from '../out/core/index/run-index.js'

setFlagsFromString('--expose-gc')
const gc = runInNewContext('gc')

function usedBytes() {
  gc()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

const path = process.argv[2]
const began = performance.now()
const file = openSync(path, 'r')
const chunk = Buffer.alloc(1 << 20)
let reader
let index
for (let length = readSync(file, chunk); length > 0; length = readSync(file, chunk)) {
  if (reader === undefined) {
    const { format } = detectFormat(headOf(path, chunk.subarray(0, length)))
    index = new RunIndex(format)
    reader = new LogReader(format, index)
  }
  reader.push(chunk.subarray(0, length))
}
reader.end()
const indexMs = performance.now() - began

const before = usedBytes()
const read = performance.now()
const spans = new SpanList()
spans.read(index.rows, index.rows.rows)
const spansMs = performance.now() - read
const bytes = usedBytes() - before

const asked = performance.now()
const analysis = new RunAnalysis(index, index.rows.rows, allSteps(spans.ended(index.rows)))
const split = allSteps(analysis.timesOf(null)).split
const splitMs = performance.now() - asked
const added = performance.now()
const groups = analysis.byTool(null).length
const tableMs = performance.now() - added
console.log(
  JSON.stringify({
    rows: index.rows.rows,
    indexMs,
    spansMs,
    bytes,
    spans: spans.length,
    split,
    splitMs,
    groups,
    tableMs
  })
)

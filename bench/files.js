// The index of files of a log, and contents made from it, in one thread. Run as a process: node bench/files.js LOG
import { openSync, readSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { FileVersions } from '../out/core/files/file-versions.js'
import { RunFiles } from '../out/core/files/run-files.js'
import { decodeLine } from '../out/core/formats/decode-line.js'
import { stamp } from '../out/core/formats/stamp.js'
import { detectFormat, headOf, LogReader } from '../out/core/index.js'
import { recordFacts } from '../out/core/index/row-facts.js'
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
let format
for (let length = readSync(file, chunk); length > 0; length = readSync(file, chunk)) {
  if (reader === undefined) {
    ;({ format } = detectFormat(headOf(path, chunk.subarray(0, length))))
    index = new RunIndex(format)
    reader = new LogReader(format, index)
  }
  reader.push(chunk.subarray(0, length))
}
reader.end()
const indexMs = performance.now() - began
const { rows } = index

/** As a host reads a row again, without a cache of lines. */
function read(row) {
  const place = rows.place(row)
  const bytes = Buffer.allocUnsafe(place.length)
  readSync(file, bytes, 0, place.length, place.offset)
  const line = decodeLine(format, { ...place, bytes, terminated: true }, 'lines')
  const folded = rows.eventAt(row, line.decoded?.drafts ?? [])
  const event = folded === null ? null : stamp(folded, format)
  return { event, facts: recordFacts(format, event, line.value) }
}

const nothing = { event: null, facts: {} }
const readFrom = performance.now()
let files = new RunFiles()
while (files.rows < rows.rows) {
  const { event, facts } = files.needsEvent(index) ? read(files.rows) : nothing
  files.add(index, event, facts)
}
const filesMs = performance.now() - readFrom

let versions = new FileVersions(files, index, async (row) => read(row))
const times = []
let number = 7
for (let asked = 0; asked < 2000; asked++) {
  // The same places in each run, all over the log.
  number = (number * 1_103_515_245 + 12_345) % 2_147_483_648
  const which = number % files.paths.length
  const seq = Math.floor((number / 2_147_483_648) * rows.events)
  const from = performance.now()
  await versions.at(which, seq)
  files.doubtsOf(index, which, seq)
  times.push(performance.now() - from)
}
times.sort((a, b) => a - b)
const listed = performance.now()
files.counts(index, rows.events)
const countsMs = performance.now() - listed
const at = (part) => times[Math.floor(times.length * part)]
const counted = { files: files.paths.length, steps: files.steps }
// What is freed with them is what they take.
const all = usedBytes()
versions = null
const withoutVersions = usedBytes()
files = null
const keptBytes = all - withoutVersions
const bytes = withoutVersions - usedBytes()
console.log(
  JSON.stringify({
    ...{ rows: rows.rows, ...counted, indexMs, filesMs, bytes, countsMs },
    ...{ contentP50Ms: at(0.5), contentP95Ms: at(0.95), contentMaxMs: times.at(-1), keptBytes }
  })
)

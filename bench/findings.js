// The index of a log, without its findings and with them, in one thread. Run as a process.
import { closeSync, openSync, readSync } from 'node:fs'
import { RunFindings } from '../out/core/findings/run-findings.js'
import { detectFormat, headOf, LogReader } from '../out/core/index.js'
import { RunIndex } from '../out/core/index/run-index.js'

const path = process.argv[2]
const chunk = Buffer.alloc(1 << 20)
/** What an index without findings calls instead. */
const { add, compacted } = RunFindings.prototype
const nothing = () => {}

/** Processor time, in ms. */
function indexMs(withFindings) {
  Object.assign(RunFindings.prototype, withFindings ? { add, compacted } : { add: nothing, compacted: nothing })
  const began = process.cpuUsage()
  const file = openSync(path, 'r')
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
  closeSync(file)
  reader.end()
  const found = withFindings ? index.findings : { list: [], further: new Map() }
  const { user, system } = process.cpuUsage(began)
  return { ms: (user + system) / 1000, rows: index.rows.rows, findings: found.list.length }
}

// The first of each is slower; then they alternate, since a machine changes its speed.
indexMs(true)
indexMs(false)
const runs = Array.from({ length: 5 }, () => ({ without: indexMs(false), together: indexMs(true) }))
const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1]
const { rows, findings } = runs[0].together
console.log(
  JSON.stringify({
    rows,
    findings,
    indexMs: median(runs.map(({ without }) => without.ms)),
    share: median(runs.map(({ without, together }) => together.ms / without.ms - 1))
  })
)

// Queries that the index answers, in one thread without a server. Run as a process.
import { openSync, readSync } from 'node:fs'
import { detectFormat, headOf, LogReader } from '../out/core/index.js'
import { RunIndex } from '../out/core/index/run-index.js'
import { parseQuery } from '../out/core/query/parse-query.js'
import { RowQuery } from '../out/core/query/row-query.js'
import { yes } from '../out/core/query/row-term.js'

/** As the search of a query evaluates a log. */
const blockRows = 1 << 16

const [path, rounds, ...queries] = process.argv.slice(2)
const file = openSync(path, 'r')
const chunk = Buffer.alloc(1 << 20)
let reader
let index
let format
for (let length = readSync(file, chunk); length > 0; length = readSync(file, chunk)) {
  if (reader === undefined) {
    format = detectFormat(headOf(path, chunk.subarray(0, length))).format
    index = new RunIndex(format)
    reader = new LogReader(format, index)
  }
  reader.push(chunk.subarray(0, length))
}
reader.end()

function evaluate(query) {
  const began = process.cpuUsage()
  const { rows } = index.rows
  const asked = new RowQuery(query, { index, format: format.id })
  const truths = new Uint8Array(Math.min(blockRows, rows))
  let found = 0
  for (let from = 0; from < rows; from += blockRows) {
    const block = truths.subarray(0, rows - from)
    asked.fill(from, block)
    for (let i = 0; i < block.length; i++) if (block[i] === yes) found++
  }
  const { user, system } = process.cpuUsage(began)
  return { found, cpu: (user + system) / 1000 }
}

const asked = queries.map((text) => ({ text, query: parseQuery(text, 'rows').query }))
const times = asked.map(() => [])
for (let round = 0; round < Number(rounds); round++)
  for (const [i, { query }] of asked.entries()) times[i].push(evaluate(query))
console.log(JSON.stringify({ rows: index.rows.rows, queries: asked.map(({ text }, i) => ({ text, times: times[i] })) }))

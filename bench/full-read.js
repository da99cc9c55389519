// Events and issues of a whole log, by the one path every command reads by, in one thread. Run as a process.
import { openSync, readSync } from 'node:fs'
import { detectFormat, headOf, LogReader } from '../out/core/index.js'

const path = process.argv[2]
const began = performance.now()
const file = openSync(path, 'r')
const chunk = Buffer.alloc(1 << 20)
let reader
let events = 0
let issues = 0
for (let length = readSync(file, chunk); length > 0; length = readSync(file, chunk)) {
  reader ??= new LogReader(detectFormat(headOf(path, chunk.subarray(0, length))).format, {
    line(line) {
      events += line.events.length
      issues += line.issues.length
    },
    end: (more) => (events += more.length)
  })
  reader.push(chunk.subarray(0, length))
}
reader.end()
console.log(JSON.stringify({ ms: performance.now() - began, events, issues }))

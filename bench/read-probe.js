// Loaded into the served process and its threads (`node --import`): counts the bytes that are read of files below PLAYHEAD_BENCH_HOME, and writes them down
// where PLAYHEAD_BENCH_READS says, a file for each thread.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { threadId } from 'node:worker_threads'

const home = process.env.PLAYHEAD_BENCH_HOME
const counted = new Set()
let read = 0
let timer = null

const open = fs.openSync
fs.openSync = (path, ...rest) => {
  const descriptor = open(path, ...rest)
  if (String(path).startsWith(home)) counted.add(descriptor)
  else counted.delete(descriptor)
  return descriptor
}
const readNow = fs.readSync
fs.readSync = (descriptor, ...rest) => {
  const bytes = readNow(descriptor, ...rest)
  if (counted.has(descriptor)) add(bytes)
  return bytes
}
const openLater = fs.promises.open
fs.promises.open = async (path, ...rest) => {
  const handle = await openLater(path, ...rest)
  if (!String(path).startsWith(home)) return handle
  const readLater = handle.read.bind(handle)
  handle.read = async (...args) => {
    const result = await readLater(...args)
    add(result.bytesRead)
    return result
  }
  return handle
}
syncBuiltinESMExports()

function add(bytes) {
  read += bytes
  timer ??= setTimeout(() => {
    timer = null
    write()
  }, 20)
  timer.unref()
}

const report = `${process.env.PLAYHEAD_BENCH_READS}.${threadId}`
function write() {
  fs.writeFileSync(report, String(read))
}
write()

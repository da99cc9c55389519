// Run as a process it reads the log it is given, as `playhead check` does, and drops it.
import { openSync, readSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const chunkBytes = 1 << 20

/** What any reader has to do: bytes, lines, JSON. One thread, everything dropped at once. Gives milliseconds and records. */
export function floor(path) {
  const began = performance.now()
  const file = openSync(path, 'r')
  const chunk = Buffer.alloc(chunkBytes)
  let rest = Buffer.alloc(0)
  let records = 0
  for (;;) {
    const length = readSync(file, chunk)
    if (length === 0) return { ms: performance.now() - began, records }
    const bytes = Buffer.concat([rest, chunk.subarray(0, length)])
    let from = 0
    for (let to = bytes.indexOf(10); to >= 0; to = bytes.indexOf(10, from)) {
      const line = bytes.toString('utf8', from, to)
      from = to + 1
      try {
        JSON.parse(line)
        records++
      } catch {
        // The log has lines that are not JSON.
      }
    }
    rest = Buffer.from(bytes.subarray(from))
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(JSON.stringify(floor(process.argv[2])))

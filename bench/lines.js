import { closeSync, openSync, readSync } from 'node:fs'

const chunkBytes = 1 << 24

/** Whole lines, some thousand at a time. */
export function eachLine(path, take) {
  const file = openSync(path, 'r')
  const chunk = Buffer.alloc(chunkBytes)
  let rest = ''
  const decoder = new TextDecoder()
  for (;;) {
    const length = readSync(file, chunk)
    if (length === 0) break
    const lines = (rest + decoder.decode(chunk.subarray(0, length), { stream: true })).split('\n')
    rest = lines.pop()
    take(lines)
  }
  closeSync(file)
}

import { LineSplitter } from '#core/lines/line-splitter.ts'
import { isBlank } from '#core/lines/blank.ts'
import { openLog } from '../sources/open-log.ts'

/** A longer line is not parsed. */
const maxParsedBytes = 64 << 20

/** What a session's file has lost. */
export interface LostLines {
  /** Lines that are no JSON. */
  readonly damaged: number
  /** The agent says that it could not write all. */
  readonly isTold: boolean
}

/** Reads a file of JSON lines. `marker`: a text in the records by which the agent says that it lost some; null: none. */
export async function lostLines(path: string, marker: string | null): Promise<LostLines> {
  const needle = marker === null ? null : Buffer.from(marker)
  let damaged = 0
  let isTold = false
  const lines = new LineSplitter(
    ({ bytes }) => {
      if (bytes === null) return
      const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      if (needle !== null && !isTold) isTold = text.includes(needle)
      if (!isJson(text.toString('utf8'))) damaged++
    },
    { maxBytes: maxParsedBytes }
  )
  const source = await openLog(path)
  try {
    for await (const chunk of source.chunks()) lines.push(chunk)
    lines.end()
  } finally {
    await source.close()
  }
  return { damaged, isTold }
}

function isJson(text: string): boolean {
  if (isBlank(text)) return true
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

import type { FoldedEvent } from '#core/formats/log-format.ts'
import { LogReader } from '#core/formats/log-reader.ts'
import { stamp } from '#core/formats/stamp.ts'
import { NormalizedLines } from '#core/export/normalized-jsonl.ts'
import { formatNamed } from '#backend/sources/choose-format.ts'
import { LogFile } from '#backend/sources/log-file.ts'
import { LogWatch } from '#backend/sources/log-watch.ts'
import type { Output } from '#backend/export/output.ts'

/** A growing log and the output of its events. */
export interface LiveLog {
  readonly path: string
  /** A format id. */
  readonly format: string
  readonly output: Output
  /** Ms since the epoch, for events without a time. */
  readonly now: () => number
}

/**
 * Writes the events of a growing log as normalized JSONL until `ended` settles, and returns their number. Reads no
 * faster than the output accepts. Rejects with `PipeClosed`.
 */
export async function writeLive({ path, format: id, output, now }: LiveLog, ended: Promise<unknown>): Promise<number> {
  const format = formatNamed(id)
  const lines = new NormalizedLines(output)
  let events = 0
  const write = (folded: readonly FoldedEvent[]): void => {
    events += folded.length
    for (const event of folded) lines.write(stamp(event, format))
  }
  const reader = new LogReader(format, { line: (line) => write(line.events), end: write }, { now })
  const source = await LogFile.open(path)
  let wake: () => void = () => {}
  const watch = new LogWatch(source, () => wake())
  let over = false
  const end = (): void => {
    over = true
    wake()
  }
  void ended.then(end, end)
  try {
    let read = 0
    for (;;) {
      const last = over
      const woken = new Promise<void>((resolve) => (wake = resolve))
      for await (const chunk of source.chunks({ from: read })) {
        reader.push(chunk)
        read += chunk.length
        await output.flush()
      }
      if (last) break
      await watch.look(read)
      if (!over) await woken
    }
    reader.end()
    await output.flush()
    return events
  } finally {
    watch.close()
    await source.close()
  }
}

import type { AgentEvent } from '#core/events/agent-event.ts'
import type { ReadLine } from '#core/formats/line-folder.ts'
import type { FoldedEvent, LinePosition, LogFormat } from '#core/formats/log-format.ts'
import { stamp } from '#core/formats/stamp.ts'
import type { ChosenFormat } from './choose-format.ts'
import { Run, type RunOptions } from './run.ts'
import type { Unreadable } from './run-files.ts'

/** Reads the bytes of a line again. */
export type BytesOf = (place: LinePosition) => Promise<Uint8Array>

/** Who looks at a log while it is read. What it does not keep is forgotten, so a log of any size can be read. */
export interface LogVisitor {
  /** Before all else: the format of the log. */
  begin?(format: LogFormat): void
  /** Every line, blank ones too. Called before the line's events. */
  line?(line: ReadLine): void
  /**
   * Every event in log order. `line`: the line that revealed it, mostly the one it stands on (`folded.at`); null when only
   * the end of the log did.
   */
  event?(event: AgentEvent, seq: number, folded: FoldedEvent, line: ReadLine | null): void
  /** After each MiB or so, and at the end: the place to write and to wait. False ends the reading. */
  pause?(bytesOf: BytesOf): Promise<boolean>
  /** After each MiB or so: how far it is, in bytes of all files; `all` is what they had when it began. */
  read?(bytes: number, all: number): void
}

/** What was read of a file. */
export interface ReadFile {
  readonly bytes: number
  /** Lines, blank ones too. */
  readonly lines: number
}

/** What was read. `bytes` and `lines` are those of the main file. */
export interface ReadLog extends ChosenFormat, ReadFile {
  readonly events: number
  /** The other files of the run, by names relative to the main one's folder. */
  readonly files: readonly (ReadFile & { readonly name: string })[]
  /** What there is to say about files that are not shown. */
  readonly notes: readonly string[]
  /** Those that could not be read, or not to their ends. */
  readonly unread: readonly Unreadable[]
}

const pauseBytes = 1 << 20

/**
 * Reads a run once from begin to end. Throws a `HostError` if it cannot be opened or read to its end, or if `format` is none; what
 * could be read was visited then.
 */
export async function readLog(options: RunOptions, visitor: LogVisitor): Promise<ReadLog> {
  const run = await Run.open(options)
  try {
    return await readFrom(run, visitor)
  } finally {
    await run.close()
  }
}

async function readFrom(run: Run, visitor: LogVisitor): Promise<ReadLog> {
  const { format } = run.chosen
  visitor.begin?.(format)
  let events = 0
  const visit = (folded: readonly FoldedEvent[], line: ReadLine | null): void => {
    const first = events
    events += folded.length
    if (!visitor.event) return
    for (const [i, one] of folded.entries()) visitor.event(stamp(one, format), first + i, one, line)
  }
  const sink = {
    line(line: ReadLine): void {
      visitor.line?.(line)
      visit(line.events, line)
    },
    end: (folded: readonly FoldedEvent[]): void => visit(folded, null)
  }
  const reader = run.reader(sink)
  const bytesOf: BytesOf = async ({ file, offset, length }) => {
    const holder = run.files.find(({ name }) => name === file) ?? run.main
    return await holder.source.read(offset, length)
  }
  // Asked for each time: of a compressed log it is a guess, which gets better.
  const bytesOfAll = async (): Promise<number> => {
    const sizes = await Promise.all(run.files.map(({ source }) => source.size()))
    return sizes.reduce((sum, size) => sum + size, 0)
  }
  const bytesRead = (): number => run.files.reduce((sum, file) => sum + file.bytesRead, 0)
  try {
    let paused = 0
    for await (const _ of run.feed(reader)) {
      const read = bytesRead()
      if (read - paused < pauseBytes) continue
      paused = read
      if (visitor.read !== undefined) visitor.read(read, await bytesOfAll())
      if ((await visitor.pause?.(bytesOf)) === false) break
    }
  } finally {
    await visitor.pause?.(bytesOf)
  }
  const files = run.files.flatMap(({ name, bytesRead: bytes }, i) =>
    name === undefined ? [] : [{ name, bytes, lines: reader.linesOf(i) }]
  )
  return {
    ...run.chosen,
    bytes: run.main.bytesRead,
    lines: reader.linesOf(0),
    events,
    files,
    notes: run.notes,
    unread: run.unread
  }
}

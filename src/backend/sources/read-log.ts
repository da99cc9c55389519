import type { AgentEvent } from '#core/events/agent-event.ts'
import type { ReadLine } from '#core/formats/folded-lines.ts'
import type { FoldedEvent, LineMark, LinePosition, LogFormat } from '#core/formats/log-format.ts'
import { stamp } from '#core/formats/stamp.ts'
import type { ChosenFormat } from './choose-format.ts'
import { Run, type RunOptions } from './run.ts'
import type { Unreadable } from './run-files.ts'

/** Reads the bytes of a line again. */
export type BytesOf = (place: LinePosition) => Promise<Uint8Array>

/** Callbacks during the read of a log. Nothing else is kept, so logs may have any size. */
export interface LogVisitor {
  /** First, with the format of the log. */
  begin?(format: LogFormat): void
  /** Each line, also blank ones, before its events. */
  line?(line: ReadLine): void
  /** Events and marks that the end of the log revealed, before `event` of each. */
  end?(events: readonly FoldedEvent[], marks: readonly LineMark[]): void
  /** Each event in log order. `line` revealed it, and mostly contains it (`folded.at`); null: the end of the log revealed it. */
  event?(event: AgentEvent, seq: number, folded: FoldedEvent, line: ReadLine | null): void
  /** About once a MiB, and at the end: may write and wait. False ends the read. */
  pause?(bytesOf: BytesOf): Promise<boolean>
  /** About once a MiB: bytes read of all files; `all` is their current total. */
  read?(bytes: number, all: number): void
}

export interface ReadFile {
  readonly bytes: number
  /** Also blank ones. */
  readonly lines: number
}

/** `bytes` and `lines` are those of the main file. */
export interface ReadLog extends ChosenFormat, ReadFile {
  readonly events: number
  /** The other files of the session, by name relative to the main file's folder. */
  readonly files: readonly (ReadFile & { readonly name: string })[]
  /** Notes about files that are not shown. */
  readonly notes: readonly string[]
  /** Files that could not be read, or not completely. */
  readonly unread: readonly Unreadable[]
}

const pauseBytes = 1 << 20

/** Reads the files of a session once. Throws a `HostError` after a read error, or for an unknown `format`. */
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
    let seq = first
    for (const one of folded) visitor.event(stamp(one, format), seq++, one, line)
  }
  const sink = {
    line(line: ReadLine): void {
      visitor.line?.(line)
      visit(line.events, line)
    },
    end(folded: readonly FoldedEvent[], marks: readonly LineMark[]): void {
      visitor.end?.(folded, marks)
      visit(folded, null)
    }
  }
  const reader = run.reader(sink)
  const bytesOf: BytesOf = async ({ file, offset, length }) => {
    const holder = run.files.find(({ name }) => name === file) ?? run.main
    return await holder.source.read(offset, length)
  }
  // Recomputed, as the size of a compressed log is an estimate.
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

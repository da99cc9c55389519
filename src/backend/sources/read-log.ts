import type { AgentEvent } from '#core/events/agent-event.ts'
import type { FoldedEvent } from '#core/formats/log-format.ts'
import type { ReadLine } from '#core/formats/line-folder.ts'
import { LogReader } from '#core/formats/log-reader.ts'
import { soloIdentity } from '#core/formats/solo-identity.ts'
import { stamp } from '#core/formats/stamp.ts'
import { type ChosenFormat, chooseFormat } from './choose-format.ts'
import { LogFile } from './log-file.ts'

/** Who looks at a log while it is read. What it does not keep is forgotten, so a log of any size can be read. */
export interface LogVisitor {
  /** Every line, blank ones too. Called before the line's events. */
  line?(line: ReadLine): void
  /**
   * Every event in log order. `line`: the line that revealed it, mostly the one it stands on (`folded.at`); null when only
   * the end of the log did.
   */
  event?(event: AgentEvent, seq: number, folded: FoldedEvent, line: ReadLine | null): void
  /** After each MiB or so, and at the end: the place to write and to wait. False ends the reading. */
  pause?(file: LogFile): Promise<boolean>
}

/** What was read. */
export interface ReadLog extends ChosenFormat {
  readonly bytes: number
  /** Lines, blank ones too. */
  readonly lines: number
  readonly events: number
}

/** Reads a log once from begin to end. Throws a `HostError` if it cannot be opened or `wanted` is no format. */
export async function readLog(path: string, wanted: string | null, visitor: LogVisitor): Promise<ReadLog> {
  const file = await LogFile.open(path)
  try {
    return await readFrom(file, wanted, visitor)
  } finally {
    await file.close()
  }
}

async function readFrom(file: LogFile, wanted: string | null, visitor: LogVisitor): Promise<ReadLog> {
  let started: { chosen: ChosenFormat; reader: LogReader } | null = null
  let bytes = 0
  let lines = 0
  let events = 0

  function start(firstBytes: Uint8Array): { chosen: ChosenFormat; reader: LogReader } {
    const chosen = chooseFormat(file.name, firstBytes, wanted)
    const identity = soloIdentity(chosen.format.agentType)
    const visit = (folded: readonly FoldedEvent[], line: ReadLine | null): void => {
      const first = events
      events += folded.length
      if (!visitor.event) return
      for (const [i, one] of folded.entries()) {
        visitor.event(stamp(one, chosen.format.agentType, identity), first + i, one, line)
      }
    }
    const reader = new LogReader(chosen.format, {
      line(line) {
        lines = line.at.line
        visitor.line?.(line)
        visit(line.events, line)
      },
      end: (folded) => visit(folded, null)
    })
    return { chosen, reader }
  }

  for await (const chunk of file.chunks()) {
    started ??= start(chunk)
    started.reader.push(chunk)
    bytes += chunk.length
    if ((await visitor.pause?.(file)) === false) return { ...started.chosen, bytes, lines, events }
  }
  const { chosen, reader } = started ?? start(new Uint8Array(0))
  reader.end()
  await visitor.pause?.(file)
  return { ...chosen, bytes, lines, events }
}

import type { RecordFacts } from '#core/formats/record-facts.ts'
import type { AgentEvent } from '#core/events/agent-event.ts'
import { RunContents } from '#core/files/run-contents.ts'
import type { QueriedLog } from '#backend/query/queried-log.ts'
import { HostError } from '#contract/host-error.ts'
import { UsageError } from './command.ts'
import { type Environment, say } from './environment.ts'
import { Progress } from './progress.ts'

/** All files of a log at event `at`. `problem`: why it could not be read so far, for people; else null. */
export async function contentsAt(
  log: QueriedLog,
  { from, at }: { readonly from: number; readonly at: number },
  environment: Environment
): Promise<{ readonly contents: RunContents; readonly problem: string | null }> {
  const contents = new RunContents(from)
  const { index } = log
  const { rows } = index
  const progress = new Progress(environment, 'reading files', true)
  try {
    for (let row = 0; row < rows.rows && rows.seqOf(row) <= at; row = contents.files.rows) {
      const read = contents.needsEvent(index) ? await log.readRecord(row) : nothing
      contents.add(index, read.event, read.facts)
      progress.at(row, rows.rows)
    }
    return { contents, problem: null }
  } catch (error) {
    if (!(error instanceof HostError)) throw error
    return { contents, problem: error.message }
  } finally {
    progress.end()
  }
}

const nothing: { readonly event: AgentEvent | null; readonly facts: RecordFacts } = { event: null, facts: {} }

/** The number of an event, from an option; `otherwise` without it. */
export function eventOf(option: string, text: string | undefined, events: number, otherwise: number): number {
  if (text === undefined) return otherwise
  const seq = Number(text)
  if (!/^\d{1,15}$/.test(text) || seq >= events)
    throw new UsageError(`${option} ${text}: give the number of an event, from 0 to ${Math.max(0, events - 1)}`)
  return seq
}

/** Says how many secrets were found, and what to do about them. */
export function saySecrets(environment: Environment, total: number, isRedacted: boolean): void {
  if (total === 0) return
  const secrets = `${total} ${total === 1 ? 'secret' : 'secrets'}`
  say(environment, isRedacted ? `${secrets} redacted` : `${secrets} found in what was written; --redact replaces them`)
}

import type { ToolCompleted } from '../events/agent-event.ts'
import type { Agent, ResultWords } from '../formats/agent.ts'
import { agents } from '../formats/agents.ts'
import { toolOutput } from '../index/tool-output.ts'
import { wholeHash } from './call-key.ts'
import { copied } from './own-text.ts'

/** How a call ended. */
export interface Outcome {
  /** An error, or an exit code other than 0, that is the call's own. */
  readonly failed: boolean
  /** It was cancelled with another call: neither failed nor done. */
  readonly cancelled: boolean
  /** Who refused it; null: nobody. */
  readonly refused: 'user' | 'rules' | null
  /** A person interrupted it. */
  readonly interrupted: boolean
  /** The result as it stands in the log. */
  readonly text: string
}

const all: readonly ResultWords[] = Object.values<Agent>(agents).flatMap(({ results }) => results ?? [])
const begins = (lists: readonly (readonly RegExp[] | undefined)[]) => {
  const patterns = lists.flatMap((list) => list ?? [])
  return (head: string): boolean => patterns.some((pattern) => pattern.test(head))
}
// Logs contain results of other agents' tools, so the words of all agents count.
const isByUser = begins(all.map(({ byUser }) => byUser))
const isByRules = begins(all.map(({ byRules }) => byRules))
const isCancelled = begins(all.map(({ cancelled }) => cancelled))
const isInterrupted = begins(all.map(({ interrupted }) => interrupted))
const exitCodes = all.flatMap(({ exitCode }) => exitCode ?? [])

/** Characters read of the start of a result. */
const headLength = 400

/** How a call ended by its result. `failed`: the index says that it failed (`isFailedCall`). */
export function outcomeOf({ error, output }: Pick<ToolCompleted, 'error' | 'output'>, failed: boolean): Outcome {
  const text = error ?? output ?? ''
  if (!failed) return { failed: false, cancelled: false, refused: null, interrupted: false, text }
  const head = text.slice(0, headLength)
  return {
    failed: true,
    cancelled: isCancelled(head),
    refused: isByUser(head) ? 'user' : isByRules(head) ? 'rules' : null,
    interrupted: isInterrupted(head),
    text
  }
}

/** The exit code that the result of a failed call states; null if it states none. */
export function statedExitCode(text: string): number | null {
  const head = text.slice(0, headLength)
  for (const pattern of exitCodes) {
    const code = pattern.exec(head)?.[1]
    if (code !== undefined) return Number(code)
  }
  return toolOutput(text).exitCode
}

/** Characters compared of a result, at its start and its end. */
const compared = 4000

/** What differs between two runs of the same command: times, durations, addresses, process ids. */
const changing =
  /\b\d{4}-\d\d-\d\d[T ]?|\b\d{1,2}:\d\d(?::\d\d)?(?:[.,]\d{1,9})?|\b\d{1,12}(?:\.\d{1,12})? ?(?:ns|µs|ms|s|secs?|seconds|min|minutes)\b|\b0x[0-9a-fA-F]{4,16}\b|\bpid:? \d{1,10}|\[\d{1,10}\](?= )/gi

/** The part of a result that `plainResult` reads. */
export function comparedPart(text: string): string {
  const { body } = toolOutput(text)
  const whole = body.trim() === '' ? text : body
  return whole.length <= 2 * compared ? whole : copied(whole.slice(0, compared) + whole.slice(-compared))
}

/** A number for a `comparedPart`: equal where only times, durations, addresses and process ids differ. */
export function plainResult(part: string): number {
  return wholeHash(part.replace(changing, '#').trim())
}

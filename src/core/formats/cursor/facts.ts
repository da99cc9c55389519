import type { EventBody } from '../../events/agent-event.ts'
import { isFiniteNumber, isJsonObject, type JsonObject, objectAt, stringAt } from '../../json.ts'
import type { FileEffect } from '../file-effect.ts'
import { recordedDiff, type RecordedDiff, type RecordFacts } from '../record-facts.ts'

/** Facts of a result: `{tool_call: {editToolCall: {result: {success: {…}}}}}`. */
export function cursorFacts(record: JsonObject, event: EventBody): RecordFacts {
  if (event.type !== 'tool.completed') return {}
  const calls = Object.values(objectAt(record, 'tool_call') ?? {}).filter(isJsonObject)
  const outcomes = calls.flatMap((call) => Object.values(objectAt(call, 'result') ?? {})).filter(isJsonObject)
  return {
    exitCode: outcomes.map(({ exitCode }) => exitCode).find(isFiniteNumber),
    diffs: outcomes.flatMap(diffIn),
    files: filesIn(calls, outcomes)
  }
}

/** Most diffs have no line numbers. */
function diffIn(outcome: JsonObject): readonly RecordedDiff[] {
  const diff = stringAt(outcome, 'diffString') ?? ''
  if (diff === '') return []
  return recordedDiff(stringAt(outcome, 'path') ?? '', /^@@/m.test(diff) ? diff : `@@\n${diff}`)
}

/** The whole file after an edit; undefined for other tools. */
function filesIn(calls: readonly JsonObject[], outcomes: readonly JsonObject[]): readonly FileEffect[] | undefined {
  const text = outcomes.map((outcome) => stringAt(outcome, 'afterFullFileContent')).find((each) => each !== undefined)
  if (text === undefined) return undefined
  const paths = [...outcomes, ...calls.map((call) => objectAt(call, 'args') ?? {})].map((part) =>
    stringAt(part, 'path')
  )
  const path = paths.find((each) => each !== undefined)
  return path === undefined ? undefined : [{ path, what: 'written', text }]
}

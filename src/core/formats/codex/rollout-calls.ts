import { isFiniteNumber, isJsonObject, objectAt, stringAt, type JsonObject, type JsonValue } from '../../json.ts'
import { isTooDeep, tooDeepIssue } from '../json-depth.ts'
import { lineId } from '../log-format.ts'
import { statedDuration } from '../stated-duration.ts'
import type { RolloutBuilder } from './rollout-decoded.ts'

/** What a record that has a call and its answer says. */
export interface WholeCall {
  readonly id: string
  readonly toolName: string
  readonly input: JsonObject
  readonly output: string | undefined
  readonly error: string | undefined
  readonly took?: CallDuration | undefined
}

type CallDuration = ReturnType<typeof statedDuration>

/** Adds a call and its answer. */
export function sayWholeCall(out: RolloutBuilder, { id, toolName, input, output, error, took }: WholeCall): void {
  const started = out.draft({ type: 'tool.started', toolName, toolId: id, input })
  const said = error === undefined ? { output: output ?? '' } : { error }
  const completed = out.draft({ type: 'tool.completed', toolId: id, ...said, ...took })
  out.steps.push({ kind: 'whole-call', started, completed, id })
}

/** The command of a tool that ran one, as it was given: a shell and its argument are left out. */
export function commandOf(record: JsonObject): string {
  const command = record['command']
  if (typeof command === 'string') return command
  if (!Array.isArray(command)) return ''
  const words = (command as readonly JsonValue[]).filter((word) => typeof word === 'string')
  const [shell = '', flag = '', script] = words
  const isShell = /(?:^|\/)(?:ba|z|da|k)?sh$/.test(shell.slice(-100)) && /^-\w*c$/.test(flag.slice(0, 10))
  return isShell && script !== undefined && words.length === 3 ? script : words.join(' ')
}

/** Whether a command that ended failed: by its exit code, or by what is said of it. */
export function commandFailed(record: JsonObject): boolean {
  const code = record['exit_code']
  const { status } = record
  return (isFiniteNumber(code) && code !== 0) || status === 'failed' || status === 'declined'
}

/** Adds a call and its answer, by the id of the call. */
export function sayDone(
  out: RolloutBuilder,
  record: JsonObject,
  toolName: string,
  input: JsonObject,
  text: string,
  failed: boolean
): void {
  const code = record['exit_code']
  const reason = isFiniteNumber(code) ? `exit code ${code}` : 'failed'
  const error = failed ? (text.trim() === '' ? reason : text) : undefined
  const took = durationOf(record)
  sayWholeCall(out, { id: callIdOf(out, record), toolName, input, output: failed ? undefined : text, error, took })
}

/** How long a call took: `duration` is `{secs, nanos}`. */
export function durationOf(record: JsonObject): CallDuration {
  const duration = objectAt(record, 'duration')
  const { secs, nanos } = duration ?? {}
  return isFiniteNumber(secs) ? statedDuration(secs + (isFiniteNumber(nanos) ? nanos / 1e9 : 0), 1000) : undefined
}

/** A call without an id still gets one that no other call of this log has. */
export function callIdOf(out: RolloutBuilder, record: JsonObject): string {
  return stringAt(record, 'call_id') || stringAt(record, 'id') || lineId(out.line)
}

/** A value as the input of a call; empty where it is no object. `key`: its name in the payload. */
export function inputOf(out: RolloutBuilder, input: JsonValue | undefined, key: string): JsonObject {
  if (!isJsonObject(input)) return {}
  if (!isTooDeep(input)) return input
  out.issues.push(tooDeepIssue(`${out.path}.${key}`))
  return {}
}

/** The object at `key` of a record of a tool, as the input of its call. */
export function inputAt(out: RolloutBuilder, record: JsonObject, key: string): JsonObject {
  return inputOf(out, objectAt(record, key), key)
}

/** The files a patch changed, as the input of its call: under the name that stdout has for them. */
export function changesOf(out: RolloutBuilder, record: JsonObject): JsonObject {
  const changes = inputAt(out, record, 'changes')
  return record['changes'] === undefined ? {} : { changes }
}

/** `server.tool`, as on stdout. */
export function mcpToolName(record: JsonObject): string {
  const tool = stringAt(record, 'tool') ?? 'unknown tool'
  const server = stringAt(record, 'server')
  return server === undefined ? tool : `${server}.${tool}`
}

/** A thread works on a call of `spawn_agent`. */
export function linkThread(out: RolloutBuilder, callId: string | undefined, thread: string | undefined): void {
  if (callId !== undefined && thread !== undefined) out.steps.push({ kind: 'thread', callId, thread })
}

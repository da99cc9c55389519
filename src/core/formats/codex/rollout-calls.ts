import { arrayAt, isJsonObject, numberAt, objectAt, stringAt, type JsonObject, type JsonValue } from '../../json.ts'
import { callInput } from '../json-depth.ts'
import { lineId } from '../log-format.ts'
import { type StatedDuration, statedDuration } from '../stated-amounts.ts'
import { toolCompleted } from '../tool-completed.ts'
import { textHash } from '../text-hash.ts'
import type { HostedCall } from './hosted-calls.ts'
import type { RolloutBuilder } from './rollout-decoded.ts'

/** A call with its result. */
export interface WholeCall {
  readonly id: string
  readonly toolName: string
  readonly input: JsonObject
  /** The output, or the error of a failed call. */
  readonly text: string
  readonly failed: boolean
  readonly took?: StatedDuration | undefined
}

/** `hosted`: of a call that the model's host made, which may be recorded twice. */
export function addWholeCall(out: RolloutBuilder, call: WholeCall, hosted?: HostedCall): void {
  const { id, toolName, input, text, failed, took } = call
  const started = out.draft({ type: 'tool.started', toolName, toolId: id, input })
  const completed = out.draft(toolCompleted(id, failed, text, took))
  out.steps.push({ kind: 'whole-call', started, completed, id, ...(hosted && { hosted }) })
}

/** docs/formats/codex-rollout.md#a-search-is-recorded-twice */
export function hostedCall(record: JsonObject, toolName: string, by: HostedCall['by']): HostedCall {
  const action = objectAt(record, 'action') ?? {}
  const [query] = (arrayAt(action, 'queries') ?? []).filter((one) => typeof one === 'string')
  const place = stringAt(action, 'url') ?? stringAt(record, 'revised_prompt')
  const asked = stringAt(action, 'query') ?? query ?? place ?? stringAt(record, 'query') ?? ''
  return {
    by,
    isNamed: (stringAt(record, 'call_id') || stringAt(record, 'id') || '') !== '',
    toolName,
    about: asked === '' ? 0 : textHash(`${asked} ${stringAt(action, 'pattern') ?? ''}`)
  }
}

/** The command, without the shell and its flag. */
export function commandOf(record: JsonObject): string {
  const command = record['command']
  if (typeof command === 'string') return command
  if (!Array.isArray(command)) return ''
  const words = (command as readonly JsonValue[]).filter((word) => typeof word === 'string')
  const [shell = '', flag = '', script] = words
  const isShell = /(?:^|\/)(?:ba|z|da|k)?sh$/.test(shell.slice(-100)) && /^-\w*c$/.test(flag.slice(0, 10))
  return isShell && script !== undefined && words.length === 3 ? script : words.join(' ')
}

/** Whether a command failed, by its exit code or its status. */
export function commandFailed(record: JsonObject): boolean {
  const { status } = record
  return (numberAt(record, 'exit_code') ?? 0) !== 0 || status === 'failed' || status === 'declined'
}

/** Adds a call with its result, by the call's id. */
export function addCompletedCall(
  out: RolloutBuilder,
  record: JsonObject,
  toolName: string,
  input: JsonObject,
  text: string,
  failed: boolean,
  hosted?: HostedCall
): void {
  const code = numberAt(record, 'exit_code')
  const reason = code === undefined ? 'failed' : `exit code ${code}`
  const shown = failed && text.trim() === '' ? reason : text
  const call = { id: callIdOf(out, record), toolName, input, text: shown, failed, took: durationOf(record) }
  addWholeCall(out, call, hosted)
}

/** Adds a web search that an event or an item of a turn tells of. */
export function addSearch(out: RolloutBuilder, record: JsonObject): void {
  const hosted = hostedCall(record, 'web_search', 'event')
  addCompletedCall(out, record, 'web_search', inputAt(out, record, 'action'), '', false, hosted)
}

/** The duration of a call, `{secs, nanos}`. */
export function durationOf(record: JsonObject): StatedDuration | undefined {
  const duration = objectAt(record, 'duration') ?? {}
  const seconds = numberAt(duration, 'secs')
  return seconds === undefined ? undefined : statedDuration(seconds + (numberAt(duration, 'nanos') ?? 0) / 1e9, 1000)
}

/** The id of a call, or a unique one. */
export function callIdOf(out: RolloutBuilder, record: JsonObject): string {
  return stringAt(record, 'call_id') || stringAt(record, 'id') || lineId(out.line)
}

/** The input of a call; empty if it is no object. `key`: its name in the payload. */
export function inputOf(out: RolloutBuilder, input: JsonValue | undefined, key: string): JsonObject {
  return isJsonObject(input) ? callInput(input, `${out.path}.${key}`, out.issues) : {}
}

/** The object at `key` as the input of a call. */
export function inputAt(out: RolloutBuilder, record: JsonObject, key: string): JsonObject {
  return inputOf(out, objectAt(record, key), key)
}

/** The files of a patch as its input, under the name used on stdout. */
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

/** The prompt of a generated image, as the input of its call. */
export function imagePrompt(record: JsonObject): JsonObject {
  return { prompt: stringAt(record, 'revised_prompt') ?? '' }
}

/** Links a thread to its call of `spawn_agent`. */
export function linkThread(out: RolloutBuilder, callId: string | undefined, thread: string | undefined): void {
  if (callId !== undefined && thread !== undefined) out.steps.push({ kind: 'thread', callId, thread })
}

import type { JsonObject, JsonValue } from '../../json.ts'
import { arrayAt, isJsonObject, numberAt, objectAt, stringAt } from '../../json.ts'
import { jsonText } from '../json-depth.ts'
import { parseJson } from '../json-text.ts'

/** The result of a tool. */
export interface ToolOutput {
  readonly text: string
  readonly failed: boolean
  /** Stated duration in seconds. */
  readonly seconds?: number | undefined
}

/** The `output` of a call: docs/formats/codex-rollout.md#outputs-have-many-shapes. A complete header is removed. */
export function toolOutput(output: JsonValue | undefined): ToolOutput {
  if (typeof output === 'string') return textOutput(output)
  if (Array.isArray(output)) return partsOutput(output as readonly JsonValue[])
  if (isJsonObject(output)) return objectOutput(output)
  return { text: '', failed: false }
}

/** Before 0.4x an object with `content` and `success`; otherwise a single part. */
function objectOutput(output: JsonObject): ToolOutput {
  const content = output['content']
  if (content === undefined) return { text: partText(output), failed: false }
  const read = toolOutput(content)
  return { ...read, failed: read.failed || output['success'] === false }
}

function partsOutput(parts: readonly JsonValue[]): ToolOutput {
  const [first, ...rest] = parts
  const head = isJsonObject(first) ? (stringAt(first, 'text') ?? '') : ''
  if (parts.length > 1 && isScriptHead(head)) {
    const body = rest.map(partText).join('\n')
    const seconds = wallTime(head)
    if (head.startsWith('Script failed')) return { text: body || head, failed: true, seconds }
    // The header of a running script has its id.
    return { text: head.startsWith('Script completed') ? body : `${head}${body}`, failed: false, seconds }
  }
  return textOutput(parts.length === 1 ? head || partText(first) : parts.map(partText).join('\n'))
}

function partText(part: JsonValue | undefined): string {
  if (typeof part === 'string') return part
  if (isJsonObject(part)) {
    const text = stringAt(part, 'text')
    if (text !== undefined) return text
    const { type } = part
    if (type === 'input_image' || type === 'output_image' || type === 'image') return '[image]'
    if (type === 'input_audio' || type === 'audio') return '[audio]'
    if (type === 'input_file') return `[${stringAt(part, 'filename') ?? 'file'}]`
    if (type === 'encrypted_content') return '[encrypted]'
  }
  return part === undefined ? '' : jsonText(part)
}

const heads = ['Exit code: ', 'Chunk ID: ', 'Wall time: ']
const codePrefixes = ['Exit code: ', 'Process exited with code ']
const body = '\nOutput:\n'
/** Limit of a header in characters. */
const maxHead = 400

function textOutput(text: string): ToolOutput {
  if (text.charCodeAt(0) === 0x7b) return wrappedOutput(text) ?? { text, failed: false }
  if (isScriptHead(text)) return scriptOutput(text)
  if (!heads.some((head) => text.startsWith(head))) return { text, failed: isPlainFailure(text) }
  const start = text.slice(0, maxHead)
  const bodyAt = start.indexOf(body)
  const head = bodyAt === -1 ? start : start.slice(0, bodyAt)
  if (bodyAt === -1 && /(?:^|\n)aborted by user/.test(head)) return { text, failed: true, seconds: wallTime(head) }
  const code = exitCode(head)
  const seconds = wallTime(head)
  // The header of a running process has its id.
  if (code === undefined || bodyAt === -1) return { text, failed: code !== undefined && code !== 0, seconds }
  const rest = text.slice(bodyAt + body.length)
  return code === 0 ? { text: rest, failed: false, seconds } : { ...failure(rest, code), seconds }
}

/** `Wall time: 1.2345 seconds`; for scripts `Wall time 0.1 seconds`. */
function wallTime(head: string): number | undefined {
  const stated = /(?:^|\n)Wall time:? (\d{1,9}(?:\.\d{1,9})?) seconds/.exec(head.slice(0, maxHead))
  return stated === null ? undefined : Number(stated[1])
}

/** `{"output":"…","metadata":{"exit_code":0,"duration_seconds":0.1}}`, in a string. */
function wrappedOutput(text: string): ToolOutput | undefined {
  const parsed = parseJson(text)
  if (!parsed.ok || !isJsonObject(parsed.value)) return undefined
  const output = parsed.value['output']
  const metadata = objectAt(parsed.value, 'metadata')
  if (typeof output !== 'string' || metadata === undefined) return undefined
  const code = numberAt(metadata, 'exit_code') ?? 0
  const ended = code === 0 ? { text: output, failed: false } : failure(output, code)
  return { ...ended, seconds: numberAt(metadata, 'duration_seconds') }
}

function failure(text: string, code: number): ToolOutput {
  return { text: text.trim() === '' ? `exit code ${code}` : text, failed: true }
}

function exitCode(head: string): number | undefined {
  for (const prefix of codePrefixes) {
    const at = head.startsWith(prefix) ? 0 : head.indexOf(`\n${prefix}`) + 1
    if (at > 0 || head.startsWith(prefix)) {
      const code = Number.parseInt(head.slice(at + prefix.length), 10)
      if (Number.isFinite(code)) return code
    }
  }
  return undefined
}

function isScriptHead(text: string): boolean {
  return text.startsWith('Script completed') || text.startsWith('Script failed') || text.startsWith('Script running')
}

function scriptOutput(text: string): ToolOutput {
  const failed = text.startsWith('Script failed')
  const bodyAt = text.slice(0, maxHead).indexOf(body)
  const seconds = wallTime(bodyAt === -1 ? text : text.slice(0, bodyAt))
  if (bodyAt === -1 || text.startsWith('Script running')) return { text, failed, seconds }
  const rest = text.slice(bodyAt + body.length)
  return { text: failed && rest === '' ? text : rest, failed, seconds }
}

/** docs/formats/codex-rollout.md#failures-without-an-exit-code (codex-rs/core/src/tools) */
const failures = [
  'failed in sandbox',
  'apply_patch verification failed',
  'unsupported call',
  'unsupported custom tool call',
  'failed to parse function arguments',
  'failed to parse exec_command arguments',
  'execution error',
  'exec_command failed',
  'write_stdin failed',
  'exec command rejected by user',
  'patch rejected by user',
  'aborted by user',
  'error: ',
  'tool call error:',
  'command timed out'
]

function isPlainFailure(text: string): boolean {
  return text === 'aborted' || failures.some((start) => text.startsWith(start))
}

/** The thread in a spawn's result, by id or path. */
export function spawnedThread(answer: string): string | undefined {
  const parsed = parseJson(answer)
  const said = parsed.ok && isJsonObject(parsed.value) ? parsed.value : {}
  const id = stringAt(said, 'agent_id') ?? stringAt(said, 'thread_id') ?? stringAt(said, 'agent_thread_id')
  return id ?? stringAt(said, 'task_name')
}

/** The texts of a list of strings or parts with a `text`. */
export function textsIn(object: JsonObject, key: string): readonly string[] {
  const texts: string[] = []
  for (const part of arrayAt(object, key) ?? []) {
    const text = isJsonObject(part) ? stringAt(part, 'text') : part
    if (typeof text === 'string' && text !== '') texts.push(text)
  }
  return texts
}

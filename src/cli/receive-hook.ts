import { closeSync, fstatSync, ftruncateSync, openSync, readFileSync, readSync, statSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { keptHook, toolHook } from '#core/formats/claude/tool-hook.ts'
import type { JsonObject, JsonValue } from '#core/json.ts'

export interface HookEnvironment {
  readonly stdin: Readable
  readonly variables: NodeJS.ProcessEnv
  readonly platform: NodeJS.Platform
  /** Ms since the epoch. */
  now(): number
}

/** Longer input is read to its end, since a closed pipe is an error to the agent, and ignored. */
const maxBytes = 64 << 20
const forPeople = `${toolHook.agent} starts this after each tool call, with its result on stdin; "playhead hook --install" asks it to`
/** Longer results become text, which the store cuts. */
const maxLineBytes = 2 << 20

/**
 * Receives the input of an agent's PostToolUse hook on stdin. In a run that Playhead started, appends it as a line to
 * the file that `PLAYHEAD_HOOKS` names; else stores it in the task database. An agent's tool waits, so imports are
 * minimal. Throws an error with a sentence for people.
 */
export async function receiveHook({ stdin, variables, platform, now }: HookEnvironment): Promise<void> {
  if ('isTTY' in stdin && stdin.isTTY === true) throw new Error(forPeople)
  const bytes = await readAll(stdin)
  if (bytes === null) throw new Error(`the hook's input is longer than ${maxBytes >> 20} MiB, so it was ignored`)
  const hook = keptHook(parsed(bytes))
  if (hook === null)
    throw new Error(
      `the hook’s input is not a JSON object; pass the input that ${toolHook.agent} gives a ${toolHook.event} hook`
    )
  const file = variables['PLAYHEAD_HOOKS']
  if (file) {
    const line = bytes.length > maxLineBytes ? await shortened(hook) : hook
    return await append(file, { at: now(), ...recorded(file), hook: line })
  }
  const { storeHook } = await import('./store-hook.ts')
  await storeHook(hook, { variables, platform, now })
}

async function readAll(stdin: Readable): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of stdin as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length <= maxBytes) chunks.push(chunk)
    else chunks.length = 0
  }
  return length > maxBytes ? null : Buffer.concat(chunks)
}

function parsed(bytes: Buffer): JsonValue {
  try {
    return JSON.parse(bytes.toString('utf8')) as JsonValue
  } catch {
    // Node's own message would quote the tool's output.
    return null
  }
}

/** The response becomes text longer than the store keeps, so the store marks it as cut. */
async function shortened(hook: JsonObject): Promise<JsonObject> {
  const { hookResult } = await import('#core/formats/claude/hook-result.ts')
  const result = hookResult(hook)?.result
  if (!result) return hook
  const text = result.content.slice(0, maxLineBytes)
  return hook['hook_event_name'] === 'PostToolUseFailure'
    ? { ...hook, error: text }
    : { ...hook, tool_response: { content: text, is_error: result.isError } }
}

/** The length of the run's recording: earlier output precedes the hook. Without zod, so that the hook starts fast. */
function recorded(file: string): { stdoutBytes?: number } {
  try {
    const manifest = JSON.parse(readFileSync(join(dirname(file), 'run.json'), 'utf8')) as { recording?: unknown }
    return typeof manifest.recording === 'string' ? { stdoutBytes: statSync(manifest.recording).size } : {}
  } catch {
    return {}
  }
}

/** One write, so that lines of parallel hooks do not mix. A partial line is removed again. */
async function append(file: string, line: object): Promise<void> {
  const bytes = Buffer.from(`${JSON.stringify(line)}\n`)
  try {
    const opened = openSync(file, 'a+', 0o600)
    try {
      const { size } = fstatSync(opened)
      try {
        for (let at = 0; at < bytes.length;) at += writeSync(opened, bytes, at)
      } catch (error) {
        removePartial(opened, size, bytes)
        throw error
      }
    } finally {
      closeSync(opened)
    }
  } catch (error) {
    const { writeFailure } = await import('#backend/write-failure.ts')
    throw writeFailure(file, error)
  }
}

/** Truncates a partial line, unless another hook has appended to it. */
function removePartial(opened: number, from: number, line: Buffer): void {
  const part = Buffer.alloc(Math.min(line.length, fstatSync(opened).size - from))
  readSync(opened, part, 0, part.length, from)
  if (from + part.length === fstatSync(opened).size && line.subarray(0, part.length).equals(part))
    ftruncateSync(opened, from)
}

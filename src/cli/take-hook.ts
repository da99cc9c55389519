import { closeSync, fstatSync, ftruncateSync, openSync, readFileSync, readSync, statSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { keptHook } from '#core/bridge/kept-hook.ts'
import type { JsonObject, JsonValue } from '#core/json.ts'

/** What a hook may use of the machine it runs on. */
export interface HookEnvironment {
  readonly stdin: Readable
  readonly variables: NodeJS.ProcessEnv
  readonly platform: NodeJS.Platform
  /** Ms since the epoch. */
  now(): number
}

/** No tool gives more; what is longer is read to its end, since a closed pipe would be an error to the agent, and left out. */
const maxBytes = 64 << 20
const forPeople =
  'Claude Code starts this after each tool call, with its result on stdin; "playhead hook --install" asks it to'
/** What is longer becomes text, which is cut where the store cuts it. */
const maxLineBytes = 2 << 20

/**
 * Takes what an agent gives to its PostToolUse hook on standard input. In a run that Playhead started it is appended to the file that the
 * variable PLAYHEAD_HOOKS names, a line; else it goes into the database of tasks. An agent's tool waits for this, so nothing is imported
 * that is not needed. Throws with a sentence where it cannot be taken.
 */
export async function takeHook({ stdin, variables, platform, now }: HookEnvironment): Promise<void> {
  if ('isTTY' in stdin && stdin.isTTY === true) throw new Error(forPeople)
  const bytes = await readAll(stdin)
  if (bytes === null) throw new Error(`the hook's input is longer than ${maxBytes >> 20} MiB, so it was ignored`)
  const hook = keptHook(parsed(bytes))
  if (hook === null)
    throw new Error('the hook’s input is not a JSON object; pass the input that Claude Code gives a PostToolUse hook')
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
    // Node's own message quotes what the tool said.
    return null
  }
}

/** With its response as text, which says that it was longer by being longer than what is kept. */
async function shortened(hook: JsonObject): Promise<JsonObject> {
  const { hookResult } = await import('#core/bridge/hook-result.ts')
  const result = hookResult(hook)?.result
  if (!result) return hook
  const text = result.content.slice(0, maxLineBytes)
  return hook['hook_event_name'] === 'PostToolUseFailure'
    ? { ...hook, error: text }
    : { ...hook, tool_response: { content: text, is_error: result.isError } }
}

/** How long the run's recording is now: what it says so far was said before this. */
function recorded(file: string): { stdoutBytes?: number } {
  try {
    const manifest = JSON.parse(readFileSync(join(dirname(file), 'run.json'), 'utf8')) as { recording?: unknown }
    return typeof manifest.recording === 'string' ? { stdoutBytes: statSync(manifest.recording).size } : {}
  } catch {
    return {}
  }
}

/** In one write, so that lines of hooks that run at once stand one after the other. A line that does not fit takes no other one with it. */
async function append(file: string, line: object): Promise<void> {
  const bytes = Buffer.from(`${JSON.stringify(line)}\n`)
  try {
    const opened = openSync(file, 'a+', 0o600)
    try {
      const { size } = fstatSync(opened)
      try {
        for (let at = 0; at < bytes.length;) at += writeSync(opened, bytes, at)
      } catch (error) {
        takeBack(opened, size, bytes)
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

/** Cuts off a part of a line, unless another hook has written behind it. */
function takeBack(opened: number, from: number, line: Buffer): void {
  const part = Buffer.alloc(Math.min(line.length, fstatSync(opened).size - from))
  readSync(opened, part, 0, part.length, from)
  if (from + part.length === fstatSync(opened).size && line.subarray(0, part.length).equals(part))
    ftruncateSync(opened, from)
}

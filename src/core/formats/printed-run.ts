import * as z from 'zod'
import { arrayAt, isJsonObject, type JsonObject, objectAt, stated, stringAt } from '../json.ts'
import type { Tokens } from '../requests/tokens.ts'
import { sayBlocks } from './content-blocks.ts'
import type { PlainBuilder } from './plain-record.ts'
import { count, list, members, ms, role, type StatedValues, time, usage, usd } from './stated-values.ts'
import { lengthAt, usdAt } from './stated-amounts.ts'

const lineSchema = z.object({ type: z.string(), session_id: z.string() })
const saidSchema = z.object({ message: z.object({ content: z.union([z.string(), z.array(z.unknown())]) }) })

/** Lines that state no event: pieces of messages that follow as a whole, and questions to the program that started the run. */
const silent = new Set(['stream_event', 'control_request', 'control_response', 'control_cancel_request'])

/** What each line of such a run states. `roles`: beside those of the API. */
export function printedValues(...roles: readonly string[]): StatedValues {
  return members({
    timestamp: time,
    message: members({ role: role('user', 'assistant', 'system', ...roles), usage }),
    duration_ms: ms,
    duration_api_ms: ms,
    num_turns: count,
    total_cost_usd: usd,
    usage,
    tools: list
  })
}

/** How an agent's printed run differs from those of others. */
interface PrintedRun {
  /** The tokens of a message's `usage`. */
  readonly tokensOf: (usage: JsonObject) => Tokens
  /** The version in the first line. */
  readonly version?: string
}

/** Says a line of a run that is printed as Claude Code prints its own: the shapes only, not its tools. */
export function sayPrintedLine(out: PlainBuilder, value: JsonObject, { tokensOf, version }: PrintedRun): void {
  out.require(lineSchema, value, '$')
  out.track = stringAt(value, 'parent_tool_use_id')
  const type = stringAt(value, 'type')
  switch (type) {
    case 'system':
      return system(out, value, version)
    case 'assistant':
    case 'user': {
      out.require(saidSchema, value, '$')
      const said = objectAt(value, 'message') ?? {}
      sayBlocks(out, said['content'], { role: type, path: '$.message.content' })
      const usage = objectAt(said, 'usage')
      if (usage !== undefined) out.tokens(stringAt(said, 'id') ?? out.newId(), stringAt(said, 'model'), tokensOf(usage))
      return
    }
    case 'result':
      return result(out, value)
    default:
      if (type !== undefined && !silent.has(type)) out.unknownRecord(value)
  }
}

function system(out: PlainBuilder, value: JsonObject, version: string | undefined): void {
  if ((stringAt(value, 'subtype') ?? 'init') !== 'init') return
  const tools = (arrayAt(value, 'tools') ?? []).filter((tool): tool is string => typeof tool === 'string')
  out.emit({
    type: 'session.started',
    ...stated({ model: stringAt(value, 'model'), cwd: stringAt(value, 'cwd'), version }),
    ...(tools.length > 0 && { tools })
  })
}

function result(out: PlainBuilder, value: JsonObject): void {
  const failed = value['is_error'] === true
  if (failed) out.emit({ type: 'error', error: errorText(value) ?? stringAt(value, 'result') ?? 'failed' })
  // Mostly the last text again.
  else out.say('result', stringAt(value, 'result'), true)
  const took = stated({ costUsd: usdAt(value, 'total_cost_usd'), durationMs: lengthAt(value, 'duration_ms') })
  out.emit({ type: 'turn.completed', finishReason: failed ? 'error' : 'done', ...took })
}

function errorText({ error }: JsonObject): string | undefined {
  return isJsonObject(error) ? stringAt(error, 'message') : typeof error === 'string' ? error : undefined
}

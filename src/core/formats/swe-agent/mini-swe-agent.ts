import * as z from 'zod'
import {
  arrayAt,
  isFiniteNumber,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  objectAt,
  stringAt
} from '../../json.ts'
import { litellmKey, litellmTokens } from '../litellm-tokens.ts'
import type { LinePosition, LogFormat } from '../log-format.ts'
import { PlainFold, plainStateClasses } from '../plain-fold.ts'
import { contentText, malformedPlainLine, momentOf, PlainBuilder, type PlainDecoded } from '../plain-record.ts'
import { requiredIssues } from '../required.ts'
import { miniSweAgent as agent } from './agent.ts'
import { sayEnd } from './run-end.ts'
import { miniSweAgentValues } from './values.ts'

/** The trajectories of mini-SWE-agent: docs/formats/mini-swe-agent.md. */
export const miniSweAgent: LogFormat<PlainDecoded> = {
  id: 'mini-swe-agent',
  title: 'mini-SWE-agent trajectory',
  agentType: 'mini-swe-agent',
  detectors: [
    { strength: 'conclusive', holds: (r) => /^mini-swe-agent/.test(stringAt(r, 'trajectory_format') ?? '') },
    { strength: 'conclusive', holds: (r) => stringAt(objectAt(r, 'info') ?? {}, 'mini_version') !== undefined },
    {
      strength: 'conclusive',
      holds: (r) => isTurn(r) && /```mswea_bash_command\n|COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT/.test(textOf(r))
    }
  ],
  textDetectors: [
    {
      strength: 'conclusive',
      holds: (text) => /"mini_version"\s*:|"trajectory_format"\s*:\s*"mini-swe-agent/.test(text)
    }
  ],
  nested: ['messages'],
  decode,
  values: miniSweAgentValues,
  decodeMalformed: malformedPlainLine,
  createFold: (context) => new PlainFold(context),
  stateClasses: () => plainStateClasses,
  session: { facts: () => null, lacks: ['project', 'model'], ends: 'unsaid' }
}

function isTurn(r: JsonObject): boolean {
  return stringAt(r, 'role') !== undefined && typeof r['content'] === 'string' && !('type' in r)
}

/** What the detector looks at. */
function textOf(r: JsonObject): string {
  return (stringAt(r, 'content') ?? '').slice(0, 20_000)
}

const anObject = z.object({})
const messageSchema = z.object({ role: z.string() })
const stats = z.object({ instance_cost: z.number(), api_calls: z.number() })
const infoSchema = z.object({ info: z.object({ model_stats: stats }) })
const members = new Set(['info', 'messages', 'trajectory_format', 'instance_id'])

function decode(value: JsonValue, at: LinePosition): PlainDecoded {
  const out = new Reader(agent, at)
  if (!isJsonObject(value)) return { drafts: [], issues: requiredIssues(anObject, value), steps: [] }
  if ('role' in value) {
    out.message(value, '$', 'action')
    const time = momentOf(objectAt(value, 'extra')?.['timestamp'])
    return out.decoded({ time, newScope: out.acts })
  }
  if (Object.keys(value).some((key) => members.has(key))) {
    for (const [index, one] of (arrayAt(value, 'messages') ?? []).entries()) {
      if (isJsonObject(one)) out.message(one, `$.messages[${index}]`, null)
    }
    if ('info' in value) {
      out.require(infoSchema, value, '$')
      sayEnd(out, objectAt(value, 'info') ?? {})
    }
  } else out.unknownRecord(value)
  return out.decoded()
}

/** A command in a message: a fenced block, whose words changed with the versions. */
const command = /```(?:mswea_bash_command|bash)\n([^]*?)\n?```/

class Reader extends PlainBuilder {
  /** The message has a command. */
  acts = false
  #open: string | null = null

  /** `id`: of its command; null: a new one. */
  message(value: JsonObject, path: string, id: string | null): void {
    this.require(messageSchema, value, path)
    const text = contentText(value['content'])
    switch (value['role']) {
      case 'system':
        return this.say('status', text)
      case 'assistant':
        return this.answer(value, text, path, id)
      case 'tool':
        return this.result(stringAt(value, 'tool_call_id') || this.newId(), false, text)
      case 'user': {
        const open = id ?? this.#open
        if (open !== null && isOutput(text)) this.result(open, failedWith(text), text)
        else this.say('user-message', text)
        this.#open = null
        return
      }
      case 'exit':
        return this.say('result', text)
    }
  }

  /** docs/formats/mini-swe-agent.md#an-answer-has-one-command */
  private answer(value: JsonObject, text: string, path: string, id: string | null): void {
    this.say('reasoning', stringAt(value, 'reasoning_content'))
    this.say('assistant-message', text)
    const calls = arrayAt(value, 'tool_calls') ?? []
    for (const [index, one] of calls.entries()) {
      const made = isJsonObject(one) ? (objectAt(one, 'function') ?? {}) : {}
      const callId = isJsonObject(one) ? stringAt(one, 'id') : undefined
      this.call(
        callId || this.newId(),
        stringAt(made, 'name') ?? 'bash',
        made['arguments'],
        `${path}.tool_calls[${index}]`
      )
    }
    const found = calls.length > 0 ? undefined : command.exec(text)?.[1]
    if (found !== undefined) {
      this.acts = true
      this.#open = id ?? this.newId()
      this.call(this.#open, 'bash', { command: found }, `${path}.content`)
    }
    const response = objectAt(objectAt(value, 'extra') ?? {}, 'response') ?? {}
    const usage = objectAt(response, 'usage')
    if (usage === undefined) return
    this.tokens(litellmKey(response) ?? this.newId(), stringAt(response, 'model'), litellmTokens(usage))
  }
}

/** What a command printed, as templates of the versions have it. */
function isOutput(text: string): boolean {
  return /^\s*(?:<(?:returncode|output|warning|exception)>|Observation:)/.test(text)
}

function failedWith(text: string): boolean {
  const code = Number(/^\s*<returncode>(-?\d{1,10})<\/returncode>/.exec(text)?.[1])
  return isFiniteNumber(code) && code !== 0
}

import * as z from 'zod'
import { arrayAt, isJsonObject, type JsonObject, type JsonValue, objectAt, stringAt } from '../../json.ts'
import type { LinePosition, LogFormat } from '../log-format.ts'
import { PlainFold, plainStateClasses } from '../plain-fold.ts'
import { malformedPlainLine, PlainBuilder, type PlainDecoded } from '../plain-record.ts'
import { requiredIssues } from '../required.ts'
import { statedDuration } from '../stated-amounts.ts'
import { sweAgent as agent } from './agent.ts'
import { sayEnd } from './run-end.ts'
import { sweAgentValues } from './values.ts'

/** The trajectories of SWE-agent: docs/formats/swe-agent.md. */
export const sweAgent: LogFormat<PlainDecoded> = {
  id: 'swe-agent',
  title: 'SWE-agent trajectory',
  agentType: 'swe-agent',
  detectors: [
    { strength: 'conclusive', holds: isStep },
    { strength: 'shared', holds: (r) => ['role', 'content', 'agent'].every((key) => stringAt(r, key) !== undefined) },
    { strength: 'typical', holds: (r) => 'exit_status' in (objectAt(r, 'info') ?? {}) },
    { strength: 'conclusive', holds: (r) => Array.isArray(r['trajectory']) && isJsonObject(r['info']) }
  ],
  textDetectors: [{ strength: 'conclusive', holds: (text) => /"trajectory"\s*:\s*\[\s*\{\s*"action"\s*:/.test(text) }],
  nested: ['history', 'trajectory'],
  decode,
  values: sweAgentValues,
  decodeMalformed: malformedPlainLine,
  createFold: (context) => new PlainFold(context),
  stateClasses: () => plainStateClasses,
  session: { facts: () => null, lacks: ['project', 'prompt', 'model'], ends: 'unsaid' }
}

function isStep(r: JsonObject): boolean {
  return ['action', 'observation', 'response', 'thought'].every((key) => stringAt(r, key) !== undefined)
}

const anObject = z.object({})
const stepSchema = z.object({ action: z.string(), observation: z.string(), thought: z.string(), response: z.string() })
const infoSchema = z.object({ info: z.object({}) })
const members = new Set(['environment', 'trajectory', 'history', 'info', 'replay_config'])

function decode(value: JsonValue, at: LinePosition): PlainDecoded {
  const out = new PlainBuilder(agent, at)
  if (!isJsonObject(value)) return { drafts: [], issues: requiredIssues(anObject, value), steps: [] }
  if ('action' in value && 'observation' in value) step(out, value, '$')
  else if (Object.keys(value).some((key) => members.has(key))) {
    for (const [index, one] of (arrayAt(value, 'trajectory') ?? []).entries()) {
      if (isJsonObject(one)) step(out, one, `$.trajectory[${index}]`)
    }
    if ('info' in value) {
      out.require(infoSchema, value, '$')
      sayEnd(out, objectAt(value, 'info') ?? {})
    }
    // A record of the history: docs/formats/swe-agent.md#the-history-repeats-the-steps.
  } else if (!('role' in value)) out.unknownRecord(value)
  return out.decoded()
}

/** docs/formats/swe-agent.md#a-step-has-a-thought-and-an-action */
function step(out: PlainBuilder, value: JsonObject, path: string): void {
  out.require(stepSchema, value, path)
  const thought = stringAt(value, 'thought') ?? ''
  out.say('assistant-message', thought.trim() === '' ? stringAt(value, 'response') : thought)
  const command = stringAt(value, 'action') ?? ''
  if (command.trim() === '') return out.say('status', stringAt(value, 'observation'))
  const id = out.newId()
  out.call(id, 'bash', { command }, `${path}.action`)
  out.result(id, false, stringAt(value, 'observation') ?? '', statedDuration(value['execution_time'], 1000))
}

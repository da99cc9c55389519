import type { EventBody } from '../../events/agent-event.ts'
import { isFiniteNumber, type JsonObject, objectAt, stringAt } from '../../json.ts'
import type { RecordFacts } from '../record-facts.ts'

/** Of what the agent said or called: the model of its step, and the step's counts: docs/formats/atif.md#a-step-states-its-tokens. */
export function atifFacts(record: JsonObject, event: EventBody): RecordFacts {
  if (event.type === 'tool.completed' || record['source'] !== 'agent') return {}
  const counts = Object.entries(objectAt(record, 'metrics') ?? {}).filter(([, value]) => isFiniteNumber(value))
  return {
    model: stringAt(record, 'model_name'),
    usage: counts.length === 0 ? undefined : Object.fromEntries(counts)
  }
}

import type { EventBody } from '../../events/agent-event.ts'
import { arrayAt, isJsonObject, type JsonObject, objectAt, stringAt } from '../../json.ts'
import { recordedDiff, type RecordFacts } from '../record-facts.ts'

/** Facts of a record: model and tokens of an answer, the displayed diff of a result. */
export function geminiFacts(record: JsonObject, event: EventBody): RecordFacts {
  if (event.type !== 'tool.completed') return { model: stringAt(record, 'model'), usage: objectAt(record, 'tokens') }
  const call = (arrayAt(record, 'toolCalls') ?? []).find(
    (each): each is JsonObject => isJsonObject(each) && each['id'] === event.toolId
  )
  const shown = call === undefined ? {} : (objectAt(call, 'resultDisplay') ?? {})
  const { fileDiff, originalContent: before, isNewFile } = shown
  return {
    diffs:
      typeof fileDiff === 'string'
        ? recordedDiff(
            stringAt(shown, 'filePath') ?? stringAt(shown, 'fileName') ?? '',
            fileDiff,
            before === null || before === '' || isNewFile === true
          )
        : [],
    isDenied: objectAt(record, 'error')?.['type'] === 'policy_violation'
  }
}

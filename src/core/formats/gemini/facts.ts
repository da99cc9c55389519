import type { EventBody } from '../../events/agent-event.ts'
import { arrayAt, isJsonObject, type JsonObject, objectAt, stringAt } from '../../json.ts'
import { type FileEffect, fileLines } from '../file-effect.ts'
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
    files: filesIn(shown),
    isDenied: objectAt(record, 'error')?.['type'] === 'policy_violation'
  }
}

/** The file before and after an edit. The agent may place a text that is not quite in the file, so the new content counts. */
function filesIn(shown: JsonObject): readonly FileEffect[] | undefined {
  const path = stringAt(shown, 'filePath') ?? stringAt(shown, 'fileName')
  const after = stringAt(shown, 'newContent')
  if (path === undefined || after === undefined) return undefined
  const before = stringAt(shown, 'originalContent')
  const lines = fileLines(before ?? '')
  const seen: FileEffect[] =
    before === undefined || before === '' ? [] : [{ path, what: 'shown', from: 1, lines, total: lines.length }]
  return [
    ...seen,
    {
      path,
      what: 'written',
      text: after,
      created: before === undefined ? false : before === '' || shown['isNewFile'] === true
    }
  ]
}

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonValue } from '../../json.ts'
import type { LogFormat } from '../log-format.ts'
import { claudeStreamJson } from './stream-json.ts'
import { claudeTranscript } from './transcript.ts'

const words = fc.constantFrom(
  ...[
    'assistant',
    'user',
    'system',
    'result',
    'stream_event',
    'attachment',
    'progress',
    'text',
    'thinking',
    'tool_use'
  ],
  ...['tool_result', 'TodoWrite', 'TaskCreate', 'TaskUpdate', 'TaskList', 'Task', 'init', 'success', 'agent_progress'],
  ...[
    'content_block_delta',
    'message_start',
    'pending',
    'completed',
    'deleted',
    'queued_command',
    'turn_duration',
    'x',
    ''
  ]
)
const keys = fc.constantFrom(
  ...[
    'type',
    'subtype',
    'message',
    'content',
    'input',
    'todos',
    'id',
    'name',
    'tool_use_id',
    'is_error',
    'event',
    'delta'
  ],
  ...['index', 'text', 'thinking', 'session_id', 'sessionId', 'parent_tool_use_id', 'tool_use_result', 'toolUseResult'],
  ...['task', 'tasks', 'taskId', 'updatedFields', 'newTodos', 'oldTodos', 'status', 'subject', 'attachment', 'data'],
  ...[
    'prompt',
    'isSidechain',
    'agentId',
    'uuid',
    'parentUuid',
    'timestamp',
    'stop_reason',
    'errors',
    'result',
    '__proto__'
  ]
)
/** JSON made of the formats' own words in wrong places. */
const lookalike = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 6, depthSize: 'large' },
    fc.constantFrom<JsonValue>(null, true, false, 0, -1, 1e300),
    words,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(keys, tie('value'), { maxKeys: 7, noNullPrototype: true })
  )
})).value

const formats: readonly LogFormat[] = [claudeStreamJson, claudeTranscript]

describe.each(formats)('$id', (format) => {
  test('any records in any order: nothing throws, every body is a draft of its line, issues quote nothing', () => {
    fc.assert(
      fc.property(fc.array(lookalike, { maxLength: 12 }), (values) => {
        const fold = format.createFold({})
        for (const [index, value] of values.entries()) {
          const at = { line: index + 1, offset: index * 10, length: 9 }
          const decoded = format.decode(value, at)
          expect(format.decode(value, at)).toEqual(decoded)
          const { events } = fold.add(at, decoded)
          for (const event of events) {
            if (event.body >= 0) expect(event.draft).toBe(decoded.drafts[event.body])
            expect(event.at).toEqual(at)
          }
          expect(events.map((event) => event.ordinal)).toEqual(events.map((_, ordinal) => ordinal))
        }
        fold.end()
      }),
      { numRuns: 400 }
    )
  })
})

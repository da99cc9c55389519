import { expect, test } from 'vitest'
import { codexExecJson } from '../formats/codex/exec-json.ts'
import { geminiStreamJson } from '../formats/gemini/stream-json.ts'
import type { LogFormat } from '../formats/log-format.ts'
import { LogReader } from '../formats/log-reader.ts'
import type { JsonObject } from '../json.ts'
import { RecordingReader } from './recording-reader.ts'
import { RunStream } from './run-stream.ts'
import { taskRows } from './task-rows.ts'

/** As docs/tasks.md and docs/run-stream.md have it: what is blocked is still to be done, wherever it is shown. */

const utf8 = new TextEncoder()
const bytesOf = (records: readonly JsonObject[]): Uint8Array =>
  utf8.encode(records.map((record) => `${JSON.stringify(record)}\n`).join(''))
const timestamp = '2026-11-21T22:02:53.191Z'

const written: [what: string, format: LogFormat, records: JsonObject[]][] = [
  [
    'Gemini CLI',
    geminiStreamJson,
    [
      { type: 'init', session_id: 's', model: 'gemini-2.5-pro', timestamp },
      {
        ...{ type: 'tool_use', tool_name: 'write_todos', tool_id: 'a', timestamp },
        parameters: { todos: [{ description: 'Wait', status: 'blocked' }] }
      }
    ]
  ],
  [
    'Codex',
    codexExecJson,
    [
      { model: 'gpt-5', workdir: '/w', provider: 'openai' },
      { id: '0', msg: { type: 'plan_update', plan: [{ step: 'Wait', status: 'blocked' }] } }
    ]
  ]
]

test.each(written)(
  'a blocked todo of %s is pending: in the todo list, in the stream and among the tasks',
  (_what, format, records) => {
    const lists: unknown[] = []
    const hear = (events: readonly { readonly body?: unknown }[]): void => void lists.push(...events)
    const reader = new LogReader(format, { line: ({ events }) => hear(events), end: hear })
    reader.push(bytesOf(records))
    reader.end()
    expect(JSON.stringify(lists)).toContain('"text":"Wait","status":"pending"')

    const stream = new RunStream(format, null)
    const recording = new RecordingReader(format, stream)
    recording.push(bytesOf(records))
    recording.end()
    const { events, todos } = stream.drain()
    expect(events).toContainEqual({
      type: 'task_update',
      data: expect.objectContaining({ todos: [{ content: 'Wait', status: 'pending', activeForm: null }] })
    })
    for (const list of todos) expect(taskRows('s', list.todos)).toMatchObject([{ title: 'Wait', status: 'pending' }])
  }
)

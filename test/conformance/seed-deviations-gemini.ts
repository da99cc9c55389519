import { objectAt, stringAt } from '../../src/core/json.ts'
import type { Difference, Said } from './seed-alignment.ts'
import { added, alike, bothDeviations, type Deviation, left, ofTypes, saysText } from './seed-deviations.ts'

const trackerTools = new Set(['tracker_create_task', 'tracker_update_task'])

const itemsOf = (event: Said | null): readonly Said[] => (event?.['items'] ?? []) as readonly Said[]

/** Whether only our list has the item, as what is to be done. */
const isAdded = (item: Said, { seed }: Difference): boolean =>
  item['status'] === 'pending' && !itemsOf(seed).some((other) => JSON.stringify(other) === JSON.stringify(item))

/** Of GeminiParser. */
export const geminiDeviations: readonly Deviation[] = [
  ...bothDeviations,
  {
    id: 'D-G1',
    why: 'the prompt is shown; the seed drops it',
    holds: (d) => d.seed === null && saysText(d.ours, 'user', 'user-message') && d.at.record['role'] === 'user'
  },
  {
    id: 'D-G2',
    why: 'a warning is shown, as the system’s; the seed does not know `error` records',
    holds: (d) => d.seed === null && saysText(d.ours, 'system', undefined) && d.at.record['type'] === 'error'
  },
  {
    id: 'D-G3',
    why: 'an error is shown, and why a turn failed; the seed reads the status only',
    holds: (d) => added(d, 'error') !== null && ['error', 'result'].includes(String(d.at.record['type']))
  },
  {
    id: 'D-G4',
    why: 'a turn that was cancelled is cancelled, which the type allows',
    holds: (d) => alike(d, 'finishReason') && objectAt(d.at.record, 'error')?.['type'] === 'FatalCancellationError'
  },
  {
    id: 'D-G5',
    why: 'a result without a status is no end of a turn: it is another program’s, or damaged',
    holds: (d) => left(d, 'turn.completed') !== null && stringAt(d.at.record, 'status') === undefined
  },
  {
    id: 'D-G6',
    why: 'what is `blocked` (since 0.36) is still to be done: the item stays in the list, as pending',
    holds: (d) =>
      alike(d, 'items') &&
      d.at.text.includes('"blocked"') &&
      JSON.stringify(itemsOf(d.ours).filter((item) => !isAdded(item, d))) === JSON.stringify(itemsOf(d.seed))
  },
  {
    id: 'D-G7',
    why: 'the tracker’s tools are todo tools as well: their calls give no tool.started',
    holds: (d) => trackerTools.has(String(left(d, 'tool.started')?.['toolName']))
  },
  {
    id: 'D-G8',
    why: 'a tracker’s tool changes the list when it has answered: the list stands before its result',
    holds: (d) => trackerTools.has(d.at.calls.get(String(added(d, 'todo_list')?.['todoId'])) ?? '')
  },
  {
    id: 'D-G9',
    why: 'a call that its result refuses changed nothing: the list before it is given again',
    holds: (d) =>
      added(d, 'todo_list') !== null && d.at.record['type'] === 'tool_result' && d.at.record['status'] !== 'success'
  },
  {
    id: 'D-G10',
    why: '`error` says what went wrong, where the record does, instead of the word `error`; the output only says it again, shorter',
    holds: (d) => alike(d, 'error', 'output') && d.ours?.['output'] === undefined && d.ours?.['error'] !== undefined
  },
  {
    id: 'D-G11',
    why: 'a carriage return is a part of the line end, also of a cut last line',
    holds: (d) => alike(d, 'text') && !d.at.terminated && `${String(d.ours?.['text'])}\r` === d.seed?.['text']
  },
  {
    id: 'D-G13',
    why: '`write_todos_list` is the name of `write_todos` before 0.11',
    holds: (d) =>
      d.seed?.['toolName'] === 'write_todos_list' || (d.seed === null && d.at.text.includes('write_todos_list'))
  },
  ofTypes
]

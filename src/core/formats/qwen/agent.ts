import type { Agent, ReadLines } from '../agent.ts'
import type { TodoItem } from '../../events/todo.ts'
import { parseJson } from '../json-text.ts'
import { listedItems, statedItems } from '../listed-items.ts'

export const qwen = {
  name: 'Qwen Code',
  label: 'Qwen Code',
  words: ['qwen', 'qwen-code'],
  tools: {
    shell: ['run_shell_command'],
    read: ['read_file', 'read_many_files'],
    list: ['list_directory'],
    write: ['write_file'],
    edit: ['edit', 'replace'],
    search: ['glob', 'grep_search', 'search_file_content'],
    web: ['web_fetch', 'web_search'],
    agent: ['task', 'agent']
  },
  asking: ['ask_user_question', 'exit_plan_mode'],
  usage: {
    input: ['promptTokenCount'],
    cacheReadOfInput: ['cachedContentTokenCount'],
    output: ['candidatesTokenCount'],
    reasoning: ['thoughtsTokenCount']
  },
  bareLinesFrom: 1,
  todoItems: (tool, { todos }) => (tool === 'todo_write' ? listedItems(todos, 'content') : null),
  todoWords: (tool, output) => (tool === 'todo_write' ? todoWords(output) : null),
  readLines
} as const satisfies Agent

/** docs/formats/qwen-code.md#todo_write-replaces-the-list */
export function todoWords(output: string): readonly TodoItem[] | 'former' | null {
  const isRefused =
    output.startsWith('Failed to modify todos.') || output.includes('Todo list was not modified because')
  if (isRefused) return 'former'
  if (output.startsWith('Todo list has been cleared.')) return []
  const from = output.indexOf(listHead)
  const to = output.lastIndexOf('. Continue on with the tasks')
  const list = from < 0 || to < from ? undefined : parseJson(output.slice(from + listHead.length, to))
  return list?.ok === true ? (statedItems(list.value, 'content') ?? null) : null
}

const listHead = 'Here are the latest contents of your todo list:\n\n'

const partHead = /^Showing lines (\d{1,9})-(\d{1,9}) of (at least )?(\d{1,9}) total lines\.\n\n---\n\n/

/** A part of a file has a head: docs/formats/qwen-code.md#a-part-of-a-file-has-a-head. */
function readLines(output: string): ReadLines | null {
  const head = partHead.exec(output)
  if (head === null) return null
  const text = output.slice(head[0].length)
  const [first, last, total] = [Number(head[1]), Number(head[2]), Number(head[4])]
  // A limit of characters may have cut it further.
  if (text.split('\n').length !== last - first + 1) return { first, text, total: null, isEnd: false }
  return { first, text, total: head[3] === undefined ? total : null, isEnd: false }
}

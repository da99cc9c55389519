import type { Agent, ReadLines } from '../agent.ts'
import { listedItems } from '../listed-items.ts'

export const opencode = {
  name: 'opencode',
  label: 'opencode',
  words: ['opencode'],
  tools: {
    shell: ['bash'],
    read: ['read'],
    list: ['list'],
    write: ['write'],
    edit: ['edit', 'multiedit', 'patch', 'apply_patch'],
    search: ['glob', 'grep', 'codesearch'],
    web: ['webfetch', 'websearch'],
    agent: ['task']
  },
  asking: ['question'],
  formatsEdits: true,
  input: { path: ['filePath'], before: ['oldString'], after: ['newString'], all: ['replaceAll'], content: ['content'] },
  usage: {
    input: ['input'],
    cacheRead: ['cache.read'],
    cacheWrite: ['cache.write'],
    output: ['output'],
    thoughts: ['reasoning']
  },
  todoItems: (tool, { todos }) => (tool === 'todowrite' ? listedItems(todos, 'content') : null),
  todoReaders: ['todoread'],
  readLines
} as const satisfies Agent

const start = /^(?:<path>[^\n]*<\/path>\n<type>file<\/type>\n<content>\n|<file>\n)/
const line = /(\d{1,9})(?:: |\| |:$|\|$)?([^\n]*)(?:\n|$)/y
const end = /^\n?\(End of file - total (\d{1,9}) lines\)/

/** Lines with numbers between tags: docs/formats/opencode.md#a-read-has-numbered-lines. */
function readLines(output: string): ReadLines | null {
  const head = start.exec(output)
  if (head === null) return null
  const lines: string[] = []
  let first = 1
  let at = head[0].length
  for (;;) {
    line.lastIndex = at
    const found = line.exec(output)
    if (found === null || (lines.length > 0 && Number(found[1]) !== first + lines.length)) break
    if (lines.length === 0) first = Number(found[1])
    lines.push(found[2] ?? '')
    at = line.lastIndex
  }
  if (lines.length === 0) return null
  const text = lines.join('\n')
  const isEnd = end.test(output.slice(at, at + 60))
  // The older form has the empty line after the last line feed.
  const isOlder = head[0] === '<file>\n'
  return { first, text, total: isEnd && isOlder ? first - 1 + lines.length : null, isEnd: isEnd && (isOlder || 'open') }
}

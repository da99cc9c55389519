import type { Agent, ReadLines } from '../agent.ts'

const tools = {
  shell: ['bash', 'run_terminal', 'exec'],
  read: ['read'],
  list: ['ls'],
  write: ['write'],
  edit: ['edit'],
  search: ['grep', 'find'],
  web: ['web_fetch', 'web_search'],
  agent: ['subagent', 'sessions_spawn']
} as const
const usage = { input: ['input'], cacheRead: ['cacheRead'], cacheWrite: ['cacheWrite'], output: ['output'] } as const
const input = {
  path: ['path'],
  before: ['oldText'],
  after: ['newText'],
  content: ['content'],
  prompt: ['task']
} as const

const reads = { bareLinesFrom: 0, readLines } as const

export const pi = {
  name: 'pi',
  label: 'pi',
  words: ['pi'],
  tools,
  results: { byUser: [/^User denied access /] },
  usage,
  input,
  ...reads
} as const satisfies Agent

/** Built on pi, and writes the same logs. */
export const openclaw = {
  name: 'OpenClaw',
  label: 'OpenClaw',
  words: ['openclaw'],
  tools,
  usage,
  input,
  ...reads
} as const satisfies Agent

const notes = [
  /\n\n\[(?<rest>\d{1,9}) more lines in file\. Use offset=(?<next>\d{1,9}) to continue\.?\]$/,
  /\n\n\[Showing lines \d{1,9}-\d{1,9} of (?<total>\d{1,9})(?: \([^)\n]{1,40}\))?\. Use offset=(?<next>\d{1,9}) to continue\.?\]$/,
  /\n\n\.\.\. \((?:Some lines were truncated[^\n]{0,60}\. )?(?<rest>\d{1,9}) more lines not shown\. Use offset=(?<next>\d{1,9}) to continue reading\)$/
]
/** It is about the file, and no line of it. */
const aboutFile = /^(?:\[Line \d+ is |Read image file )/

/** A note after the lines tells that there are more: docs/formats/pi.md#a-read-says-where-to-continue. */
function readLines(output: string): ReadLines | null {
  if (aboutFile.test(output)) return null
  const from = Math.max(0, output.length - 300)
  for (const note of notes) {
    const found = note.exec(output.slice(from))
    if (found === null) continue
    const { rest, total, next } = found.groups ?? {}
    const text = output.slice(0, from + found.index)
    const last = Number(next) - 1
    const first = last + 1 - text.split('\n').length
    return first < 1
      ? null
      : { first, text, total: total === undefined ? last + Number(rest) : Number(total), isEnd: false }
  }
  return { first: null, text: output, total: null, isEnd: true }
}

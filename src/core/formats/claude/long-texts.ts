import type { LongTexts } from '../log-format.ts'
import type { ClaudeDecoded, Step } from './decoded.ts'

/** What was said, what tools were given to write, what they answered, and files and pictures in base64. */
const names = [
  ...['text', 'thinking', 'signature', 'content', 'data', 'base64'],
  ...['command', 'old_string', 'new_string', 'stdout', 'stderr', 'fullOutput'],
  ...['originalFile', 'oldString', 'newString']
]

/** Tags of commands and of the harness, and what the Task tools answer: all of it is read. */
const wholeAt = '< \nTU#'

/** Of the records of Claude Code. */
export const claudeLongTexts: LongTexts<ClaudeDecoded> = {
  names,
  wholeAt,
  readsMore: ({ steps, message }) => steps.some(isOfTexts) || message?.written !== undefined
}

/** A streamed piece of a text is put together with others. */
function isOfTexts({ kind }: Step): boolean {
  return kind === 'block-text'
}

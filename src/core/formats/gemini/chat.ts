import { stringAt } from '../../json.ts'
import type { Decoded, LogFormat, Sign } from '../log-format.ts'
import { geminiRunFiles } from './run-files.ts'

const nothing: Decoded = { drafts: [], issues: [] }

const signs: readonly Sign[] = [
  { rank: 1, holds: (r) => '$set' in r || '$rewindTo' in r },
  { rank: 2, holds: (r) => stringAt(r, 'sessionId') !== undefined && stringAt(r, 'projectHash') !== undefined },
  // `logs.json`: the prompts of several sessions.
  {
    rank: 2,
    holds: (r) => stringAt(r, 'sessionId') !== undefined && 'messageId' in r && stringAt(r, 'message') !== undefined
  }
]

/** To be read; its logs are recognised. */
export const geminiChat: LogFormat = {
  id: 'gemini-chat',
  title: 'Gemini CLI chat',
  agentType: 'google-gemini',
  signs,
  textSigns: [{ rank: 2, holds: (text) => /"sessionId"\s*:/.test(text) && /"projectHash"\s*:/.test(text) }],
  decode: () => nothing,
  decodeMalformed: (_text, issue) => ({ drafts: [], issues: [issue] }),
  createFold: () => ({
    add: () => ({ events: [], issues: [] }),
    end: () => ({ events: [], issues: [] })
  }),
  runFiles: geminiRunFiles
}

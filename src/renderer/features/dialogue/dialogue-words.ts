import type { LiveRun, OpenAsk, RunDialogue } from '#contract/live-runs.ts'
import { stringAt, isJsonObject } from '#core/json.ts'
import { displayText } from '../../ui/display-text.ts'
import { formatCount } from '../../ui/format.ts'

/** What an ask wants, as a heading. The agent's texts are shown as plain text with control characters visible. */
export function askTitle(ask: OpenAsk, agent: string): string {
  switch (ask.kind) {
    case 'tool':
      return `${displayText(ask.tool ?? 'A tool')} needs your permission`
    case 'plan':
      return `${agent} asks you to approve its plan`
    case 'question':
      return ask.questions.length > 1 ? `${agent} asks ${ask.questions.length} questions` : `${agent} asks a question`
    case 'unknown':
      return 'A request that Playhead does not know'
  }
}

/** The first words of what is asked for, on one line: a command, a file, a question. "" for none. */
export function askSubject(ask: OpenAsk): string {
  const [question] = ask.questions
  if (question !== undefined) return oneLine(question.question)
  if (!isJsonObject(ask.input)) return typeof ask.input === 'string' ? oneLine(ask.input) : ''
  for (const key of ['command', 'file_path', 'path', 'absolute_path', 'url', 'query', 'plan']) {
    const text = stringAt(ask.input, key)
    if (text !== undefined) return oneLine(text)
  }
  return ''
}

/** "Claude Code asks to run mkdir build.", for a screen reader and a notice of the desktop. */
function askSentence(ask: OpenAsk, agent: string): string {
  const subject = askSubject(ask)
  const about = subject === '' ? '' : `: ${subject}`
  switch (ask.kind) {
    case 'tool':
      return `${agent} asks for permission, ${displayText(ask.tool ?? 'a tool')}${about}.`
    case 'plan':
      return `${agent} asks you to approve its plan.`
    case 'question':
      return `${agent} asks${about}`
    case 'unknown':
      return `${agent} asks for something that Playhead does not know.`
  }
}

/** Requests of runs that have just come, in a sentence. */
export function asksSentence(fresh: readonly { readonly ask: OpenAsk; readonly agent: string }[]): string {
  const [only] = fresh
  if (only !== undefined && fresh.length === 1) return askSentence(only.ask, only.agent)
  const agents = [...new Set(fresh.map(({ agent }) => agent))]
  return `${formatCount(fresh.length)} new requests of ${agents.join(' and ')}.`
}

function oneLine(text: string): string {
  const line = displayText(text.replaceAll(/\s+/g, ' ').trim())
  return line.length > 120 ? `${line.slice(0, 119)}…` : line
}

/** What an interactive run does now. */
export function turnWord({ turn, asks }: RunDialogue): string {
  switch (turn) {
    case 'starting':
      return 'Starting'
    case 'working':
      return 'Running'
    case 'asking':
      return asks.every(({ kind }) => kind === 'question') ? 'Asks a question' : 'Asks for permission'
    case 'interrupting':
      return 'Interrupting'
    case 'idle':
      return 'Waits for you'
    case 'stopping':
      return 'Stopping'
    case 'ended':
      return 'Ended'
    case 'lost':
      return 'Lost'
  }
}

/** Whether this page can talk to the run. */
export function canTalk(run: LiveRun): boolean {
  return run.own && run.dialogue !== null && !['stopping', 'ended', 'lost'].includes(run.dialogue.turn)
}

/** The place of a prompt in the queue, in words. */
export function whenSent(position: number, dialogue: RunDialogue): string {
  if (dialogue.held) return 'held'
  if (position > 0) return `after ${position}`
  return dialogue.turn === 'idle' ? 'next' : 'after this turn'
}

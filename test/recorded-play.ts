import type { DialogueInput, DialogueState, Refusal } from '#core/dialogue/dialogue.ts'
import { isJsonObject, type JsonObject, objectAt } from '#core/json.ts'
import { Replay } from './conformance/dialogue-replay.ts'
import type { RecordedDialogue } from './conformance/recorded-dialogue.ts'
import type { DialoguePlay, DialogueStep, KnownDialogue } from './stand-in/dialogue-play.ts'

/** A recorded dialogue as the state machine has it: what is printed, called and sent, in order. */
class Script extends Replay {
  // The constructor above fills it.
  declare script: DialogueStep[]

  override take(input: DialogueInput): Refusal | null {
    this.script ??= []
    const known = input.kind === 'call' ? knownOf(this.machine.state) : null
    const before = this.steps.length
    const refused = super.take(input)
    if (input.kind === 'record') this.script.push({ out: JSON.stringify(input.record) })
    if (input.kind === 'call') this.script.push({ call: input.call, known, refused: refused?.code ?? null })
    for (const step of this.steps.slice(before)) {
      if (step.do === 'send') this.script.push({ in: JSON.stringify(step.line) })
      else if (step.do === 'close-input') this.script.push({ in: null })
    }
    return refused
  }
}

/** A recorded dialogue as a play. What its host did that no person can do in Playhead is left out. */
export function recordedPlay(recording: RecordedDialogue): DialoguePlay {
  const replayed = new Script(recording)
  replayed.follow(recording)
  const { name, agent } = recording
  return { name, agent, steps: replayed.script, exitCode: 0, fault: null }
}

/** What is known of a dialogue. */
export function knownOf({
  turn,
  asks,
  mode,
  queue,
  spent
}: Pick<DialogueState, 'turn' | 'asks' | 'mode' | 'queue' | 'spent'>): KnownDialogue {
  return { turn, asks: asks.map(({ id }) => id), mode, queued: queue.length, usd: spent.usd }
}

/** The first prompt of a play. */
export function firstPrompt({ steps }: DialoguePlay): string {
  for (const step of steps) {
    const line = 'in' in step && step.in !== null ? (JSON.parse(step.in) as JsonObject) : {}
    const content = objectAt(line, 'message')?.['content']
    if (typeof content === 'string') return content
    const params = objectAt(line, 'params') ?? {}
    const [part] = (params['input'] ?? params['prompt'] ?? []) as readonly JsonObject[]
    if (isJsonObject(part) && typeof part['text'] === 'string') return part['text']
  }
  return 'none'
}

/** The session that a play goes on with; null: a new one. */
export function resumedSession({ steps }: DialoguePlay): string | null {
  for (const step of steps) {
    const line = 'in' in step && step.in !== null ? (JSON.parse(step.in) as JsonObject) : {}
    const params = objectAt(line, 'params') ?? {}
    const id = { 'thread/resume': params['threadId'], 'session/load': params['sessionId'] }[String(line['method'])]
    if (typeof id === 'string') return id
  }
  return null
}

/** The mode that a play is started in; null: the agent's own. Gemini CLI states it with its session. */
export function startMode({ steps }: DialoguePlay): string | null {
  return steps.some((step) => 'out' in step && step.out.includes('"currentModeId":"yolo"')) ? 'yolo' : null
}

/** The agent adds to the logs that it keeps itself before each line that it prints. */
export function withLogs(play: DialoguePlay, logs: ReadonlyMap<string, readonly string[]>): DialoguePlay {
  const prints = play.steps.filter((step) => 'out' in step).length
  let printed = 0
  const steps = play.steps.flatMap((step): DialogueStep[] => {
    if (!('out' in step)) return [step]
    const [from, to] = [printed / prints, ++printed / prints]
    const saved = [...logs].flatMap(([file, lines]) =>
      lines.slice(Math.floor(from * lines.length), Math.floor(to * lines.length)).map((line) => ({ file, line }))
    )
    return [...saved.map((saves) => ({ saves })), step]
  })
  return { ...play, steps }
}

/** A line to an agent as one to compare: without what differs between two hosts or runs. */
export function comparable(line: string | null): unknown {
  const { uuid: _uuid, params, ...record } = JSON.parse(line ?? '{}') as JsonObject
  if (!isJsonObject(params)) return record
  const { clientUserMessageId: _id, messageId: _message, clientInfo: _info, cwd: _cwd, ...rest } = params
  return { ...record, params: rest }
}

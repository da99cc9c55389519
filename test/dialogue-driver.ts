import { expect } from 'vitest'
import type { LiveRun } from '#contract/live-runs.ts'
import { HostError } from '#contract/host-error.ts'
import type { DialogueCall, DialogueInput, DialogueState, Refusal } from '#core/dialogue/dialogue.ts'
import { isJsonObject, type JsonObject, objectAt } from '#core/json.ts'
import type { RecordedDialogue } from './conformance/recorded-dialogue.ts'
import { Replay } from './conformance/dialogue-replay.ts'
import type { RunHost } from './run-host.ts'
import type { DialoguePlay, DialogueStandIn, DialogueStep, KnownDialogue } from './stand-in/dialogue-play.ts'

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
  for (const row of recording.rows) {
    if (row.kind === 'in') replayed.wrote(row.text, row.atMs)
    else if (row.kind === 'out') replayed.printed(row.text, row.atMs)
    else replayed.end(row.kind, row.atMs)
  }
  const { name, agent } = recording
  return { name, agent, steps: replayed.script, exitCode: 0, fault: null }
}

function knownOf({
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

/** Does what the person of a play did, each when the host knows all that was printed before. */
export async function drive(
  host: RunHost,
  { run }: Pick<LiveRun, 'run'>,
  play: DialoguePlay,
  standIn: DialogueStandIn
): Promise<void> {
  for (const [number, step] of play.steps.entries()) {
    if (!('call' in step)) continue
    await expect.poll(() => standIn.steps, { interval: 5, timeout: 60_000 }).toBeGreaterThan(number)
    if (step.known !== null) {
      const known = JSON.stringify(step.known)
      await host.run(run, ({ dialogue }) => dialogue !== null && JSON.stringify(knownOf(dialogue)) === known)
    }
    const refused = await callOn(host, run, step.call).then(
      () => null,
      (error: unknown) => (error instanceof HostError ? error.code : String(error))
    )
    expect([number, step.call, refused]).toEqual([number, step.call, step.refused])
  }
}

/** A call of a person over the contract. */
async function callOn({ handlers }: RunHost, run: string, call: DialogueCall): Promise<unknown> {
  switch (call.do) {
    case 'answer':
      return await handlers['run.answer']({ run, ask: call.ask, answer: call.answer })
    case 'prompt':
      return await handlers['run.prompt']({ run, text: call.text, when: call.when })
    case 'edit':
      return await handlers['run.queue']({ run, change: { edit: call.prompt, text: call.text } })
    case 'move':
      return await handlers['run.queue']({ run, change: { move: call.prompt, to: call.to } })
    case 'drop':
      return await handlers['run.queue']({ run, change: { drop: call.prompt } })
    case 'hold':
      return await handlers['run.queue']({ run, change: { hold: true } })
    case 'release':
      return await handlers['run.queue']({ run, change: { release: true } })
    case 'interrupt':
      return await handlers['run.interrupt']({ run })
    case 'finish':
      return await handlers['run.finish']({ run })
    case 'stop':
      return await handlers['run.stop']({ run })
    case 'set-mode':
      return await handlers['run.setMode']({ run, mode: call.mode, confirmed: call.confirmed })
    case 'set-limits':
      throw new Error('no play has limits')
  }
}

/** A line to an agent as one to compare: without what differs between two hosts or runs. */
export function comparable(line: string | null): unknown {
  const { uuid: _uuid, params, ...record } = JSON.parse(line ?? '{}') as JsonObject
  if (!isJsonObject(params)) return record
  const { clientUserMessageId: _id, messageId: _message, clientInfo: _info, cwd: _cwd, ...rest } = params
  return { ...record, params: rest }
}

import { isDeepStrictEqual } from 'node:util'
import type { Answer, Ask } from '#core/dialogue/ask.ts'
import type {
  DialogueCall,
  DialogueChange,
  DialogueInput,
  DialogueStep,
  Refusal,
  SentBy
} from '#core/dialogue/dialogue.ts'
import type { DialogueMachine } from '#core/dialogue/dialogue-machine.ts'
import type { JsonObject } from '#core/json.ts'
import { isJsonObject, objectAt, stringAt } from '#core/json.ts'
import { machineFor, type TestAgentName, testAgents } from '../dialogue-agents.ts'
import type { RecordedDialogue } from './recorded-dialogue.ts'

/** A recorded dialogue with its agent's answers to our requests, and the host's lines as calls of a person. */
export class Replay {
  readonly machine: DialogueMachine
  /** Lines of ours that have an equal in the recording, and those that have none. */
  readonly equal: JsonObject[] = []
  readonly different: { readonly ours: JsonObject; readonly recorded: JsonObject }[] = []
  /** What the recorded host wrote and no person could through us. */
  readonly foreign: JsonObject[] = []
  readonly refused: { readonly call: DialogueCall; readonly refused: Refusal }[] = []
  readonly asked: Ask[] = []
  readonly decided: Extract<DialogueChange, { kind: 'decided' }>[] = []
  readonly steps: DialogueStep[] = []
  /** Sent, and not yet seen in the recording. */
  readonly waiting: { readonly line: JsonObject; readonly by: SentBy }[] = []
  /** Ids of our requests, by those of the recorded host. */
  readonly #ids = new Map<unknown, unknown>()
  readonly #agent: TestAgentName
  #atMs = 0

  constructor({ agent, rows }: RecordedDialogue) {
    this.#agent = agent
    const written = rows.flatMap((row) => (row.kind === 'in' ? parsed(row.text) : []))
    const prompts = written.flatMap((line) => promptIn(line) ?? [])
    const resume = written
      .map((line) => stringAt(objectAt(line, 'params') ?? {}, resumeKey(line)))
      .find((id) => id !== undefined)
    const mode = rows.some((row) => row.kind === 'out' && row.text.includes('"currentModeId":"yolo"'))
      ? 'yolo'
      : undefined
    this.machine = machineFor(testAgents[agent](), {
      cwd: '/home/dev/project',
      mayBecomeDangerous: true,
      ...(resume === undefined ? {} : { resume }),
      ...(mode === undefined ? {} : { mode }),
      prompt: prompts[0] ?? 'none'
    })
    this.take({ kind: 'started' })
    if (agent === 'claude' && !written.some((line) => objectAt(line, 'request')?.['subtype'] === 'initialize')) {
      this.waiting.length = 0
      this.take({ kind: 'record', record: success('ph-1', {}) })
    }
  }

  take(input: DialogueInput): Refusal | null {
    const { steps, refused } = this.machine.take(input, { at: 1_795_000_000_000 + this.#atMs, elapsedMs: this.#atMs })
    this.steps.push(...steps)
    for (const step of steps) {
      if (step.do === 'send') this.waiting.push({ line: step.line, by: step.by })
      if (step.do !== 'tell') continue
      if (step.change.kind === 'asked') this.asked.push(step.change.ask)
      if (step.change.kind === 'decided') this.decided.push(step.change)
    }
    return refused
  }

  /** All that was printed and written, in order. */
  follow({ rows }: RecordedDialogue): void {
    for (const row of rows) {
      if (row.kind === 'in') this.wrote(row.text, row.atMs)
      else if (row.kind === 'out') this.printed(row.text, row.atMs)
      else this.end(row.kind, row.atMs)
    }
  }

  /** A line that the agent printed. */
  printed(text: string, atMs: number): void {
    this.#atMs = atMs
    for (const record of parsed(text)) this.take({ kind: 'record', record: this.#withOurIds(record) })
  }

  /** A line that the recorded host wrote. */
  wrote(text: string, atMs: number): void {
    this.#atMs = atMs
    for (const line of parsed(text)) this.#wrote(line)
  }

  call(call: DialogueCall): Refusal | null {
    const refused = this.take({ kind: 'call', call })
    if (refused !== null) this.refused.push({ call, refused })
    return refused
  }

  end(kind: 'eof' | 'broken' | 'exit', atMs: number): void {
    this.#atMs = atMs
    if (kind === 'exit') this.take({ kind: 'ended' })
    else if (kind === 'eof') this.call({ do: 'finish' })
  }

  #wrote(line: JsonObject): void {
    if (this.#match(line)) return
    const calls = this.#callsFor(line)
    if (calls === null || calls.some((call) => this.call(call) !== null) || !this.#match(line)) {
      this.foreign.push(line)
      if (hasId(line)) this.#ids.set(idOf(line), `foreign ${JSON.stringify(idOf(line))}`)
    }
  }

  /** Whether one of our lines is this one. */
  #match(recorded: JsonObject): boolean {
    const at = this.waiting.findIndex(({ line }) => kindOf(line) === kindOf(recorded))
    const found = this.waiting[at]
    if (found === undefined) return false
    this.waiting.splice(at, 1)
    if (hasId(recorded)) this.#ids.set(idOf(recorded), idOf(found.line))
    if (isDeepStrictEqual(withoutIds(found.line), withoutIds(recorded))) this.equal.push(found.line)
    else this.different.push({ ours: found.line, recorded })
    return true
  }

  #withOurIds(record: JsonObject): JsonObject {
    const response = objectAt(record, 'response')
    if (record['type'] === 'control_response' && response !== undefined) {
      const id = this.#ids.get(response['request_id'])
      return id === undefined ? record : { ...record, response: { ...response, request_id: id as string } }
    }
    if ('method' in record || !('id' in record)) return record
    return { ...record, id: (this.#ids.get(record['id']) ?? 'foreign') as string }
  }

  /** Null: no person could have done this through us. */
  #callsFor(line: JsonObject): DialogueCall[] | null {
    const text = promptIn(line)
    if (text !== undefined) {
      const mode = modeIn(line)
      const change: DialogueCall[] = mode === undefined ? [] : [{ do: 'set-mode', mode, confirmed: true }]
      return [...change, { do: 'prompt', text, when: this.machine.state.turn === 'idle' ? 'queue' : 'now' }]
    }
    const { method, params } = line
    if (method === 'turn/interrupt' || method === 'session/cancel') return [{ do: 'interrupt' }]
    if (method === 'session/set_mode' && isJsonObject(params)) {
      const mode = params['modeId'] === 'autoEdit' ? 'auto_edit' : String(params['modeId'])
      return [{ do: 'set-mode', mode, confirmed: true }]
    }
    const request = objectAt(line, 'request')
    if (request?.['subtype'] === 'interrupt') return [{ do: 'interrupt' }]
    if (request?.['subtype'] === 'set_permission_mode')
      return [{ do: 'set-mode', mode: String(request['mode']), confirmed: true }]
    const ask = answeredBy(line)
    if (ask === undefined) return null
    const open = this.machine.state.asks.find(({ id }) => id === ask)
    const answer = open === undefined ? { allow: 'once' as const } : answerIn(this.#agent, line, open)
    if (answer !== null) return [{ do: 'answer', ask, answer }]
    // No person can answer so. The call is refused, as the agent refuses it.
    if (open !== undefined) this.call({ do: 'answer', ask, answer: { refuse: '', endTurn: false } })
    this.waiting.length = 0
    return null
  }
}

export function replay(recording: RecordedDialogue): Replay {
  const replayed = new Replay(recording)
  replayed.follow(recording)
  return replayed
}

function parsed(text: string): JsonObject[] {
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? [value as JsonObject] : []
  } catch {
    return []
  }
}

function success(id: string, response: JsonObject): JsonObject {
  return { type: 'control_response', response: { subtype: 'success', request_id: id, response } }
}

function resumeKey(line: JsonObject): string {
  return line['method'] === 'thread/resume' ? 'threadId' : line['method'] === 'session/load' ? 'sessionId' : '-'
}

function promptIn(line: JsonObject): string | undefined {
  if (line['type'] === 'user') return String(objectAt(line, 'message')?.['content'])
  if (line['method'] !== 'turn/start' && line['method'] !== 'session/prompt') return undefined
  const params = objectAt(line, 'params') ?? {}
  const [part] = (params['input'] ?? params['prompt'] ?? []) as readonly JsonObject[]
  return params['threadId'] === 'nobody' || params['sessionId'] === 'none' ? undefined : stringAt(part ?? {}, 'text')
}

function modeIn(line: JsonObject): string | undefined {
  const type = objectAt(objectAt(line, 'params') ?? {}, 'sandboxPolicy')?.['type']
  return type === 'dangerFullAccess' ? 'danger-full-access' : undefined
}

function answeredBy(line: JsonObject): string | undefined {
  if (line['type'] === 'control_response') return JSON.stringify(objectAt(line, 'response')?.['request_id'])
  return 'id' in line && !('method' in line) ? JSON.stringify(line['id']) : undefined
}

function answerIn(agent: TestAgentName, line: JsonObject, ask: Ask): Answer | null {
  if (agent === 'claude') return claudeAnswer(objectAt(objectAt(line, 'response') ?? {}, 'response') ?? {}, ask)
  const result = objectAt(line, 'result') ?? {}
  const answers = objectAt(result, 'answers')
  if (answers !== undefined)
    return {
      answers: Object.entries(answers).map(([id, given]) => ({
        id,
        choices: (given as { answers: string[] }).answers,
        text: null
      }))
    }
  const answer = simpleAnswers[String(result['decision'] ?? objectAt(result, 'outcome')?.['optionId'])]
  // Only in one of the protocols, a cancelled call ends the turn.
  return agent === 'gemini' && answer !== undefined && 'refuse' in answer
    ? { ...answer, endTurn: false }
    : (answer ?? null)
}

const simpleAnswers: Readonly<Record<string, Answer>> = {
  accept: { allow: 'once' },
  acceptForSession: { allow: 'run' },
  decline: { refuse: '', endTurn: false },
  cancel: { refuse: '', endTurn: true },
  proceed_once: { allow: 'once' },
  proceed_always: { allow: 'run' }
}

function claudeAnswer(response: JsonObject, ask: Ask): Answer | null {
  const { behavior, message, interrupt, updatedPermissions, updatedInput } = response
  if (behavior === 'deny') return { refuse: String(message), endTurn: interrupt === true }
  if (behavior !== 'allow' || !isJsonObject(updatedInput)) return null
  if (ask.kind === 'question') {
    const given = objectAt(updatedInput, 'answers') ?? {}
    return {
      answers: ask.questions.map(({ id, choices, severalChoices }) => {
        const parts = severalChoices ? String(given[id]).split(', ') : [String(given[id])]
        const offered = parts.filter((part) => choices.some(({ label }) => label === part))
        return { id, choices: offered, text: parts.find((part) => !offered.includes(part)) ?? null }
      })
    }
  }
  if (!isDeepStrictEqual(updatedInput, ask.input)) return null
  const [change] = (updatedPermissions ?? []) as readonly JsonObject[]
  if (ask.kind === 'plan') return { allow: 'once', mode: String(change?.['mode']) }
  if (change === undefined) return { allow: 'once' }
  // A rule of the host's own: we send what the agent suggested, and said.
  return JSON.stringify(change).includes('touch:*') ? null : { allow: 'run' }
}

/** What of two lines has to agree before they are compared. */
function kindOf(line: JsonObject): string {
  const request = objectAt(line, 'request')
  if (request !== undefined) return `request ${String(request['subtype'])}`
  if (line['type'] === 'user') return `user ${promptIn(line)}`
  return line['method'] === undefined ? `answer ${answeredBy(line)}` : `${String(line['method'])} ${promptIn(line)}`
}

function hasId(line: JsonObject): boolean {
  return line['type'] === 'control_request' || ('method' in line && 'id' in line)
}

function idOf(line: JsonObject): unknown {
  return line['request_id'] ?? line['id']
}

/** Without ids, and without what the recorded host said of itself or left to the agent. */
function withoutIds(line: JsonObject): JsonObject {
  const params = objectAt(line, 'params')
  const rest = omit(
    line,
    hasId(line) ? ['request_id', 'id', 'uuid', 'priority', 'params'] : ['uuid', 'priority', 'params']
  )
  if (params === undefined) return rest
  const { method } = line
  const own = ['clientUserMessageId', 'messageId', 'collaborationMode']
  if (method === 'initialize') own.push('clientInfo', 'capabilities', 'clientCapabilities')
  if (method === 'thread/start' || method === 'thread/resume') own.push('approvalPolicy', 'sandbox')
  return { ...rest, params: omit(params, own) }
}

function omit(object: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)))
}

import { claudeProgram } from '#core/formats/claude/program.ts'
import { codexProgram } from '#core/formats/codex/program.ts'
import { geminiProgram } from '#core/formats/gemini/program.ts'
import type { AgentDialogue } from '#core/formats/agent-program.ts'
import { type JsonObject, type JsonValue, objectAt, stringAt } from '#core/json.ts'
import type { TurnOutcome } from '#core/dialogue/agent-protocol.ts'
import type { DialogueLimits, DialogueOptions } from '#core/dialogue/dialogue.ts'
import { DialogueMachine } from '#core/dialogue/dialogue-machine.ts'

/** What a line to an agent means, read without the code that wrote it. */
export type Meaning =
  | { readonly kind: 'handshake' | 'interrupt' | 'mode' | 'error' | 'clean' }
  | { readonly kind: 'prompt'; readonly text: string }
  | { readonly kind: 'allow' | 'allow-run' | 'refuse' | 'refuse-turn' | 'answers' | 'cancelled'; readonly ask: string }

export type AskedKind = 'tool' | 'plan' | 'question' | 'secret' | 'unknown'

/** A small agent that speaks its protocol as the recordings do. What it prints is taken with `printed`. */
export interface TestAgent {
  readonly dialogue: AgentDialogue
  /** What it has printed since it was asked last. */
  printed(): JsonValue[]
  /** Reads a line; `deaf`: and prints no answer to it. */
  hear(line: JsonObject, deaf?: boolean): void
  /** Whether it can ask so. */
  canAsk(kind: AskedKind): boolean
  ask(id: number, kind: AskedKind): void
  /** It waits for this ask no longer. */
  withdraw(id: number): void
  endTurn(outcome: TurnOutcome): void
  startTurn(): void
  spend(usd: number, tokens: number): void
  /** A command begins to run. */
  runCommand(): void
  /** Commands that run. */
  readonly commands: number
  /** It was asked something for a host, not for a person. */
  askHost(id: number): void
  meaning(line: JsonObject): Meaning
  /** The ids of asks as `Ask.id` has them. */
  askId(id: number): string
}

abstract class Printer {
  readonly #lines: JsonValue[] = []
  protected turnRuns = false
  protected readonly open = new Set<number>()
  /** Commands that run. */
  commands = 0

  printed(): JsonValue[] {
    return this.#lines.splice(0)
  }

  protected print(...lines: JsonValue[]): void {
    this.#lines.push(...lines)
  }
}

class TestClaude extends Printer implements TestAgent {
  readonly dialogue = claudeProgram.dialogue
  /** Prompts that it has not read. */
  readonly #queued: string[] = []
  #usd = 0
  #tokens = 0

  hear(line: JsonObject, deaf = false): void {
    const request = objectAt(line, 'request')
    if (deaf) return
    if (request !== undefined) this.#requested(String(line['request_id']), request)
    else if (line['type'] === 'user') this.#prompted(String(line['uuid']))
    else if (line['type'] === 'control_response') {
      const response = objectAt(line, 'response') ?? {}
      this.print(line)
      this.open.delete(Number(response['request_id']))
      if (objectAt(response, 'response')?.['interrupt'] === true) this.endTurn('interrupted')
    }
  }

  /** In a turn it waits for the next one, or for a tool result, which no test has. */
  #prompted(uuid: string): void {
    this.#say(uuid, 'queued')
    if (this.turnRuns) this.#queued.push(uuid)
    else this.#begin(uuid)
  }

  #begin(uuid: string): void {
    this.#say(uuid, 'started')
    this.startTurn()
  }

  #say(uuid: string, state: string): void {
    this.print({ type: 'command_lifecycle', command_uuid: uuid, state })
  }

  #requested(id: string, request: JsonObject): void {
    const done = (response: JsonObject): JsonObject => ({
      type: 'control_response',
      response: { subtype: 'success', request_id: id, response }
    })
    if (request['subtype'] === 'set_permission_mode') this.print(done({ mode: request['mode'] }))
    else this.print(done({}))
    if (request['subtype'] !== 'interrupt') return
    if (request['cancel_queued'] === true) for (const uuid of this.#queued.splice(0)) this.#say(uuid, 'cancelled')
    for (const open of this.open) this.withdraw(open)
    this.endTurn('interrupted')
  }

  canAsk(kind: AskedKind): boolean {
    return kind !== 'secret'
  }

  ask(id: number, kind: AskedKind): void {
    this.open.add(id)
    const common = { subtype: 'can_use_tool', tool_use_id: `t${id}` }
    const requests: Record<AskedKind, JsonObject> = {
      tool: {
        ...common,
        ...{ tool_name: 'Bash', input: { command: `touch ${id}` } },
        permission_suggestions: [
          {
            ...{ type: 'addRules', behavior: 'allow', destination: 'localSettings' },
            rules: [{ toolName: 'Bash', ruleContent: 'touch *' }]
          }
        ]
      },
      plan: { ...common, tool_name: 'ExitPlanMode', input: { plan: 'Write it.' } },
      question: { ...common, tool_name: 'AskUserQuestion', input: { questions: [claudeQuestion] } },
      secret: {},
      unknown: { subtype: 'request_user_dialog', text: 'What is this?' }
    }
    this.print({ type: 'control_request', request_id: String(id), request: requests[kind] })
  }

  runCommand(): void {
    this.commands += 1
  }

  withdraw(id: number): void {
    this.open.delete(id)
    this.print({ type: 'control_cancel_request', request_id: String(id) })
  }

  startTurn(): void {
    this.turnRuns = true
    this.print({ type: 'system', subtype: 'init', session_id: 's1', permissionMode: 'default' })
  }

  endTurn(outcome: TurnOutcome): void {
    if (!this.turnRuns) return
    this.turnRuns = false
    this.commands = 0
    const ends: Record<TurnOutcome, JsonObject> = {
      done: { subtype: 'success', is_error: false, terminal_reason: 'completed' },
      interrupted: { subtype: 'error_during_execution', is_error: true, terminal_reason: 'aborted_tools' },
      'over-budget': { subtype: 'error_max_budget_usd', is_error: true, errors: ['Reached maximum budget ($1)'] },
      failed: { subtype: 'error_during_execution', is_error: true, errors: ['No.'] }
    }
    const modelUsage = { m: { inputTokens: this.#tokens, outputTokens: 0 } }
    this.print({ type: 'result', ...ends[outcome], total_cost_usd: this.#usd, modelUsage })
    const next = this.#queued.shift()
    if (next !== undefined) this.#begin(next)
  }

  /** It states what it spent at the end of a turn. */
  spend(usd: number, tokens: number): void {
    this.#usd += usd
    this.#tokens += tokens
  }

  askHost(id: number): void {
    this.print({ type: 'control_request', request_id: `h${id}`, request: { subtype: 'mcp_message' } })
  }

  askId(id: number): string {
    return JSON.stringify(String(id))
  }

  meaning(line: JsonObject): Meaning {
    const subtype = objectAt(line, 'request')?.['subtype']
    if (subtype === 'initialize' || subtype === 'get_usage') return { kind: 'handshake' }
    if (subtype === 'interrupt') return { kind: 'interrupt' }
    if (subtype === 'set_permission_mode') return { kind: 'mode' }
    if (line['type'] === 'user') return { kind: 'prompt', text: String(objectAt(line, 'message')?.['content']) }
    const response = objectAt(line, 'response') ?? {}
    const ask = JSON.stringify(response['request_id'])
    const answer = objectAt(response, 'response')
    if (ask.startsWith('"h')) return { kind: 'error' }
    if (response['subtype'] === 'error') return { kind: 'refuse', ask }
    if (answer?.['behavior'] === 'deny') return { kind: answer['interrupt'] === true ? 'refuse-turn' : 'refuse', ask }
    const permissions = answer?.['updatedPermissions']
    const lasting = JSON.stringify(permissions ?? []).match(/localSettings|userSettings|projectSettings|bypass/)
    if (lasting !== null) throw new Error(`A lasting grant: ${lasting[0]}`)
    if (objectAt(answer ?? {}, 'updatedInput')?.['answers'] !== undefined) return { kind: 'answers', ask }
    return { kind: stringAt(answer ?? {}, 'decisionClassification') === undefined ? 'allow' : 'allow-run', ask }
  }
}

const claudeQuestion = {
  ...{ question: 'Which one?', header: 'One', multiSelect: false },
  options: [{ label: 'a', description: 'The first' }, { label: 'b' }]
}

class TestCodex extends Printer implements TestAgent {
  readonly dialogue = codexProgram.dialogue
  #turn = 0

  hear(line: JsonObject, deaf = false): void {
    const { id, method } = line
    if (deaf) return
    if (method === 'initialize') this.print({ id, result: {} })
    else if (method === 'thread/start' || method === 'thread/resume')
      this.print({ id, result: { thread: { id: 's1' } } })
    else if (method === 'turn/start') {
      if (!this.turnRuns) this.startTurn()
      this.print({ id, result: { turn: { id: `turn${this.#turn}` } } })
    } else if (method === 'turn/interrupt') {
      this.print({ id, result: {} })
      this.endTurn('interrupted')
      for (const open of this.open) this.withdraw(open)
    } else if (method === 'thread/backgroundTerminals/clean') {
      this.commands = 0
      this.print({ id, result: {} })
    } else if (method === undefined && id !== undefined && !String(id).startsWith('h')) {
      this.withdraw(Number(id))
      if (objectAt(line, 'result')?.['decision'] === 'cancel') this.endTurn('interrupted')
    }
  }

  runCommand(): void {
    this.commands += 1
    this.print({
      method: 'item/started',
      params: { threadId: 's1', item: { type: 'commandExecution', id: `c${this.commands}` } }
    })
  }

  canAsk(kind: AskedKind): boolean {
    return kind !== 'plan'
  }

  ask(id: number, kind: AskedKind): void {
    this.open.add(id)
    const ids = { threadId: 's1', turnId: `turn${this.#turn}`, itemId: `i${id}` }
    const question = { id: 'q', header: 'One', question: 'Which one?', options: [{ label: 'a' }, { label: 'b' }] }
    const requests: Record<AskedKind, readonly [method: string, params: JsonObject]> = {
      tool: ['item/commandExecution/requestApproval', { ...ids, command: `touch ${id}`, cwd: '/p' }],
      plan: ['', {}],
      question: ['item/tool/requestUserInput', { ...ids, questions: [question] }],
      secret: ['item/tool/requestUserInput', { ...ids, questions: [{ ...question, isSecret: true }] }],
      unknown: ['item/fileChange/requestApproval', ids]
    }
    const [method, params] = requests[kind]
    this.print({ method, id, params })
  }

  withdraw(id: number): void {
    this.open.delete(id)
    this.print({ method: 'serverRequest/resolved', params: { threadId: 's1', requestId: id } })
  }

  startTurn(): void {
    this.turnRuns = true
    this.#turn += 1
    this.print({ method: 'turn/started', params: { threadId: 's1', turn: { id: `turn${this.#turn}` } } })
  }

  endTurn(outcome: TurnOutcome): void {
    if (!this.turnRuns) return
    this.turnRuns = false
    const status = { done: 'completed', interrupted: 'interrupted', 'over-budget': 'failed', failed: 'failed' }[outcome]
    const error = status === 'failed' ? { message: 'No.' } : null
    this.print({
      method: 'turn/completed',
      params: { threadId: 's1', turn: { id: `turn${this.#turn}`, status, error } }
    })
  }

  spend(_usd: number, tokens: number): void {
    const tokenUsage = { last: { totalTokens: tokens } }
    this.print({ method: 'thread/tokenUsage/updated', params: { threadId: 's1', tokenUsage } })
  }

  askHost(id: number): void {
    this.print({ id: `h${id}`, method: 'item/tool/call', params: {} })
  }

  askId(id: number): string {
    return String(id)
  }

  meaning(line: JsonObject): Meaning {
    switch (line['method']) {
      case 'initialize':
      case 'initialized':
      case 'thread/start':
      case 'thread/resume':
        return { kind: 'handshake' }
      case 'turn/start': {
        const [part] = (objectAt(line, 'params')?.['input'] ?? []) as readonly JsonObject[]
        return { kind: 'prompt', text: String(part?.['text']) }
      }
      case 'turn/interrupt':
        return { kind: 'interrupt' }
      case 'thread/backgroundTerminals/clean':
        return { kind: 'clean' }
    }
    const ask = JSON.stringify(line['id'])
    if (ask.startsWith('"h')) return { kind: 'error' }
    if ('error' in line) return { kind: 'refuse', ask }
    const result = objectAt(line, 'result') ?? {}
    const answers = objectAt(result, 'answers')
    if (answers !== undefined) return { kind: Object.keys(answers).length === 0 ? 'refuse' : 'answers', ask }
    const kinds: Record<string, 'allow' | 'allow-run' | 'refuse' | 'refuse-turn'> = {
      ...{ accept: 'allow', acceptForSession: 'allow-run', decline: 'refuse', cancel: 'refuse-turn' }
    }
    const kind = kinds[String(result['decision'])]
    if (kind === undefined) throw new Error(`No decision of this protocol: ${JSON.stringify(line)}`)
    return { kind, ask }
  }
}

class TestGemini extends Printer implements TestAgent {
  readonly dialogue = geminiProgram.dialogue
  #prompt: JsonValue | undefined
  #cancelling = false
  #tokens = 0

  hear(line: JsonObject, deaf = false): void {
    const { id, method } = line
    if (deaf) return
    if (method === 'initialize') this.#print({ id, result: {} })
    else if (method === 'session/new')
      this.#print({ id, result: { sessionId: 's1', modes: { currentModeId: 'default' } } })
    else if (method === 'session/load') {
      this.#print({ id, result: { modes: { currentModeId: 'yolo' } } })
      this.#print({ method: 'session/update', params: { update: { sessionUpdate: 'agent_message_chunk' } } })
    } else if (method === 'session/set_mode') this.#print({ id, result: {} })
    else if (method === 'session/prompt') {
      // A second prompt ends the turn of the first.
      if (this.turnRuns) this.endTurn('interrupted')
      this.turnRuns = true
      this.#prompt = id
    } else if (method === 'session/cancel') {
      this.#cancelling = true
      this.#endIfCancelled()
    } else if (method === undefined && typeof id === 'number') {
      this.open.delete(id)
      this.#endIfCancelled()
    }
  }

  #endIfCancelled(): void {
    if (this.#cancelling && this.open.size === 0) this.endTurn('interrupted')
  }

  #print(line: JsonObject): void {
    this.print({ jsonrpc: '2.0', ...line })
  }

  canAsk(kind: AskedKind): boolean {
    return kind === 'tool' || kind === 'unknown'
  }

  ask(id: number, kind: AskedKind): void {
    this.open.add(id)
    const option = (optionId: string): JsonObject => ({ optionId, name: optionId, kind: 'allow_once' })
    const options = (kind === 'tool' ? ['proceed_always', 'proceed_once', 'cancel'] : ['something_new']).map(option)
    const toolCall = {
      toolCallId: `run_shell_command__run_shell_command_${id}_0`,
      title: `touch ${id}`,
      kind: 'execute'
    }
    this.#print({ id, method: 'session/request_permission', params: { sessionId: 's1', options, toolCall } })
  }

  runCommand(): void {
    this.commands += 1
  }

  /** It has no word for that. */
  withdraw(): void {}

  startTurn(): void {}

  endTurn(outcome: TurnOutcome): void {
    if (!this.turnRuns) return
    this.turnRuns = false
    this.commands = 0
    this.#cancelling = false
    this.open.clear()
    const stopReason = { done: 'end_turn', interrupted: 'cancelled', 'over-budget': 'refusal', failed: 'refusal' }[
      outcome
    ]
    const quota = { token_count: { input_tokens: this.#tokens, output_tokens: 0 } }
    this.#tokens = 0
    this.#print({ id: this.#prompt, result: { stopReason, _meta: { quota } } })
  }

  spend(_usd: number, tokens: number): void {
    this.#tokens += tokens
  }

  askHost(id: number): void {
    this.#print({ id: `h${id}`, method: 'fs/read_text_file', params: {} })
  }

  askId(id: number): string {
    return String(id)
  }

  meaning(line: JsonObject): Meaning {
    switch (line['method']) {
      case 'initialize':
      case 'session/new':
      case 'session/load':
        return { kind: 'handshake' }
      case 'session/prompt': {
        const [part] = (objectAt(line, 'params')?.['prompt'] ?? []) as readonly JsonObject[]
        return { kind: 'prompt', text: String(part?.['text']) }
      }
      case 'session/cancel':
        return { kind: 'interrupt' }
      case 'session/set_mode':
        return { kind: 'mode' }
    }
    const ask = JSON.stringify(line['id'])
    if (ask.startsWith('"h')) return { kind: 'error' }
    if ('error' in line) return { kind: 'refuse', ask }
    const outcome = objectAt(objectAt(line, 'result') ?? {}, 'outcome') ?? {}
    if (outcome['outcome'] === 'cancelled') return { kind: 'cancelled', ask }
    const kinds: Record<string, 'allow' | 'allow-run' | 'refuse'> = {
      ...{ proceed_once: 'allow', proceed_always: 'allow-run', cancel: 'refuse' }
    }
    const kind = kinds[String(outcome['optionId'])]
    if (kind === undefined) throw new Error(`No option that may be chosen: ${JSON.stringify(line)}`)
    return { kind, ask }
  }
}

export const testAgents = {
  claude: () => new TestClaude(),
  codex: () => new TestCodex(),
  gemini: () => new TestGemini()
}
export type TestAgentName = keyof typeof testAgents

export const noLimits: DialogueLimits = { runMs: null, askMs: null, usd: null, tokens: null, idleMs: null }

export function machineFor(
  { dialogue }: Pick<TestAgent, 'dialogue'>,
  more: Partial<DialogueOptions & { readonly resume: string; readonly cwd: string }> = {}
): DialogueMachine {
  const mode = more.mode ?? dialogue.modes[0].id
  const protocol = dialogue.protocol({
    ...{ cwd: more.cwd ?? '/p', model: null, mode, resume: more.resume ?? null, version: '1.0.0' },
    uuid: '7b0cf8a5-5a0f-4a35-9f0e-1d1f0c7f2f11'
  })
  return new DialogueMachine({
    ...{ protocol, agent: dialogue, mode, mayBecomeDangerous: false, limits: noLimits, prompt: 'First.' },
    ...more
  })
}

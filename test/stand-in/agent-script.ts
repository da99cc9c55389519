import type { AgentId } from '#contract/live-runs.ts'
import type { JsonObject } from '#core/json.ts'
import type { DialoguePlay, DialogueStep } from './dialogue-play.ts'

/** The log that Gemini CLI keeps of a session, in its folder of logs. */
export function chatOf(session: string): string {
  return `project/chats/session-2026-11-22T15-45-${session.slice(0, 8)}.jsonl`
}

/** A dialogue of our own with any of the agents: what it prints, and the lines that it waits for. Whoever calls does what a person does. */
export class AgentScript {
  readonly agent: AgentId
  readonly session: string
  readonly #steps: DialogueStep[] = []
  readonly #resumes: boolean
  /** Requests of Playhead. */
  #requests = 0
  /** The request that the end of the turn answers. */
  #prompt = 0
  #turn = 0
  #second: number
  #hasCommand = false
  #mode = 'default'

  constructor(agent: AgentId, session: string, resumes = false) {
    this.agent = agent
    this.session = session
    this.#resumes = resumes
    // Messages have ids of their own.
    this.#second = resumes ? 1000 : 0
  }

  /** The handshake, and the first prompt. */
  opens(prompt = 'Tidy up.'): this {
    switch (this.agent) {
      case 'claude':
        this.#request({ type: 'control_request' })
        if (this.#resumes) this.#request({ type: 'control_request' })
        this.prints({ type: 'control_response', response: { subtype: 'success', request_id: 'ph-1', response: {} } })
        break
      case 'codex':
        this.prints({ id: this.#request({ method: 'initialize' }), result: {} })
        this.#in({ method: 'initialized' })
        this.prints({
          id: this.#request({ method: 'thread/start' }),
          result: { thread: { id: this.session }, cwd: '/w' }
        })
        break
      case 'gemini': {
        this.prints({ id: this.#request({ method: 'initialize' }), result: { protocolVersion: 1 } })
        const id = this.#request({ method: 'session/new' })
        if (!this.#resumes)
          this.#saves({ sessionId: this.session, projectHash: 'h', startTime: this.#time(), kind: 'main' })
        const modes = { currentModeId: 'default' }
        this.prints({ id, result: this.#resumes ? { modes } : { sessionId: this.session, modes } })
      }
    }
    return this.prompted(prompt)
  }

  /** It reads a prompt: a turn begins. */
  prompted(text: string): this {
    this.#turn += 1
    const part = { type: 'text', text }
    switch (this.agent) {
      case 'claude':
        this.#in({ type: 'user', message: { role: 'user', content: text } })
        return this.prints({
          ...{ type: 'system', subtype: 'init', session_id: this.session, model: 'm', cwd: '/w', tools: [] },
          permissionMode: this.#mode
        })
      case 'codex': {
        const id = this.#request({ method: 'turn/start', params: { input: [part] } })
        const turn = { id: `turn-${this.#turn}` }
        return this.prints({ id, result: { turn } }).#tells('turn/started', { turn })
      }
      case 'gemini':
        this.#prompt = this.#request({ method: 'session/prompt', params: { prompt: [part] } })
        return this.#message('user', { content: [{ text }] })
    }
  }

  says(text: string): this {
    switch (this.agent) {
      case 'claude':
        return this.#assistant({ type: 'text', text })
      case 'codex':
        return this.#tells('item/completed', { item: { type: 'agentMessage', id: `m-${this.#turn}`, text } })
      case 'gemini':
        return this.#message('gemini', { content: text, model: 'm' })
    }
  }

  /** It asks whether it may run a command. `about`: beside the command. */
  asks(id: string | number, command: string, about: JsonObject = {}): this {
    const call = String(id).slice(0, 100)
    switch (this.agent) {
      case 'claude': {
        const request = { subtype: 'can_use_tool', tool_name: 'Bash', tool_use_id: `call-${call}` }
        return this.prints({
          type: 'control_request',
          request_id: String(id),
          request: { ...request, input: { command, ...about } }
        })
      }
      case 'codex': {
        const ids = { threadId: this.session, turnId: `turn-${this.#turn}`, itemId: `call-${call}` }
        const params = { ...ids, command, cwd: '/w', additionalPermissions: about }
        return this.prints({ method: 'item/commandExecution/requestApproval', id, params })
      }
      case 'gemini': {
        const options = ['proceed_always', 'proceed_once', 'cancel'].map((optionId) => {
          return { optionId, name: '', kind: '' }
        })
        const toolCall = {
          toolCallId: `run_shell_command__run_shell_command_${call}_0`,
          title: command,
          kind: 'execute',
          ...about
        }
        const params = { sessionId: this.session, options, toolCall }
        return this.prints({ id, method: 'session/request_permission', params })
      }
    }
  }

  /** It reads an answer. */
  answered(id: string | number): this {
    this.#in({ id })
    if (this.agent !== 'codex') return this
    return this.#tells('serverRequest/resolved', { requestId: id })
  }

  /** A command runs until it is interrupted: a process of its own. */
  runsCommand(): this {
    this.#hasCommand = true
    const item = { type: 'commandExecution', id: 'long', command: 'sleep 300', status: 'inProgress' }
    if (this.agent === 'codex') this.#tells('item/started', { item })
    if (this.agent === 'claude')
      this.#assistant({ type: 'tool_use', id: 'long', name: 'Bash', input: { command: 'sleep 300' } })
    if (this.agent === 'gemini') this.#updates({ sessionUpdate: 'tool_call', status: 'in_progress' })
    this.#steps.push({ command: 'starts' })
    return this.says('It runs.')
  }

  /** The command has ended by itself. */
  commandEnds(): this {
    this.#endsCommand()
    switch (this.agent) {
      case 'claude': {
        const content = [{ type: 'tool_result', tool_use_id: 'long', content: 'made' }]
        return this.prints({ type: 'user', message: { role: 'user', content }, session_id: this.session })
      }
      case 'codex': {
        const item = { type: 'commandExecution', id: 'long', command: 'sleep 300', status: 'completed', exitCode: 0 }
        return this.#tells('item/completed', { item })
      }
      case 'gemini': {
        const call = { id: 'long', name: 'run_shell_command', args: { command: 'sleep 300' }, status: 'success' }
        const result = [{ functionResponse: { id: 'long', name: 'run_shell_command', response: { output: 'made' } } }]
        this.#message('gemini', { content: '', model: 'm', toolCalls: [{ ...call, result }] })
        return this.#updates({ sessionUpdate: 'tool_call_update', status: 'completed' })
      }
    }
  }

  /** It changes its mode as it is told, and reads a prompt. `sandbox`: what Codex calls the mode. */
  changesMode(mode: string, sandbox: string, prompt: string): this {
    this.#mode = mode
    switch (this.agent) {
      case 'claude': {
        this.#request({ type: 'control_request' })
        const response = { subtype: 'success', request_id: `ph-${this.#requests}`, response: { mode } }
        this.prints({ type: 'control_response', response })
        return this.prompted(prompt)
      }
      case 'codex': {
        this.prompted(prompt)
        const threadSettings = { approvalPolicy: 'on-request', sandboxPolicy: { type: sandbox } }
        return this.#tells('thread/settings/updated', { threadSettings })
      }
      case 'gemini':
        this.prints({ id: this.#request({ method: 'session/set_mode' }), result: {} })
        return this.prompted(prompt)
    }
  }

  complains(err: string): this {
    this.#steps.push({ err })
    return this
  }

  /** It is interrupted with these asks open. */
  interrupted(asks: readonly (string | number)[] = []): this {
    switch (this.agent) {
      case 'claude': {
        this.#request({ type: 'control_request' })
        this.#endsCommand()
        for (const id of asks) this.prints({ type: 'control_cancel_request', request_id: String(id) })
        const response = { subtype: 'success', request_id: `ph-${this.#requests}`, response: {} }
        this.prints({ type: 'control_response', response })
        return this.#result({ subtype: 'error_during_execution', is_error: true, terminal_reason: 'aborted_tools' })
      }
      case 'codex': {
        this.prints({ id: this.#request({ method: 'turn/interrupt' }), result: {} })
        for (const requestId of asks) this.#tells('serverRequest/resolved', { requestId })
        this.#tells('turn/completed', { turn: { id: `turn-${this.#turn}`, status: 'interrupted' } })
        if (!this.#hasCommand) return this
        // It runs on until it is told to clean up.
        const id = this.#request({ method: 'thread/backgroundTerminals/clean' })
        this.#endsCommand()
        return this.prints({ id, result: {} })
      }
      case 'gemini':
        this.#in({ method: 'session/cancel' })
        for (const id of asks) this.#in({ id, result: { outcome: { outcome: 'cancelled' } } })
        this.#endsCommand()
        return this.prints({ id: this.#prompt, result: { stopReason: 'cancelled' } })
    }
  }

  endsTurn(): this {
    switch (this.agent) {
      case 'claude':
        return this.#result({ subtype: 'success', is_error: false, result: 'Over', total_cost_usd: 0.5 })
      case 'codex':
        return this.#tells('turn/completed', { turn: { id: `turn-${this.#turn}`, status: 'completed' } })
      case 'gemini':
        return this.prints({ id: this.#prompt, result: { stopReason: 'end_turn' } })
    }
  }

  prints(record: JsonObject): this {
    const envelope = this.agent === 'gemini' ? { jsonrpc: '2.0' } : {}
    this.#steps.push({ out: JSON.stringify({ ...envelope, ...record }) })
    return this
  }

  /** It waits until its input is closed. */
  waits(): this {
    this.#steps.push({ in: null })
    return this
  }

  play(more: Partial<DialoguePlay> = {}): DialoguePlay {
    return { name: 'script', agent: this.agent, steps: this.#steps, exitCode: 0, fault: null, ...more }
  }

  #in(record: JsonObject): void {
    this.#steps.push({ in: JSON.stringify(record) })
  }

  /** The id of the request that it reads. */
  #request(record: JsonObject): number {
    this.#requests += 1
    this.#in({ ...record, id: this.#requests })
    return this.#requests
  }

  #tells(method: string, params: JsonObject): this {
    return this.prints({ method, params: { threadId: this.session, ...params } })
  }

  #updates(more: JsonObject): this {
    const update = { toolCallId: 'long', title: 'sleep 300', content: [], locations: [], kind: 'execute', ...more }
    return this.prints({ method: 'session/update', params: { sessionId: this.session, update } })
  }

  #result(more: JsonObject): this {
    return this.prints({ type: 'result', session_id: this.session, num_turns: 1, ...more })
  }

  #assistant(block: JsonObject): this {
    const message = { id: `m-${this.#steps.length}`, role: 'assistant', model: 'm', content: [block] }
    return this.prints({ type: 'assistant', message, session_id: this.session })
  }

  #message(type: string, more: JsonObject): this {
    return this.#saves({ id: `m-${this.#second}`, timestamp: this.#time(), type, ...more })
  }

  #saves(record: JsonObject): this {
    this.#steps.push({ saves: { file: chatOf(this.session), line: JSON.stringify(record) } })
    return this
  }

  #time(): string {
    return new Date(Date.UTC(2026, 10, 22, 15, 45, this.#second++)).toISOString()
  }

  #endsCommand(): void {
    if (this.#hasCommand) this.#steps.push({ command: 'ends' })
    this.#hasCommand = false
  }
}

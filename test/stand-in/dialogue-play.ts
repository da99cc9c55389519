import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AgentId } from '#contract/live-runs.ts'
import type { Answer } from '#core/dialogue/ask.ts'
import type { DialogueCall } from '#core/dialogue/dialogue.ts'
import type { JsonObject } from '#core/json.ts'
import { program, quoted } from './stand-in.ts'

/** What happens in a dialogue, in order. */
export type DialogueStep =
  /** The agent prints a line. */
  | { readonly out: string }
  /** It adds a line to the log that it keeps itself, a file in its folder of logs. */
  | { readonly saves: { readonly file: string; readonly line: string } }
  /** It prints a line on standard error. */
  | { readonly err: string }
  /** A command of it starts, in a process of its own, or is ended. */
  | { readonly command: 'starts' | 'ends' }
  /** It waits for a line of its host, which should be this one; null: for the end of its input. */
  | { readonly in: string | null }
  /** A person calls, once the host knows all that was printed: `known` is what it then says. `refused`: the code of the refusal. */
  | { readonly call: DialogueCall; readonly known: KnownDialogue | null; readonly refused: string | null }

/** What of a dialogue tells that the host has read what was printed. */
export interface KnownDialogue {
  readonly turn: string
  readonly asks: readonly string[]
  readonly mode: string
  readonly queued: number
  readonly usd: number | null
}

/** `stall`: it says nothing more; `deaf`: it closes its input; `close`: its output; `break`: it prints a broken line; `half`: half of the next line, then it dies; `die`: at once. */
export type DialogueFaultKind = 'stall' | 'deaf' | 'close' | 'break' | 'half' | 'die'

export interface DialoguePlay {
  readonly name: string
  readonly agent: AgentId
  readonly steps: readonly DialogueStep[]
  readonly exitCode: number
  readonly fault: { readonly kind: DialogueFaultKind; readonly before: number } | null
  /** What it does where it cannot write: it ends, drops and says so at its end, or drops in silence. Then it has no time for signals. */
  readonly fullDisk?: 'ends' | 'says' | 'silent'
}

/** An agent that is talked to, and what it noted. */
export interface DialogueStandIn {
  /** Its file. */
  readonly command: string
  readonly args: readonly string[]
  readonly pid: number
  /** The lines that it read and printed. */
  readonly read: readonly string[]
  readonly printed: Buffer
  /** Whether this is all that it printed before it was ended: it notes a line before it prints it, and may be ended between. */
  endedAfter(recorded: Buffer): boolean
  /** The process of its last command. */
  readonly commandPid: number
  /** Tells it that a call was refused: it waits for that. */
  wasRefused(): void
  /** How many steps it has begun; those of its fault are not among them. */
  readonly steps: number
}

function linesOf(bytes: Buffer): string[] {
  return bytes.toString().split('\n').slice(0, -1)
}

/** Makes a program of `play` in `folder`, which is made too. */
export function dialogueStandIn(folder: string, play: DialoguePlay): DialogueStandIn {
  const seen = join(folder, 'seen')
  mkdirSync(seen, { recursive: true })
  const playFile = join(folder, 'play.json')
  writeFileSync(playFile, JSON.stringify(play))
  const agent = fileURLToPath(new URL('dialogue-agent.js', import.meta.url))
  const command = program(
    folder,
    play.agent,
    `exec ${[process.execPath, agent, playFile, seen].map(quoted).join(' ')} "$@"`
  )
  const bytes = (name: string): Buffer =>
    existsSync(join(seen, name)) ? readFileSync(join(seen, name)) : Buffer.alloc(0)
  const started = (): { args: string[]; pid: number } =>
    JSON.parse(bytes('started.json').toString()) as { args: string[]; pid: number }
  return {
    command,
    get args() {
      return started().args
    },
    get pid() {
      return started().pid
    },
    get read() {
      return linesOf(bytes('read.jsonl'))
    },
    get printed() {
      return bytes('printed.jsonl')
    },
    endedAfter(recorded) {
      const noted = bytes('printed.jsonl')
      const isSame = noted.subarray(0, recorded.length).equals(recorded)
      return isSame && linesOf(noted.subarray(recorded.length)).length < 2
    },
    get commandPid() {
      return Number(bytes('command.txt').toString())
    },
    wasRefused() {
      appendFileSync(join(seen, 'refused.txt'), '.')
    },
    get steps() {
      return linesOf(bytes('steps.txt')).length
    }
  }
}

/** A dialogue of our own with Claude Code. Its requests have the ids that Playhead gives them. */
export class WrittenDialogue {
  readonly #steps: DialogueStep[] = []
  readonly #open = new Set<string>()
  #turn = 'working'
  #mode: string
  #usd: number | null = null
  #calls = 0
  #requests = 1
  #requested = ''

  /** It starts, and is asked to do something. */
  constructor(prompt = 'Tidy up.', mode = 'default') {
    this.#mode = mode
    this.#request({ subtype: 'initialize' })
    this.#responds()
    this.#prompted(prompt)
  }

  /** A person prompts it: a turn begins. */
  prompt(text: string): WrittenDialogue {
    this.#call({ do: 'prompt', text, when: 'if-idle' })
    return this.#prompted(text)
  }

  says(text: string): WrittenDialogue {
    this.#assistant({ type: 'text', text })
    return this
  }

  /** It asks whether it may call a tool. `more`: what else the request states. Waits for nothing. */
  asks(request_id: string, tool_name: string, input: JsonObject, more: JsonObject = {}): WrittenDialogue {
    const id = `call-${this.#calls++}`
    this.#assistant({ type: 'tool_use', id, name: tool_name, input })
    const request = { subtype: 'can_use_tool', tool_name, input, tool_use_id: id, ...more }
    this.#open.add(request_id)
    return this.prints({ type: 'control_request', request_id, request })
  }

  /** A person answers, which the host sends as `response`. */
  answer(request_id: string, answer: Answer, response: JsonObject): WrittenDialogue {
    this.#call({ do: 'answer', ask: JSON.stringify(request_id), answer })
    this.#open.delete(request_id)
    this.#in({ type: 'control_response', response: { subtype: 'success', request_id, response } })
    return this
  }

  allow(request: string, updatedInput: JsonObject): WrittenDialogue {
    return this.answer(request, { allow: 'once' }, { behavior: 'allow', updatedInput })
  }

  refuse(request: string, message: string): WrittenDialogue {
    return this.answer(request, { refuse: message, endTurn: false }, { behavior: 'deny', message })
  }

  /** A person interrupts: the open asks are withdrawn, and the turn is over. */
  interrupt(): WrittenDialogue {
    this.#call({ do: 'interrupt' })
    this.#request({ subtype: 'interrupt' })
    for (const request_id of this.#open) this.prints({ type: 'control_cancel_request', request_id })
    this.#open.clear()
    this.#responds()
    return this.endTurn({ subtype: 'error_during_execution', is_error: true, terminal_reason: 'aborted_tools' })
  }

  setMode(mode: string): WrittenDialogue {
    this.#call({ do: 'set-mode', mode, confirmed: true })
    this.#request({ subtype: 'set_permission_mode', mode })
    this.#mode = mode
    this.#responds({ mode })
    return this.prints({ type: 'system', subtype: 'status', status: null, permissionMode: mode, session_id: 'w-1' })
  }

  endTurn(more: JsonObject = {}): WrittenDialogue {
    this.#turn = 'idle'
    this.#usd = (this.#usd ?? 0) + 0.5
    return this.prints({
      ...{ type: 'result', subtype: 'success', is_error: false, result: 'Over', session_id: 'w-1', num_turns: 1 },
      ...{ total_cost_usd: this.#usd, ...more }
    })
  }

  prints(record: JsonObject): WrittenDialogue {
    this.#steps.push({ out: JSON.stringify(record) })
    return this
  }

  /** A person finishes it: its input is closed. */
  finish(): WrittenDialogue {
    this.#call({ do: 'finish' })
    this.#steps.push({ in: null })
    return this
  }

  /** It waits until its input is closed. */
  waits(): WrittenDialogue {
    this.#steps.push({ in: null })
    return this
  }

  play(more: Partial<DialoguePlay> = {}): DialoguePlay {
    return { name: 'written', agent: 'claude', steps: this.#steps, exitCode: 0, fault: null, ...more }
  }

  #prompted(content: string): WrittenDialogue {
    this.#turn = 'working'
    this.#in({ type: 'user', message: { role: 'user', content } })
    const init = { session_id: 'w-1', model: 'm', cwd: '/w', tools: [], permissionMode: this.#mode }
    return this.prints({ type: 'system', subtype: 'init', ...init })
  }

  #call(call: DialogueCall): void {
    const turn = this.#open.size > 0 ? 'asking' : this.#turn
    const asks = [...this.#open].map((id) => JSON.stringify(id))
    const known = { turn, asks, mode: this.#mode, queued: 0, usd: this.#usd }
    this.#steps.push({ call, known, refused: null })
  }

  #request(request: JsonObject): void {
    this.#requested = `ph-${this.#requests++}`
    this.#in({ type: 'control_request', request_id: this.#requested, request })
  }

  #responds(response: JsonObject = {}): void {
    this.prints({ type: 'control_response', response: { subtype: 'success', request_id: this.#requested, response } })
  }

  #assistant(block: JsonObject): void {
    const message = { id: `m-${this.#steps.length}`, role: 'assistant', model: 'm', content: [block] }
    this.prints({ type: 'assistant', message, session_id: 'w-1' })
  }

  #in(record: JsonObject): void {
    this.#steps.push({ in: JSON.stringify(record) })
  }
}

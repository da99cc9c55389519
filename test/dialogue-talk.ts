import type { Answer } from '#core/dialogue/ask.ts'
import type {
  DialogueCall,
  DialogueChange,
  DialogueInput,
  DialogueResult,
  DialogueStep,
  Refusal,
  SentBy
} from '#core/dialogue/dialogue.ts'
import type { DialogueMachine } from '#core/dialogue/dialogue-machine.ts'
import {
  type AskedKind,
  machineFor,
  type Meaning,
  type TestAgent,
  type TestAgentName,
  testAgents
} from './dialogue-agents.ts'

/** A machine and an agent that hears what is sent, and whose answers the machine hears. */
export class Talk {
  readonly agent: TestAgent
  readonly machine: DialogueMachine
  readonly sent: (Meaning & { readonly by: SentBy })[] = []
  readonly changes: DialogueChange[] = []
  /** Lines whose text is kept nowhere. */
  secrets = 0
  readonly done: DialogueStep['do'][] = []
  /** The agent answers nothing. */
  deaf = false
  nowMs = 0
  /** Sees everything that is taken. */
  watch: (input: DialogueInput, result: DialogueResult) => void = () => {}

  constructor(name: TestAgentName, options: Parameters<typeof machineFor>[1] = {}) {
    this.agent = testAgents[name]()
    this.machine = machineFor(this.agent, options)
  }

  take(input: DialogueInput): Refusal | null {
    const result = this.machine.take(input, { at: this.nowMs, elapsedMs: this.nowMs })
    this.watch(input, result)
    const { steps, refused } = result
    for (const step of steps) {
      if (step.do === 'tell') this.changes.push(step.change)
      else if (step.do === 'send') {
        if (step.secret) this.secrets += 1
        this.sent.push({ ...this.agent.meaning(step.line), by: step.by })
        this.agent.hear(step.line, this.deaf)
      } else this.done.push(step.do)
    }
    for (const record of this.agent.printed()) this.take({ kind: 'record', record })
    return refused
  }

  call(call: DialogueCall): Refusal | null {
    return this.take({ kind: 'call', call })
  }

  answer(id: number, answer: Answer): Refusal | null {
    return this.call({ do: 'answer', ask: this.agent.askId(id), answer })
  }

  /** What the agent did is heard. */
  hear(): void {
    for (const record of this.agent.printed()) this.take({ kind: 'record', record })
  }

  ask(id: number, kind: AskedKind = 'tool'): void {
    this.agent.ask(id, kind)
    this.hear()
  }

  endTurn(): void {
    this.agent.endTurn('done')
    this.hear()
  }

  pass(ms: number): void {
    this.nowMs += ms
    this.take({ kind: 'time' })
  }

  /** The kinds of lines sent since the last look. */
  lines(): string[] {
    return this.sent.splice(0).map(({ kind, by }) => `${kind} by ${by}`)
  }

  get turn(): string {
    return this.machine.state.turn
  }

  get decisions(): string[] {
    return this.changes.flatMap((change) =>
      change.kind === 'decided'
        ? [`${change.decision} by ${change.by}${change.message === null ? '' : `: ${change.message}`}`]
        : []
    )
  }
}

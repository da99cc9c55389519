import type { Turn } from './dialogue.ts'

/** What moves a turn on. */
export type TurnEvent =
  /** The handshake was answered. */
  | 'ready'
  /** It was refused, or not answered in time. */
  | 'handshake-failed'
  | 'asked'
  /** An ask was answered or withdrawn, and others are open. */
  | 'one-settled'
  /** The last open ask was answered or withdrawn, and a turn runs. */
  | 'all-settled'
  /** The same without a turn: a task in the background had asked. */
  | 'all-settled-no-turn'
  | 'ask-limit'
  | 'spending-limit'
  | 'interrupt'
  /** A person refused an ask, and with it the whole turn: the answer says so to the agent. */
  | 'turn-refused'
  | 'turn-over'
  /** The turn is over, and the agent goes on with a prompt that it has. */
  | 'turn-over-next'
  /** The agent began a turn by itself. */
  | 'turn-started'
  | 'interrupt-unheard'
  | 'prompted'
  | 'finish'
  | 'finish-unheard'
  | 'stop'
  | 'stop-unheard'
  | 'process-ended'
  | 'host-lost'

/** What is sent or done with a transition, in this order. */
export type TurnAct =
  | 'send-prompt'
  /** The first of the queue, unless it is held. */
  | 'send-next'
  | 'interrupt'
  /** Asks that nobody can answer any more. */
  | 'withdraw-asks'
  | 'hold'
  | 'close-input'
  | 'end-process'

interface TurnRow {
  readonly from: readonly Turn[]
  readonly on: TurnEvent
  readonly to: Turn
  readonly acts: readonly TurnAct[]
}

const inTurn: readonly Turn[] = ['working', 'asking']
const alive: readonly Turn[] = ['starting', 'working', 'asking', 'interrupting', 'idle']

/**
 * What happens in which state. A pair that is not here changes nothing. Answers and refusals are sent before: they are no transition.
 * Each state but `ended` and `lost` has a way to `ended`: `process-ended`, and what ends the process.
 */
export const turnTable: readonly TurnRow[] = [
  { from: ['starting'], on: 'ready', to: 'working', acts: ['send-prompt'] },
  { from: ['starting'], on: 'handshake-failed', to: 'stopping', acts: ['end-process'] },

  { from: ['working', 'asking', 'idle'], on: 'asked', to: 'asking', acts: [] },
  { from: ['asking'], on: 'one-settled', to: 'asking', acts: [] },
  { from: ['asking'], on: 'all-settled', to: 'working', acts: [] },
  { from: ['asking'], on: 'all-settled-no-turn', to: 'idle', acts: ['send-next'] },

  {
    from: ['asking'],
    on: 'ask-limit',
    to: 'interrupting',
    acts: ['hold', 'interrupt', 'withdraw-asks']
  },
  {
    from: inTurn,
    on: 'spending-limit',
    to: 'interrupting',
    acts: ['hold', 'interrupt', 'withdraw-asks']
  },
  { from: ['idle'], on: 'spending-limit', to: 'idle', acts: ['hold'] },
  {
    from: inTurn,
    on: 'interrupt',
    to: 'interrupting',
    acts: ['hold', 'interrupt', 'withdraw-asks']
  },
  { from: ['asking'], on: 'turn-refused', to: 'interrupting', acts: ['hold', 'withdraw-asks'] },

  { from: ['interrupting'], on: 'turn-over', to: 'idle', acts: [] },
  // A prompt of ours had reached the agent before the interrupt did.
  { from: ['interrupting'], on: 'turn-over-next', to: 'interrupting', acts: ['interrupt'] },
  { from: ['interrupting'], on: 'interrupt-unheard', to: 'stopping', acts: ['end-process'] },

  { from: ['working'], on: 'turn-over', to: 'idle', acts: ['send-next'] },
  // What asks now is a task in the background.
  { from: ['asking'], on: 'turn-over', to: 'asking', acts: [] },
  { from: ['idle'], on: 'turn-started', to: 'working', acts: [] },
  { from: ['idle'], on: 'prompted', to: 'working', acts: ['send-prompt'] },
  // Into the turn that runs, where the agent can.
  { from: ['working'], on: 'prompted', to: 'working', acts: ['send-prompt'] },
  { from: ['asking'], on: 'prompted', to: 'asking', acts: ['send-prompt'] },

  { from: alive, on: 'finish', to: 'stopping', acts: ['close-input', 'withdraw-asks'] },
  { from: ['stopping'], on: 'finish-unheard', to: 'stopping', acts: ['end-process'] },
  {
    from: [...inTurn, 'interrupting'],
    on: 'stop',
    to: 'stopping',
    acts: ['interrupt', 'withdraw-asks']
  },
  { from: ['starting', 'idle', 'stopping'], on: 'stop', to: 'stopping', acts: ['end-process'] },
  { from: ['stopping'], on: 'stop-unheard', to: 'stopping', acts: ['end-process'] },

  { from: [...alive, 'stopping'], on: 'process-ended', to: 'ended', acts: ['withdraw-asks'] },
  { from: [...alive, 'stopping'], on: 'host-lost', to: 'lost', acts: ['withdraw-asks'] }
]

/** The row of a state and an event; undefined: the event changes nothing there. */
export function turnRow(from: Turn, on: TurnEvent): TurnRow | undefined {
  return turnTable.find((row) => row.on === on && row.from.includes(from))
}

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
  | 'send the prompt'
  | 'send the next prompt, unless held'
  | 'interrupt the turn'
  | 'withdraw the open asks'
  | 'hold the queue'
  | 'close standard input'
  | 'end the process'

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
  { from: ['starting'], on: 'ready', to: 'working', acts: ['send the prompt'] },
  { from: ['starting'], on: 'handshake-failed', to: 'stopping', acts: ['end the process'] },

  { from: ['working', 'asking', 'idle'], on: 'asked', to: 'asking', acts: [] },
  { from: ['asking'], on: 'one-settled', to: 'asking', acts: [] },
  { from: ['asking'], on: 'all-settled', to: 'working', acts: [] },
  { from: ['asking'], on: 'all-settled-no-turn', to: 'idle', acts: ['send the next prompt, unless held'] },

  {
    from: ['asking'],
    on: 'ask-limit',
    to: 'interrupting',
    acts: ['hold the queue', 'interrupt the turn', 'withdraw the open asks']
  },
  {
    from: inTurn,
    on: 'spending-limit',
    to: 'interrupting',
    acts: ['hold the queue', 'interrupt the turn', 'withdraw the open asks']
  },
  { from: ['idle'], on: 'spending-limit', to: 'idle', acts: ['hold the queue'] },
  {
    from: inTurn,
    on: 'interrupt',
    to: 'interrupting',
    acts: ['hold the queue', 'interrupt the turn', 'withdraw the open asks']
  },
  { from: ['asking'], on: 'turn-refused', to: 'interrupting', acts: ['hold the queue', 'withdraw the open asks'] },

  { from: ['interrupting'], on: 'turn-over', to: 'idle', acts: [] },
  // A prompt of ours had reached the agent before the interrupt did.
  { from: ['interrupting'], on: 'turn-over-next', to: 'interrupting', acts: ['interrupt the turn'] },
  { from: ['interrupting'], on: 'interrupt-unheard', to: 'stopping', acts: ['end the process'] },

  { from: ['working'], on: 'turn-over', to: 'idle', acts: ['send the next prompt, unless held'] },
  // What asks now is a task in the background.
  { from: ['asking'], on: 'turn-over', to: 'asking', acts: [] },
  { from: ['idle'], on: 'turn-started', to: 'working', acts: [] },
  { from: ['idle'], on: 'prompted', to: 'working', acts: ['send the prompt'] },
  // Into the turn that runs, where the agent can.
  { from: ['working'], on: 'prompted', to: 'working', acts: ['send the prompt'] },
  { from: ['asking'], on: 'prompted', to: 'asking', acts: ['send the prompt'] },

  { from: alive, on: 'finish', to: 'stopping', acts: ['close standard input', 'withdraw the open asks'] },
  { from: ['stopping'], on: 'finish-unheard', to: 'stopping', acts: ['end the process'] },
  {
    from: [...inTurn, 'interrupting'],
    on: 'stop',
    to: 'stopping',
    acts: ['interrupt the turn', 'withdraw the open asks']
  },
  { from: ['starting', 'idle', 'stopping'], on: 'stop', to: 'stopping', acts: ['end the process'] },
  { from: ['stopping'], on: 'stop-unheard', to: 'stopping', acts: ['end the process'] },

  { from: [...alive, 'stopping'], on: 'process-ended', to: 'ended', acts: ['withdraw the open asks'] },
  { from: [...alive, 'stopping'], on: 'host-lost', to: 'lost', acts: ['withdraw the open asks'] }
]

/** The row of a state and an event; undefined: the event changes nothing there. */
export function turnRow(from: Turn, on: TurnEvent): TurnRow | undefined {
  return turnTable.find((row) => row.on === on && row.from.includes(from))
}

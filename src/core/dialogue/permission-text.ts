import type { Text } from '../events/agent-event.ts'
import { oneLine } from '../index/one-line.ts'

/** What was decided about an ask. */
export type Decision =
  /** `run`: until the run ends. `always`: by a lasting rule. `unsaid`: the log does not say for how long. */
  | { readonly kind: 'allowed'; readonly scope: 'once' | 'run' | 'always' | 'unsaid' }
  /** Empty: without a message. */
  | { readonly kind: 'refused'; readonly message: string }
  /** A question was answered. Empty: the log does not say how. */
  | { readonly kind: 'answered'; readonly text: string }
  /** The agent waits no longer, and nobody has decided. */
  | { readonly kind: 'withdrawn' }

const scopes = {
  once: 'Allowed once',
  run: 'Allowed for this run',
  always: 'Allowed from now on',
  unsaid: 'Allowed'
} as const

/** What an agent asks: "Asked: Bash mkdir -p build". `tool`: empty where `about` says it. */
export function askedText(tool: string, about: string): Text {
  return permissionText(['Asked:', tool, oneLine(about)].filter((word) => word !== '').join(' '))
}

export function decisionText(decision: Decision): Text {
  switch (decision.kind) {
    case 'allowed':
      return permissionText(scopes[decision.scope])
    case 'refused':
      return permissionText(withRest('Refused', decision.message))
    case 'answered':
      return permissionText(withRest('Answered', decision.text))
    case 'withdrawn':
      return permissionText('Withdrawn')
  }
}

function withRest(word: string, rest: string): string {
  return rest.trim() === '' ? word : `${word}: ${rest}`
}

function permissionText(text: string): Text {
  return { type: 'text', text, role: 'system', category: 'permission' }
}

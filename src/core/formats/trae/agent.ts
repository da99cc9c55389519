import type { Agent } from '../agent.ts'
import { codex } from '../codex/agent.ts'

/** Built on Codex CLI, with its tools. */
export const trae = { ...codex, name: 'Trae CLI', label: 'Trae', words: ['trae'] } as const satisfies Agent

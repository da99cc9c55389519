import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { AgentId } from '#contract/live-runs.ts'

const at = '2026-11-22T15:38:52.914Z'
export const keptPrompt = 'Touch one.'

/** A session in a home folder, as its agent keeps it: one prompt. `more`: further lines of its file. Gives the file. */
export function keepSession(
  home: string,
  agent: AgentId,
  { id, cwd, more = [] }: { readonly id: string; readonly cwd: string; readonly more?: readonly (object | string)[] }
): string {
  const write = (path: string, ...lines: readonly (object | string)[]): string => {
    const file = join(home, path)
    mkdirSync(dirname(file), { recursive: true })
    const texts = [...lines, ...more].map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
    writeFileSync(file, texts.map((text) => `${text}\n`).join(''))
    return file
  }
  switch (agent) {
    case 'claude':
      return write(`.claude/projects/${cwd.replaceAll(/[^A-Za-z0-9]/g, '-')}/${id}.jsonl`, claudePrompt({ id, cwd }))
    case 'codex': {
      const about = { id, timestamp: at, cwd, originator: 'codex_exec', cli_version: '0.169.0', source: 'exec' }
      const content = [{ type: 'input_text', text: keptPrompt }]
      return write(
        `.codex/sessions/2026/11/22/rollout-2026-11-22T15-38-52-${id}.jsonl`,
        { timestamp: at, type: 'session_meta', payload: { ...about, instructions: null } },
        { timestamp: at, type: 'response_item', payload: { type: 'message', role: 'user', content } }
      )
    }
    case 'gemini': {
      const project = join(home, '.gemini/tmp/project')
      mkdirSync(project, { recursive: true })
      writeFileSync(join(project, '.project_root'), cwd)
      return write(
        `.gemini/tmp/project/chats/session-2026-11-22T15-38-${id.slice(0, 8)}.jsonl`,
        { sessionId: id, projectHash: 'f'.repeat(64), startTime: at, lastUpdated: at, kind: 'main' },
        { id: 'u1', timestamp: at, type: 'user', content: [{ text: keptPrompt }] }
      )
    }
  }
}

/** A prompt in a transcript of Claude Code. */
export function claudePrompt({ id, cwd, ...over }: { readonly id: string; readonly cwd: string }): object {
  return {
    ...{ type: 'user', sessionId: id, cwd, version: '2.1.330', isSidechain: false, parentUuid: null, uuid: 'u1' },
    ...{ timestamp: at, message: { role: 'user', content: keptPrompt }, ...over }
  }
}

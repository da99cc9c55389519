import type { AgentId, LiveRun } from '#contract/live-runs.ts'

/** Earlier prompts without repetitions, latest first. */
export function recentPrompts(runs: readonly LiveRun[], most: number): string[] {
  return distinct(
    runs.map(({ prompt }) => prompt.trim()),
    most
  )
}

export function recentFolders(runs: readonly LiveRun[], most: number): string[] {
  return distinct(
    runs.map(({ cwd }) => cwd),
    most
  )
}

export function recentModels(runs: readonly LiveRun[], agent: AgentId, most: number): string[] {
  const own = runs.filter((run) => run.agent === agent)
  return distinct(
    own.map(({ model }) => model ?? ''),
    most
  )
}

function distinct(texts: readonly string[], most: number): string[] {
  return [...new Set(texts.filter((text) => text !== ''))].slice(0, most)
}

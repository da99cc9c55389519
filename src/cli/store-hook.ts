import { hookResult } from '#core/bridge/hook-result.ts'
import { hookTasks } from '#core/bridge/hook-tasks.ts'
import type { JsonObject } from '#core/json.ts'
import { stateFolder } from '#backend/state-folder.ts'
import { TaskStore } from '#backend/tasks/task-store.ts'
import { tasksFile } from '#backend/tasks/tasks-file.ts'
import type { HookEnvironment } from './take-hook.ts'

/** The tool of an agent waits. */
const waitMs = 3000

/** Stores what a hook of an interactive session tells: the result of its call, and the agent's todo list. */
export async function storeHook(
  hook: JsonObject,
  { variables, platform, now }: Omit<HookEnvironment, 'stdin'>
): Promise<void> {
  const told = hookResult(hook)
  if (told === null) return
  const store = await TaskStore.open(tasksFile(stateFolder(variables, platform)), { now, waitMs })
  try {
    const { session, result, todos } = told
    if (result !== null) store.reportResult({ session, ...result, source: 'hook' })
    if (todos !== null) store.syncSdkTasks(session, todos)
    const change = hookTasks(hook)
    if (change !== null) store.changeAgentTasks(change)
  } finally {
    store.close()
  }
}

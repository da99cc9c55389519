import { hookResult } from '#core/formats/claude/hook-result.ts'
import { hookTasks } from '#core/formats/claude/hook-tasks.ts'
import type { JsonObject } from '#core/json.ts'
import { stateFolder, tasksFile } from '#backend/state-folder.ts'
import { TaskStore } from '#backend/tasks/task-store.ts'
import type { HookEnvironment } from './receive-hook.ts'

/** An agent's tool waits for this. */
const waitMs = 3000

/** Stores a call's result and the agent's todo list from a hook of an interactive session. */
export async function storeHook(
  hook: JsonObject,
  { variables, platform, now }: Omit<HookEnvironment, 'stdin'>
): Promise<void> {
  const reported = hookResult(hook)
  if (reported === null) return
  const store = await TaskStore.open(tasksFile(stateFolder(variables, platform)), { now, waitMs })
  try {
    const { session, result, todos } = reported
    if (result !== null) store.reportResult({ session, ...result, source: 'hook' })
    if (todos !== null) store.syncSdkTasks(session, todos)
    const change = hookTasks(hook)
    if (change !== null) store.changeAgentTasks(change)
  } finally {
    store.close()
  }
}

import { liveRunMethods } from './live-runs.ts'
import { type Handlers, HostError } from './methods.ts'
import { taskMethods } from './tasks.ts'

/** The methods about runs and tasks, which only a host with a state folder has. */
export type RunMethod = keyof typeof liveRunMethods | keyof typeof taskMethods

const names = [...Object.keys(liveRunMethods), ...Object.keys(taskMethods)] as RunMethod[]

/** What a host answers that starts no agents and keeps no tasks. `reason`: for people, with what to do instead. */
export function withoutRuns(reason: string): Pick<Handlers, RunMethod> {
  const refuse = async (): Promise<never> => {
    throw new HostError('unavailable', reason)
  }
  return Object.fromEntries(names.map((name) => [name, refuse])) as unknown as Pick<Handlers, RunMethod>
}

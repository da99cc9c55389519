import { Worker } from 'node:worker_threads'
import { LiveRuns } from '#backend/live-runs/live-runs.ts'

/** A Playhead that starts one agent, to be killed: `node module.mjs STATE PROGRAM FOLDER`. Prints the run's id once it runs. Its feed does nothing. */
const [state = '', command = '', cwd = ''] = process.argv.slice(2)
const runs = new LiveRuns({
  state,
  createWorker: (options) => new Worker('setInterval(() => {}, 1000)', { ...options, eval: true }),
  hook: null,
  tasks: null,
  notify: () => {}
})
await runs.agents.setCommand('claude', command)
const request = {
  agent: 'claude',
  prompt: 'Count.',
  cwd,
  model: null,
  mode: null,
  extraArguments: [],
  timeLimitMs: null,
  resumes: null
} as const
const { run } = await runs.start({ ...request, extraArguments: [] }, { confirmed: false })
process.stdout.write(`${run}\n`)

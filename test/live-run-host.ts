import { Worker } from 'node:worker_threads'
import { AgentId, type LiveRun } from '#contract/live-runs.ts'
import { LiveRuns } from '#backend/live-runs/live-runs.ts'

/** A Playhead that starts one agent, to be killed: `node module.mjs STATE PROGRAM FOLDER [interactive [AGENT]]`. Prints the run's id once it runs. Its feed does nothing. It allows what the agent of an interactive run asks. */
const [state = '', command = '', cwd = '', interactive = '', named = 'claude'] = process.argv.slice(2)
const agent = AgentId.parse(named)
const answered = new Set<string>()
const runs = new LiveRuns({
  state,
  createWorker: (options) => new Worker('setInterval(() => {}, 1000)', { ...options, eval: true }),
  hook: null,
  tasks: null,
  notify: (name, payload) => {
    if (name !== 'run.changed') return
    const { run, dialogue } = payload as LiveRun
    for (const { id } of dialogue?.asks ?? []) {
      if (!answered.has(id))
        setImmediate(() => void runs.talk(run, (talk) => talk.answer(id, { allow: 'once' })).catch(() => {}))
      answered.add(id)
    }
  }
})
await runs.agents.setCommand(agent, command)
const request = {
  agent,
  prompt: 'Count.',
  cwd,
  model: null,
  mode: null,
  extraArguments: [],
  timeLimitMs: null,
  resumes: null,
  interactive: interactive !== ''
} as const
const { run } = await runs.start({ ...request, extraArguments: [] }, { confirmed: false })
process.stdout.write(`${run}\n`)

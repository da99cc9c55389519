import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import {
  expect,
  type PlaywrightTestArgs,
  type PlaywrightTestOptions,
  test as base,
  type TestType
} from '@playwright/test'

export const root = fileURLToPath(new URL('../..', import.meta.url))
export const sample = `${root}resources/sample-run.jsonl`

/** Runs a `playhead` command to its end. */
export async function playhead(...args: string[]): Promise<Finished> {
  return await playheadIn(process.env, ...args)
}

/** As `playhead`, with an environment of its own. */
export async function playheadIn(env: NodeJS.ProcessEnv, ...args: string[]): Promise<Finished> {
  const child = spawn(process.execPath, [`${root}bin/playhead.js`, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  const [code] = (await once(child, 'close')) as [number | null]
  return { stdout, stderr, code }
}

interface Finished {
  readonly stdout: string
  readonly stderr: string
  readonly code: number | null
}

/** `serve(…files)` gives the address of a page that shows the logs; it works once. */
export interface Serving {
  readonly serve: (...files: string[]) => Promise<string>
}

interface StateFolder {
  /** Variables of the environment of what is served, beside those of the test. */
  readonly variables: Readonly<Record<string, string>>
  /** The state folder of what is served, and of `playhead` commands that are to know of it. */
  readonly state: string
  /** Another address of a page that is served: each works once. */
  readonly another: (address: string) => Promise<string>
}

/** The environment of a command with a state folder of its own, and a home folder without the sessions of whoever runs the tests. */
export function withState(state: string): NodeJS.ProcessEnv {
  const home = `${state}/home`
  const folders = { PLAYHEAD_STATE_DIR: state, PLAYHEAD_CACHE_DIR: `${state}/cache`, HOME: home, USERPROFILE: home }
  const moved = { CLAUDE_CONFIG_DIR: undefined, CODEX_HOME: undefined, GEMINI_CLI_HOME: undefined }
  return { ...process.env, ...moved, ...folders }
}

interface OwnProcess {
  /** Each server is a process of its own, as a person starts it. Else those of a worker share one, whose code is loaded and warm. */
  readonly ownProcess: boolean
}

/** A process that serves, and its address; it was built before. */
interface ServingProcess {
  readonly serve: (args: readonly string[], env: NodeJS.ProcessEnv) => Promise<string>
  readonly stop: () => Promise<void>
}

interface SharedProcess {
  readonly shared: ServingProcess
}

/** Tests of pages that show logs, whoever serves them. */
export type PageTest = TestType<PlaywrightTestArgs & PlaywrightTestOptions & Serving, object>

/** The real server with the real worker. Its address is what it prints; it ends with the test. */
export const test = base.extend<Serving & StateFolder & OwnProcess, SharedProcess>({
  ownProcess: [false, { option: true }],
  shared: [
    async ({ browserName: _browserName }, use) => {
      const serving = sharedProcess()
      await use(serving)
      serving.end()
    },
    { scope: 'worker' }
  ],
  // A page does nothing that its own security policy has to refuse.
  context: async ({ context }, use) => {
    const refused: string[] = []
    context.on('console', (message) => {
      const text = message.text()
      // Who else wants to have it in a frame is not the page.
      if (/Content Security Policy|Trusted(HTML|Script)/i.test(text) && !text.includes('frame-ancestors'))
        refused.push(text)
    })
    await use(context)
    expect(refused).toEqual([])
  },
  // Playwright wants a pattern here, to read from it what a fixture depends on: this one on nothing but the name.
  state: async ({ browserName: _browserName }, use, info) => await use(info.outputPath('state')),
  variables: [{}, { option: true }],
  another: async ({ state }, use) => {
    await use(async (address) => {
      const { stdout } = await playheadIn(withState(state), 'url', '--port', new URL(address).port)
      return stdout.trim()
    })
  },
  serve: async ({ state, variables, ownProcess, shared }, use) => {
    const used: ServingProcess[] = []
    await use(async (...files) => {
      const serving = ownProcess ? startedProcess() : shared
      used.push(serving)
      return await serving.serve(['serve', '--no-open', ...files], { ...withState(state), ...variables })
    })
    await Promise.all([...new Set(used)].map((serving) => serving.stop()))
  }
})
export { expect }

/** `script`: of `bin`. */
export function startedProcess(script = 'playhead.js'): ServingProcess {
  let stop = async (): Promise<void> => {}
  return {
    async serve(args, env) {
      const child = spawn(process.execPath, [`${root}bin/${script}`, ...args], {
        stdio: ['ignore', 'pipe', 'pipe'],
        env
      })
      const warnings = warningsOf(child)
      const closed = once(child, 'close')
      stop = async () => {
        child.kill('SIGTERM')
        await closed
        expect(warnings).toEqual([])
      }
      return await firstLine(child)
    },
    stop: async () => await stop()
  }
}

/** Runs serving.js, anew where it ended. */
function sharedProcess(): ServingProcess & { readonly end: () => void } {
  let child: ChildProcess | null = null
  let closed: Promise<unknown> = Promise.resolve()
  let started: Promise<unknown> = Promise.resolve()
  let warnings: readonly string[] = []
  return {
    async serve(args, env) {
      // One after the other: an address does not say whose it is.
      const address = started.then(async () => {
        if (child?.connected !== true) {
          child = fork(`${root}test/e2e/serving.js`, [], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
          warnings = warningsOf(child)
          closed = once(child, 'close')
        }
        child.send({ args, env: Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined)) })
        return await firstLine(child)
      })
      started = address.catch(() => {})
      return await address
    },
    async stop() {
      if (child?.connected !== true) return
      const stopped = once(child, 'message')
      child.send('stop')
      await Promise.race([stopped, closed])
      expect(warnings).toEqual([])
    },
    end: () => void child?.kill()
  }
}

/** Passes on what a process says on stderr, and collects the warnings of Node there. */
function warningsOf({ stderr }: ChildProcess): readonly string[] {
  const warnings: string[] = []
  if (stderr === null) return warnings
  stderr.pipe(process.stderr, { end: false })
  createInterface({ input: stderr }).on('line', (line) => {
    if (/^\(node:\d+\) /.test(line)) warnings.push(line)
  })
  return warnings
}

async function firstLine({ stdout }: ChildProcess): Promise<string> {
  if (stdout === null) throw new Error('what it prints is read')
  const lines = createInterface({ input: stdout })
  const [line] = (await Promise.race([once(lines, 'line'), once(lines, 'close')])) as [string?]
  lines.close()
  if (line === undefined) throw new Error('the server ended before it printed its URL')
  return line.trim()
}

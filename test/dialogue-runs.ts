import { mkdtempSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { expect, vi } from 'vitest'
import type { ErrorCode } from '#contract/host-error.ts'
import type { LiveRun, RunRequest } from '#contract/live-runs.ts'
import type { JsonObject } from '#core/json.ts'
import { firstPrompt } from './recorded-play.ts'
import { RunHost } from './run-host.ts'
import { newFolder, processesOf } from './run-processes.ts'
import { readEvents } from './server-sent-events.ts'
import { type DialoguePlay, type DialogueStandIn, dialogueStandIn } from './stand-in/dialogue-play.ts'

/** A host that talks to agents which are stand-ins, with a home of their own. */
export class DialogueRuns extends RunHost {
  readonly home = realpathSync(newFolder())
  readonly #plays = newFolder()

  constructor() {
    super()
    vi.stubEnv('GEMINI_CLI_HOME', this.home)
    vi.stubEnv('HOME', this.home)
  }

  override async close(): Promise<void> {
    vi.unstubAllEnvs()
    await super.close()
  }

  async begin(play: DialoguePlay, over: Partial<RunRequest> = {}): Promise<{ run: string; standIn: DialogueStandIn }> {
    const standIn = dialogueStandIn(mkdtempSync(join(this.#plays, 'play-')), play)
    const asked = { prompt: firstPrompt(play), interactive: true, ...over }
    const { run } = await this.start(play.agent, standIn.command, asked)
    return { run, standIn }
  }

  async turn(run: string, turn: string): Promise<LiveRun> {
    return await this.run(run, ({ dialogue }) => dialogue?.turn === turn)
  }

  /** Allows what it asks, once. */
  async allow(run: string): Promise<void> {
    const [ask] = (await this.turn(run, 'asking')).dialogue?.asks ?? []
    await this.handlers['run.answer']({ run, ask: ask?.id ?? '', answer: { allow: 'once' } })
  }

  /** The run once it is finished, which leaves no process. */
  async finished(run: string): Promise<LiveRun> {
    await this.handlers['run.finish']({ run })
    const ended = await this.ended(run)
    expect(processesOf(run)).toEqual([])
    return ended
  }

  async events(run: string): Promise<{ type: string; data: JsonObject }[]> {
    return readEvents(await this.stream(run)).map(({ event }) => ({ type: event.type, data: event.data as JsonObject }))
  }
}

/** null: it is not refused. */
export async function refusal(call: Promise<unknown>): Promise<ErrorCode | null> {
  return await call.then(
    () => null,
    (error: { code: ErrorCode }) => error.code
  )
}

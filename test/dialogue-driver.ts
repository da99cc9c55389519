import { expect } from 'vitest'
import type { LiveRun } from '#contract/live-runs.ts'
import { HostError } from '#contract/host-error.ts'
import type { DialogueCall } from '#core/dialogue/dialogue.ts'
import { knownOf } from './recorded-play.ts'
import type { RunHost } from './run-host.ts'
import type { DialoguePlay, DialogueStandIn } from './stand-in/dialogue-play.ts'

/** Does what the person of a play did, each when the host knows all that was printed before. */
export async function drive(
  host: RunHost,
  { run }: Pick<LiveRun, 'run'>,
  play: DialoguePlay,
  standIn: DialogueStandIn
): Promise<void> {
  for (const [number, step] of play.steps.entries()) {
    if (!('call' in step)) continue
    await expect.poll(() => standIn.steps, { interval: 5, timeout: 60_000 }).toBeGreaterThan(number)
    if (step.known !== null) {
      const known = JSON.stringify(step.known)
      await host.run(run, ({ dialogue }) => dialogue !== null && JSON.stringify(knownOf(dialogue)) === known)
    }
    const refused = await callOn(host, run, step.call).then(
      () => null,
      (error: unknown) => (error instanceof HostError ? error.code : String(error))
    )
    expect([number, step.call, refused]).toEqual([number, step.call, step.refused])
    if (refused !== null) standIn.wasRefused()
  }
}

/** A call of a person over the contract. */
async function callOn({ handlers }: RunHost, run: string, call: DialogueCall): Promise<unknown> {
  switch (call.do) {
    case 'answer':
      return await handlers['run.answer']({ run, ask: call.ask, answer: call.answer })
    case 'prompt':
      return await handlers['run.prompt']({ run, text: call.text, when: call.when })
    case 'edit':
      return await handlers['run.queue']({ run, change: { edit: call.prompt, text: call.text } })
    case 'move':
      return await handlers['run.queue']({ run, change: { move: call.prompt, to: call.to } })
    case 'drop':
      return await handlers['run.queue']({ run, change: { drop: call.prompt } })
    case 'hold':
      return await handlers['run.queue']({ run, change: { hold: true } })
    case 'release':
      return await handlers['run.queue']({ run, change: { release: true } })
    case 'interrupt':
      return await handlers['run.interrupt']({ run })
    case 'finish':
      return await handlers['run.finish']({ run })
    case 'stop':
      return await handlers['run.stop']({ run })
    case 'set-mode':
      return await handlers['run.setMode']({ run, mode: call.mode, confirmed: call.confirmed })
    case 'set-limits':
      throw new Error('no play has limits')
  }
}

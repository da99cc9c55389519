import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { type AgentId, agentIds } from '#contract/live-runs.ts'
import { firstPrompt } from '../../../test/recorded-play.ts'
import { RunHost } from '../../../test/run-host.ts'
import { newFolder, processesOf } from '../../../test/run-processes.ts'
import { type SmallDisk, smallDisk } from '../../../test/small-disk.ts'
import { AgentScript, chatOf } from '../../../test/stand-in/agent-script.ts'
import { dialogueStandIn } from '../../../test/stand-in/dialogue-play.ts'
import { times } from '../../../test/thorough.ts'
import { diskSpace } from '../disk-space.ts'

let disk: SmallDisk | null = null
afterEach(() => {
  vi.unstubAllEnvs()
  disk?.remove()
  disk = null
})

const MB = 1 << 20
const room = 900 << 10

/** A dialogue on a disk with this room: as real agents, one of them ends where it is full, and the others drop what they cannot write. */
async function had(agent: AgentId, number: number, left: number): Promise<boolean> {
  disk = smallDisk(MB)
  if (disk === null) return false
  const name = realpathSync(disk.folder)
  const home = newFolder()
  vi.stubEnv('GEMINI_CLI_HOME', home)
  writeFileSync(join(name, 'ballast'), Buffer.alloc(room - left))
  // A large disk, as far as it is told, which is full all of a sudden. Playhead's own files leave some room again.
  const lookAtDisk: typeof diskSpace = async (path) => {
    const space = await diskSpace(path)
    const isFull = space === null || space.free < 64 << 10
    return isFull ? space : { free: space.free + 300 * MB, total: 10_000 * MB }
  }
  const host = new RunHost({ state: join(name, 'state'), lookAtDisk })
  try {
    const session = `${number.toString(16).padStart(8, '0')}-d357-4522-a44f-4b4d8b9df8c9`
    const script = new AgentScript(agent, session).opens()
    for (let i = 0; i < 400; i++) script.says(`${i} ${'x'.repeat(2000)}`)
    const play = script
      .endsTurn()
      .play({ fullDisk: agent === 'codex' ? 'ends' : agent === 'claude' ? 'says' : 'silent' })
    const standIn = dialogueStandIn(join(home, 'agent'), play)
    const run = await host.start(agent, standIn.command, {
      ...{ prompt: firstPrompt(play), interactive: true, cwd: home }
    })
    const over = await host.ended(run.run)
    // The recording of Gemini CLI is a copy of its own log, which is on another disk.
    const full = agent === 'gemini' ? readFileSync(join(home, '.gemini/tmp', chatOf(session))) : standIn.printed
    const recorded = existsSync(over.recording) ? readFileSync(over.recording) : Buffer.alloc(0)
    let firstLoss = 0
    while (firstLoss < recorded.length && recorded[firstLoss] === full[firstLoss]) firstLoss++
    // The copy is finished once there is room again, as where another file has gone: then nothing is lost.
    if (agent !== 'gemini') expect(firstLoss, 'something is lost').toBeLessThan(full.length)
    if (firstLoss < full.length) {
      expect(over.finishReason).not.toBe('done')
      expect(over.incomplete?.from ?? Infinity, over.message ?? '').toBeLessThanOrEqual(firstLoss)
    }
    // Nothing was sent that was not noted first.
    const notes = readFileSync(join(dirname(over.recording), 'dialogue.jsonl'), 'utf8')
    for (const line of standIn.read) expect(notes).toContain(JSON.stringify(line))
    expect(processesOf(run.run)).toEqual([])
  } finally {
    await host.close()
    disk.remove()
    disk = null
  }
  return true
}

test.for(agentIds)(
  'a dialogue with %s whose disk is full is never done, and says where the first loss may be',
  { timeout: 600_000 },
  async (agent, context) => {
    const count = times(2, 100)
    // The same places each time, without a pattern.
    let seed = 21
    for (let number = 0; number < count; number++) {
      seed = (seed * 48_271) % 2_147_483_647
      const left = (200 << 10) + (seed % (600 << 10))
      if (!(await had(agent, number, left))) return context.skip('mounting a small disk takes root on Linux')
    }
  }
)

import { mkdirSync, mkdtempSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { dialogueOf } from '#backend/live-runs/agents.ts'
import { agentIds, type LiveRun } from '#contract/live-runs.ts'
import { comparable, drive, firstPrompt, recordedPlay, resumedSession } from '../dialogue-driver.ts'
import { folder } from '../folder.ts'
import { RunHost } from '../run-host.ts'
import { processesOf } from '../run-processes.ts'
import { dialogueStandIn, type DialoguePlay } from '../stand-in/dialogue-play.ts'
import { every } from '../thorough.ts'
import { recordedDialogues, recordingsAreHere } from './recorded-dialogue.ts'

let host: RunHost
let plays = ''
beforeEach(() => {
  host = new RunHost()
  plays = mkdtempSync(join(folder, 'plays-'))
})
afterEach(async () => await host.close())

/** Plays a dialogue through the contract, and holds that nothing of it is lost. */
async function play(dialogue: DialoguePlay): Promise<LiveRun> {
  const home = join(plays, dialogue.name)
  mkdirSync(home)
  const standIn = dialogueStandIn(home, dialogue)
  const { run, recording } = await host.start(dialogue.agent, standIn.command, {
    ...{ prompt: firstPrompt(dialogue), interactive: true, mayBecomeDangerous: true }
  })
  await drive(host, { run }, dialogue, standIn)
  const ended = await host.ended(run)

  expect(readFileSync(recording).equals(standIn.printed), 'the recording is what was printed').toBe(true)
  const notes = readFileSync(join(dirname(recording), 'dialogue.jsonl'), 'utf8')
    .trim()
    .split('\n')
  const sent = notes.map((note) => (JSON.parse(note) as { sent: string | null }).sent)
  const read = [...standIn.read]
  expect(
    sent.map((line, i) => line ?? read[i]),
    'what was noted is what was read'
  ).toEqual(read)
  const expected = dialogue.steps.flatMap((step) => ('in' in step && step.in !== null ? [step.in] : []))
  expect(read.map(comparable)).toEqual(expected.map(comparable))
  expect(processesOf(run)).toEqual([])
  // No answer writes a lasting setting.
  expect(read.join('\n')).not.toMatch(/"destination":"(?:local|user|project)Settings"|[Aa]mendment/)
  expect([ended.state, ended.dialogue?.turn, ended.dialogue?.asks]).toEqual(['ended', 'ended', []])
  return ended
}

const talkedTo = agentIds.filter((agent) => dialogueOf(agent) !== null)

test.skipIf(!recordingsAreHere).each(talkedTo)(
  'the recorded dialogues with %s are had through the contract, all at once',
  async (agent) => {
    // The sessions that some go on with are not on this machine.
    const all = recordedDialogues().filter(
      (recording) => recording.agent === agent && resumedSession(recordedPlay(recording)) === null
    )
    const recordings = every(5, all)
    const ended = await Promise.allSettled(recordings.map(async (recording) => await play(recordedPlay(recording))))
    const failed = ended.flatMap((one, i) =>
      one.status === 'rejected' ? [[recordings[i]?.name, String((one.reason as Error).message)]] : []
    )
    expect(failed).toEqual([])
    expect(all.length).toBeGreaterThan(10)
  },
  300_000
)

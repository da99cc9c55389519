import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { agentIds } from '#contract/live-runs.ts'
import type { Handlers } from '#contract/methods.ts'
import type { LogMethod } from '#queries/log-answers.ts'
import { drive } from '../dialogue-driver.ts'
import { folder } from '../folder.ts'
import { keepSession } from '../kept-session.ts'
import { RunHost } from '../run-host.ts'
import { comparable, firstPrompt, recordedPlay, resumedSession, startMode, withLogs } from '../recorded-play.ts'
import { processesOf } from '../run-processes.ts'
import { dialogueStandIn, type DialoguePlay } from '../stand-in/dialogue-play.ts'
import { every } from '../thorough.ts'
import { openHere } from './log-here.ts'
import { recordedDialogues, recordingsAreHere, savedLogs } from './recorded-dialogue.ts'

let host: RunHost
let plays = ''
let home = ''
let project = ''
beforeEach(() => {
  host = new RunHost()
  plays = mkdtempSync(join(folder, 'plays-'))
  home = mkdtempSync(join(folder, 'home-'))
  project = join(home, 'project')
  for (const at of [home, project]) {
    for (const name of ['.claude', '.codex', '.gemini']) mkdirSync(join(at, name), { recursive: true })
    for (const name of [
      '.claude.json',
      '.claude/settings.json',
      '.claude/settings.local.json',
      '.gemini/settings.json'
    ])
      writeFileSync(join(at, name), '{}\n')
    writeFileSync(join(at, '.codex/config.toml'), 'approval_policy = "on-request"\n')
  }
  vi.stubEnv('HOME', home)
  vi.stubEnv('GEMINI_CLI_HOME', plays)
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await host.close()
})

/** All files below a folder, with their contents. */
function treeOf(root: string): Record<string, string> {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true }).map((entry) => {
    const path = join(entry.parentPath, entry.name)
    return [path, entry.isFile() ? readFileSync(path, 'base64') : ''] as const
  })
  return Object.fromEntries(entries)
}

/** Opens a log that is not there yet, as a page that follows the run does. */
async function openLive(recording: string): Promise<string> {
  await expect.poll(() => existsSync(recording), { interval: 5, timeout: 60_000 }).toBe(true)
  return (await host.handlers['log.open']({ path: recording })).log
}

async function textsOf(handlers: Pick<Handlers, LogMethod>, log: string, count: number): Promise<string[]> {
  const { rows } = await handlers['log.rows']({ log, rows: Array.from({ length: count }, (_, row) => row) })
  return rows.map(({ text }) => text)
}

function asksIn({ steps }: DialoguePlay): number {
  return steps.filter((step) => 'out' in step && step.out.includes('"session/request_permission"')).length
}

/** The log of a run shows each ask and its decision, and shows the same while it grows as when it is opened. */
async function expectAsked(recording: string, log: string, dialogue: DialoguePlay): Promise<void> {
  const opened = await openHere(recording)
  const { rows, files } = opened.status
  expect(files.map(({ name }) => name)).toEqual(['dialogue.jsonl'])
  const texts = await textsOf(opened.handlers, 'here', rows)
  await opened.close()
  await host.log(log, (status) => status.rows === rows && status.files.length === 1)
  expect(await textsOf(host.handlers, log, rows), 'it grew to what is opened').toEqual(texts)
  const decision = /^(?:Allowed once|Allowed for this run|Refused|Withdrawn)$/
  const count = (shown: RegExp): number => texts.filter((text) => shown.test(text)).length
  expect([count(/^Asked: /), count(decision)]).toEqual([asksIn(dialogue), asksIn(dialogue)])
}

/** The logs that were recorded. Where they were not, Gemini CLI has one with a header. */
function logsOf({ name, agent, steps }: DialoguePlay): ReadonlyMap<string, readonly string[]> {
  const saved = savedLogs(name)
  if (agent !== 'gemini' || saved.size > 0) return saved
  for (const step of steps) {
    const [, session] = ('out' in step && /"result":\{"sessionId":"([\w-]+)"/.exec(step.out)) || []
    if (session === undefined) continue
    const header = { sessionId: session, projectHash: 'h', startTime: '2026-11-22T15:45:00.000Z', kind: 'main' }
    return new Map([[`project/chats/session-${session.slice(0, 8)}.jsonl`, [JSON.stringify(header)]]])
  }
  return saved
}

/** Plays a dialogue through the contract, and holds that nothing of it is lost. `kept`: the log of the session that it goes on with. */
async function play(recorded: DialoguePlay, kept: string | null): Promise<void> {
  const before = kept === null ? '' : readFileSync(kept, 'utf8')
  const logs = logsOf(recorded)
  const dialogue = withLogs(recorded, logs)
  const standIn = dialogueStandIn(join(plays, dialogue.name), dialogue)
  const session = resumedSession(dialogue)
  const { run, recording } = await host.start(dialogue.agent, standIn.command, {
    ...{ prompt: firstPrompt(dialogue), cwd: project, interactive: true, mayBecomeDangerous: true },
    ...{ mode: startMode(dialogue), resumes: session === null ? null : { session, run: null } }
  })
  const isCopy = recording !== join(dirname(recording), 'stdout.jsonl')
  const live = isCopy && logs.size > 0 ? openLive(recording) : null
  await drive(host, { run }, dialogue, standIn)
  const ended = await host.ended(run)

  const printed = readFileSync(join(dirname(recording), 'stdout.jsonl'))
  expect(printed.equals(standIn.printed), 'the recording is what was printed').toBe(true)
  const own = [...logs].find(([file]) => file.endsWith(`-${ended.sessionId?.slice(0, 8)}.jsonl`))
  if (isCopy) {
    const lines = own?.[1].map((line) => `${line}\n`) ?? []
    expect(readFileSync(recording, 'utf8'), "its copy is the agent's own log").toBe(before + lines.join(''))
    expect(lines.length > 0, 'a log that was recorded is found').toBe(logs.size > 0)
  }
  if (live !== null) await expectAsked(recording, await live, dialogue)
  const notes = readFileSync(join(dirname(recording), 'dialogue.jsonl'), 'utf8')
    .trim()
    .split('\n')
  const sent = notes.flatMap((note) => {
    const line = JSON.parse(note) as { sent?: string | null }
    return line.sent === undefined ? [] : [line.sent]
  })
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
}

/** Plays these at once, and holds that none changes a file of the home or the project. */
async function playAll(dialogues: readonly DialoguePlay[]): Promise<void> {
  // A session that was played before is not gone on with: only what is kept of it.
  rmSync(join(plays, '.gemini'), { recursive: true, force: true })
  const kept = new Map<string, string>()
  for (const dialogue of dialogues) {
    const id = resumedSession(dialogue)
    const root = dialogue.agent === 'gemini' ? plays : home
    if (id !== null) kept.set(dialogue.name, keepSession(root, dialogue.agent, { id, cwd: project }))
  }
  const before = treeOf(home)
  const ended = await Promise.allSettled(
    dialogues.map(async (dialogue) => await play(dialogue, kept.get(dialogue.name) ?? null))
  )
  const failed = ended.flatMap((one, i) =>
    one.status === 'rejected' ? [[dialogues[i]?.name, String((one.reason as Error).message)]] : []
  )
  expect(failed).toEqual([])
  expect(treeOf(home), 'no answer changes a file of the home or the project').toEqual(before)
}

test.skipIf(!recordingsAreHere).each(agentIds)(
  'the recorded dialogues with %s are had through the contract, all at once',
  async (agent) => {
    const all = recordedDialogues().filter((recording) => recording.agent === agent)
    const dialogues = every(5, all).map(recordedPlay)
    const goesOn = (dialogue: DialoguePlay): boolean => resumedSession(dialogue) !== null
    await playAll(dialogues.filter((dialogue) => !goesOn(dialogue)))
    await playAll(dialogues.filter(goesOn))
    expect(all.length).toBeGreaterThan(10)
  },
  300_000
)

test.skipIf(!recordingsAreHere)(
  'each ask of the recorded dialogues with Gemini CLI has a row, and so has its decision',
  async () => {
    const plays = recordedDialogues()
      .filter(({ agent }) => agent === 'gemini')
      .map(recordedPlay)
      .filter((dialogue) => asksIn(dialogue) > 0)
    await playAll(plays)
    expect(plays.reduce((sum, dialogue) => sum + asksIn(dialogue), 0)).toBe(15)
  },
  300_000
)

import { mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  type AgentId,
  defaultDialogueLimits,
  type LiveRun,
  type Resumable,
  type RunRequest
} from '#contract/live-runs.ts'
import { claudePrompt, keepSession } from '../../../test/kept-session.ts'
import { newFolder, program, textOf } from '../../../test/run-processes.ts'
import { dialogueStandIn, WrittenDialogue } from '../../../test/stand-in/dialogue-play.ts'
import { createWorker } from '../indexer/create-worker.ts'
import { LiveRuns } from './live-runs.ts'

const session = '01a203ed-d357-4522-a44f-4b4d8b9df8c9'
const other = '01a203ed-aaaa-4522-a44f-4b4d8b9df8c9'

let home = ''
let project = ''
let runs: LiveRuns
beforeEach(() => {
  home = realpathSync(newFolder())
  project = join(home, 'project')
  mkdirSync(project)
  runs = host()
})
afterEach(async () => {
  vi.useRealTimers()
  await runs.close()
})

function host(): LiveRuns {
  return new LiveRuns({
    ...{ state: join(home, 'state'), createWorker, hook: null, tasks: null, notify: () => {} },
    home,
    variables: { PATH: process.env['PATH'] ?? '', HOME: home }
  })
}

function written(path: string, ...lines: readonly object[]): string {
  const file = join(home, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  return file
}

const keep = (agent: AgentId, { id = session, more = [] }: { id?: string; more?: (object | string)[] } = {}): string =>
  keepSession(home, agent, { id, cwd: project, more })
const prompt = (over: object = {}): object => claudePrompt({ id: session, cwd: project, ...over })

const request = (over: Partial<RunRequest> = {}): RunRequest => ({
  ...{ agent: 'claude', prompt: 'And now?', cwd: project, model: null, mode: null, extraArguments: [] },
  ...{ timeLimitMs: null, resumes: { session, run: null }, ...over }
})

const init = (agent: AgentId): string => {
  const records = {
    claude: { type: 'system', subtype: 'init', session_id: session, model: 'm', tools: [] },
    codex: { type: 'thread.started', thread_id: session },
    gemini: { type: 'init', timestamp: '2026-11-22T15:38:52.914Z', session_id: session, model: 'm' }
  }
  return `echo '${JSON.stringify(records[agent])}'`
}

/** Starts a program of these lines as the agent; what it was started with is in `arguments`. */
async function start(over: Partial<RunRequest> = {}, lines: readonly string[] = []): Promise<LiveRun> {
  const agent = over.agent ?? 'claude'
  const noted = ['case "$1" in --version) exit; esac', `echo "$@" > '${home}/arguments'`]
  await runs.agents.setCommand(agent, program(home, [...noted, init(agent), ...lines]))
  return await runs.start(request(over), { confirmed: true })
}

const ended = async (over: Partial<RunRequest> = {}, lines: readonly string[] = []): Promise<LiveRun> =>
  await runs.ended((await start(over, lines)).run)

describe('a run goes on with a session', () => {
  test.each<[agent: AgentId, words: string]>([
    ['claude', `--resume ${session}`],
    ['codex', `resume ${session} -`],
    ['gemini', `--resume ${session}`]
  ])('of %s, as the agent keeps it', async (agent, words) => {
    keep(agent)
    const first = await ended({ agent, resumes: null })
    const run = await ended({ agent })
    expect(run.resumes).toEqual({ session, run: first.run })
    expect(textOf(join(home, 'arguments'))).toContain(words)
    const [listed] = await host().list()
    expect(listed).toMatchObject({ run: run.run, resumes: { session, run: first.run } })
  })

  test('that no run of Playhead had', async () => {
    keep('claude')
    expect(await ended()).toMatchObject({ resumes: { session, run: null }, sessionId: session })
  })

  test('also through another name of its folder', async () => {
    keep('claude')
    const link = join(home, 'link')
    symlinkSync(project, link)
    expect(await ended({ cwd: link })).toMatchObject({ cwd: link, resumes: { session } })
  })

  test.each(['claude', 'codex', 'gemini'] as const)('but not with one that %s no longer has', async (agent) => {
    const file = keep(agent, { id: other })
    await expect(start({ agent })).rejects.toMatchObject({
      code: 'not-found',
      message: expect.stringContaining(session)
    })
    rmSync(file)
    await expect(start({ agent, resumes: { session: other, run: null } })).rejects.toMatchObject({ code: 'not-found' })
    expect(await runs.list()).toEqual([])
  })

  test('but not in another folder than its own', async () => {
    keep('claude')
    await expect(start({ cwd: home })).rejects.toMatchObject({
      ...{ code: 'bad-params', field: 'cwd' },
      message: `The session belongs to the folder ${project}. It can only go on there.`
    })
  })

  test('but not if its folder is gone', async () => {
    keep('claude')
    rmSync(project, { recursive: true })
    for (const cwd of [project, home])
      await expect(start({ cwd })).rejects.toMatchObject({
        ...{ code: 'bad-params', field: 'cwd' },
        message: `The folder of the session, ${project}, does not exist. Restore it there, or start a new session in another folder.`
      })
  })

  test('but not while a run goes on with it, in this host or another', async () => {
    keep('claude')
    const first = await start({}, ['while :; do sleep 0.05; done'])
    await expect.poll(async () => (await runs.list())[0]?.sessionId).toBe(session)
    await expect(start()).rejects.toMatchObject({ code: 'busy' })
    const elsewhere = host()
    await expect(elsewhere.start(request(), { confirmed: true })).rejects.toMatchObject({ code: 'busy' })
    await elsewhere.close()
    runs.kill(first.run)
    await runs.ended(first.run)
    expect(await ended()).toMatchObject({ resumes: { session, run: first.run } })
  })

  test('only once, if it is asked twice at a time', async () => {
    keep('claude')
    await runs.agents.setCommand('claude', program(home, [init('claude')]))
    const answers = await Promise.allSettled([1, 2, 3].map(() => runs.start(request(), { confirmed: true })))
    expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected'])
    expect(answers.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))).toMatchObject([
      { code: 'busy' },
      { code: 'busy' }
    ])
  })

  test('but not in a conversation with a session of Gemini CLI in the minute it began, which would be lost', async () => {
    keep('gemini')
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-22T15:38:52Z') })
    await expect(start({ agent: 'gemini', interactive: true })).rejects.toMatchObject({
      code: 'busy',
      message: 'Gemini CLI would lose this session, as it has just begun. Go on in 8 s.'
    })
    expect(await runs.list()).toEqual([])
    expect(await ended({ agent: 'gemini' })).toMatchObject({ resumes: { session } })
    vi.setSystemTime(Date.parse('2026-11-22T15:39:00Z'))
    const { run } = await start({ agent: 'gemini', interactive: true })
    expect(await runs.ended(run)).toMatchObject({ interactive: true, resumes: { session } })
  })

  test('and says so where only the agent knows that the session is gone', async () => {
    keep('gemini')
    const said = `Error resuming session: Invalid session identifier "${session}".`
    expect(await ended({ agent: 'gemini' }, [`echo '${said}' >&2`, 'exit 42'])).toMatchObject({
      ...{ finishReason: 'error', exitCode: 42 },
      message: expect.stringMatching(/^Gemini CLI no longer has this session\. Start a new one\. .*exit code 42\./)
    })
  })
})

describe('what a run needs to go on', () => {
  test.each(['claude', 'codex', 'gemini'] as const)('is told of a session of %s', async (agent) => {
    const answer = await runs.resumable(keep(agent))
    expect(answer.request).toEqual({
      ...{ agent, cwd: project, model: null, mode: null, extraArguments: [], timeLimitMs: null },
      resumes: { session, run: null }
    })
    expect([answer.title, answer.warnings]).toEqual(['Touch one.', []])
    expect(answer.note).toMatch(/\.$/)
  })

  test('is told of a run, with what it was started with', async () => {
    keep('claude')
    const over: Partial<RunRequest> = { model: 'm', mode: 'plan', extraArguments: ['-v'], timeLimitMs: 60_000 }
    const { run, recording } = await ended({ ...over, resumes: null })
    const resumes = { session, run }
    expect((await runs.resumable(recording)).request).toEqual({ agent: 'claude', cwd: project, ...over, resumes })
    expect((await runs.resumable(keep('claude'))).request).toMatchObject({ ...over, resumes })
  })

  test('is never a mode that skips permissions', async () => {
    keep('claude')
    const { recording } = await ended({ mode: 'bypassPermissions', resumes: null })
    const { request: filled, warnings } = await runs.resumable(recording)
    expect([filled.mode, warnings]).toEqual([
      null,
      ['The run before had the mode "Skip permissions". Choose it again if it is needed.']
    ])
  })

  test('is told of a conversation, with its limits and the mode that was in force last', async () => {
    keep('claude', { id: 'w-1' })
    const limits = { ...defaultDialogueLimits, usd: 2.5, askMs: 60_000 }
    /** A conversation that changes from one mode to the other; what is filled in after it. */
    const changed = async (from: string, to: string): Promise<Resumable> => {
      const play = new WrittenDialogue('And now?', from).setMode(to).waits().play()
      await runs.agents.setCommand('claude', dialogueStandIn(newFolder(), play).command)
      const asked = request({ interactive: true, mayBecomeDangerous: true, limits, keepsChanges: true, mode: from })
      const { run, recording } = await runs.start({ ...asked, resumes: null }, { confirmed: true })
      const dialogue = async () => (await runs.list()).find((each) => each.run === run)?.dialogue
      await expect.poll(async () => (await dialogue())?.turn).toBe('working')
      await runs.talk(run, (host) => host.setMode(to, true))
      await expect.poll(async () => (await dialogue())?.mode).toBe(to)
      await runs.talk(run, (host) => host.finish())
      await runs.ended(run)
      return await runs.resumable(recording)
    }
    const lowered = await changed('acceptEdits', 'default')
    expect(lowered.request).toMatchObject({ interactive: true, limits, keepsChanges: true, mode: 'default' })
    expect(lowered.warnings).toEqual([])
    // A danger is accepted again each time.
    const raised = await changed('default', 'bypassPermissions')
    expect(raised.request).toMatchObject({ interactive: true, limits, mode: null })
    expect(raised.request).not.toHaveProperty('mayBecomeDangerous')
    expect(raised.warnings).toEqual([expect.stringContaining('Choose it again if it is needed.')])
  })

  test('leads from a subagent to its session', async () => {
    keep('claude')
    const records = prompt({ isSidechain: true, agentId: 'a1' })
    const file = written(`.claude/projects/-project/${session}/subagents/agent-a1.jsonl`, records)
    expect((await runs.resumable(file)).request.resumes).toEqual({ session, run: null })
  })

  test('says which lines the session lost, and that its folder is gone', async () => {
    const told = { type: 'system', subtype: 'session_writes_lost', error_code: 'ENOSPC', lost: ['transcript'] }
    const file = keep('claude', { more: ['{"type":"us{"type":"user"}', told, ''] })
    rmSync(project, { recursive: true })
    expect((await runs.resumable(file)).warnings).toEqual([
      `The folder of the session, ${project}, does not exist. Restore it there, or start a new session in another folder.`,
      'Claude Code could not save all of the session. It does not know what was lost.',
      'Part of the session is lost: 1 line of its file is damaged. Claude Code does not know that part.'
    ])
  })

  test('says what the run before printed of a loss', async () => {
    keep('claude')
    const told = { type: 'system', subtype: 'session_writes_lost', error_code: 'ENOSPC', lost: ['transcript'] }
    const { recording } = await ended({ resumes: null }, [`echo '${JSON.stringify(told)}'`])
    expect((await runs.resumable(recording)).warnings[0]).toMatch(/^Claude Code could not save all/)
  })

  test.each<[what: string, path: () => string, refusal: object]>([
    [
      'of an agent that is not started here',
      () => written('.qwen/a.jsonl', JSON.parse(qwen) as object),
      { code: 'unavailable', message: /^Playhead cannot go on with a session of Qwen Code, only with those of Claude/ }
    ],
    ['of a file that is none', () => written('a.txt', {}), { code: 'not-found', message: /is no log/ }],
    ['of one that is gone', () => join(home, 'gone.jsonl'), { code: 'not-found', message: /is no log/ }],
    [
      'of a copy whose session the agent does not have',
      () => written('copy.jsonl', prompt()),
      { code: 'not-found', message: /no longer has the session/ }
    ],
    [
      'of a session with an id that is an option',
      () => written('option.jsonl', prompt({ sessionId: '--dangerously-skip-permissions' })),
      { code: 'unavailable', message: /names no session/ }
    ]
  ])('is refused %s', async (_what, path, { code, message }: { code?: string; message?: RegExp }) => {
    await expect(runs.resumable(path())).rejects.toMatchObject({ code, message: expect.stringMatching(message ?? '') })
  })
})

const qwen = JSON.stringify({
  ...{ uuid: 'u1', parentUuid: null, sessionId: session, timestamp: '2026-11-22T15:38:52.914Z', type: 'user' },
  ...{ cwd: '/project', version: '0.5.0', message: { role: 'user', parts: [{ text: 'Touch one.' }] } }
})

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { libraryVersion } from '#backend/library/library-database.ts'
import { headBytes, headOf } from '../../src/core/formats/head.ts'
import { detectFormat, formatById } from '../../src/core/formats/registry.ts'
import { type CardSource, readCard, type ReadCard } from '../../src/core/library/read-card.ts'
import { allFixtures, bytesOfFixture } from './fixtures.ts'
import { indexedLog } from './indexed-log.ts'
import { counterOf } from './session-counts.ts'
import { corpusBytes, corpusFiles, corpusIsHere, corpusLogs, formatOfCorpusFile } from './corpus.ts'

/** What is read of a log: as the library does it. */
const tailBytes = 64 * 1024
const maxHeadBytes = 4 * headBytes

type Log = Pick<CardSource, 'path' | 'format' | 'framing'> & { readonly bytes: Uint8Array }

function logOf(path: string): Log {
  const bytes = corpusBytes(path)
  const head = headOf('log', bytes)
  const { format } = detectFormat(head)
  if (format === null) throw new Error(`${path}: no format`)
  return { path: `/${path}`, format, framing: head.framing, bytes }
}

/** The card by head and tail, with more of the head where that may tell more. */
function cardOf(log: Log): ReadCard {
  const card = readCard(sourceOf(log, headBytes))
  return card.wantsMore && log.bytes.length > headBytes ? readCard(sourceOf(log, maxHeadBytes)) : card
}

function sourceOf({ bytes, ...log }: Log, size: number): CardSource {
  const hasTail = bytes.length > size && log.framing === 'lines'
  return {
    ...log,
    head: bytes.subarray(0, size),
    tail: hasTail ? bytes.subarray(Math.max(size, bytes.length - tailBytes)) : null,
    companion: null
  }
}

/** The card by the whole log. With a line feed at its end it cannot be the beginning of a longer one. */
function wholeCardOf({ bytes, ...log }: Log): ReadCard {
  const head = log.framing === 'lines' ? Buffer.concat([bytes, Buffer.from('\n')]) : bytes
  return readCard({ ...log, head, tail: null, companion: null })
}

/**
 * 45 sessions, read by hand: each file was opened, and its first prompt that a person wrote, the folder, its first and last time and how its last
 * turn ends were written down. Of a title its beginning. Times without their date are of the day of the one before.
 */
type Row = readonly [
  path: string,
  title: string | null,
  project: string | null,
  from: string | null,
  to: string | null,
  end: string
]
const counting = 'Write a small word counter in Node (src/wordcount.mjs) with tests, then report.'
const demo = '/tmp/demo-project'
const claude = 'claude-transcript/'
const codex = 'codex-rollout/'
const gemini = 'gemini-chat/'
const recorded = 'recorded/'
const ofClaude = 'transcript/projects/-tmp-demo-project/'
const ofCodex = 'transcript/sessions/2026/11/21/rollout-2026-11-21T'
const ofGemini = 'transcript/tmp/demo-project/chats/session-2026-11-21T'
// prettier-ignore
const sessions: readonly Row[] = [
  [`${claude}d-kimuson__claude-code-viewer__836aad49.jsonl`, '/orchestrator @CLAUDE.md を最新の状態', '/path/to/Demo', '2025-09-07T09:52:03.071Z', '2025-09-07T09:54:26.499Z', 'done'],
  // The summary on its first line is of another session.
  [`${claude}d-kimuson__claude-code-viewer__fa5d7b90.jsonl`, '/orchestrator create TODO app by Next.js', '/path/to/Demo', '2025-09-03T00:52:31.217Z', '2025-09-03T01:02:03.665Z', 'done'],
  [`${claude}daaain__claude-code-log__34bc4a81.jsonl`, 'Feature Implementation with Task Management', '/tmp', '2025-06-14T10:00:00.000Z', '2025-06-14T10:04:01.000Z', 'open'],
  [`${claude}dagster-io__erk__76f9e465.jsonl`, '/erk:plan-implement 8302', '/home/runner/work/erk/erk', '2026-02-26T16:07:13.610Z', '2026-02-26T16:18:04.957Z', 'done'],
  [`${claude}dagster-io__erk__a98d6941.jsonl`, '/erk:plan-implement', '/Users/schrockn/.erk/repos/erk/worktrees/erk-slot-41', '2026-02-25T10:21:17.327Z', '2026-02-25T12:37:15.265Z', 'open'],
  [`${claude}entireio__cli__1a2aeb4e.jsonl`, 'Q: why is `entire explain` showing no checkpoints', '/Users/alex/workspace/tmp/cli', '2026-02-03T03:49:21.951Z', '2026-02-03T06:31:25.945Z', 'done'],
  [`${claude}entireio__cli__36ec89aa.jsonl`, 'Right now, to disable telemetry we use: Opt-out via', '/Users/gtrrz-victor/wks/cli', '2026-01-15T01:18:10.712Z', '2026-01-15T02:14:12.132Z', 'done'],
  [`${claude}entireio__cli__fc44860a.jsonl`, 'Does this change applies to resume too?', '/Users/soph/Work/entire/devenv/cli', '2026-01-14T10:34:49.644Z', '2026-01-14T14:27:07.834Z', 'done'],
  // It begins with a caveat of the program and with /clear.
  [`${claude}jnarowski__agentcmd__2934b369.jsonl`, "please move the + button to it's own button", '/Users/jnarowski/Dev/sourceborn/src/agent-workflows-monorepo-v2', '2025-10-24T20:50:22.786Z', '2025-10-24T21:29:14.372Z', 'done'],
  [`${claude}jnarowski__agentcmd__3eb42517.jsonl`, 'Can you add the first two initials of actual user', '/Users/jnarowski/Dev/sourceborn/src/agent-workflows-monorepo-v2', '2025-10-26T10:38:08.687Z', '2025-10-26T10:49:18.328Z', 'done'],
  [`${claude}marot__spotter__4d5611e5-241a-462a-8d15-5122611a9569.jsonl`, 'Work on bead spotter-dov. Run bd show', '/home/USER/projects/spotter-worktrees/spotter-dov', '2026-02-12T16:02:23.545Z', '2026-02-12T21:03:34.112Z', 'done'],
  // "Invalid API key" is the summary of another session; a mention is no tag.
  [`${claude}presmihaylov__claudecontrol__6762fff2.jsonl`, '<@U096G2J6P3Q> hey can you see if there is any ping/pong', '/private/tmp/cc2', '2025-07-20T17:46:26.114Z', '2025-07-20T17:47:51.831Z', 'done'],
  // Of two summaries the second is of one of its own records.
  [`${claude}slopus__happy__131a601a.jsonl`, 'Task Tool Web Search: AI Developments Explored', '/Users/steve/Develop/slopus/happy-cli', '2025-08-11T00:56:53.561Z', '2025-08-11T01:01:54.389Z', 'open'],
  [`${claude}slopus__happy__9468c8d6.jsonl`, 'write an md doc detailing what this project does', '/Users/kirilldubovitskiy/projects/happy/handy-cli', '2025-07-20T05:57:09.904Z', '2025-07-20T05:58:31.180Z', 'interrupted'],
  [`${claude}slopus__happy__df2a8a03.jsonl`, 'I want to persist the timer state in the browser tab.', '/Users/user/src/plgrc/web/peoplesgrocers/static/src/routes/[...lang]/projects/nested-timers', '2025-07-14T16:53:57.958Z', '2025-07-14T17:39:39.343Z', 'interrupted'],
  [`${claude}generated/c330-agent/d7cbf5a2-16f4-4f8d-b8eb-4094d68ce00d/subagents/agent-a455a0ad19f1abc77.jsonl`, 'SUBAGENT-TWO: read docs', '/home/dev/ws/c330-agent', '2026-11-21T21:10:18.755Z', '2026-11-21T21:10:18.966Z', 'done'],
  [`${recorded}claude/sigint-in-tool/${ofClaude}1adb300a-a0c0-4e14-86ca-714a58448b66.jsonl`, counting, demo, '2026-11-21T22:01:26.279Z', '2026-11-21T22:01:28.951Z', 'interrupted'],
  [`${recorded}claude/sigkill-in-tool/${ofClaude}13291ba2-d6c1-40b9-84db-99b160804d8a.jsonl`, counting, demo, '2026-11-21T22:01:42.191Z', '2026-11-21T22:01:42.378Z', 'open'],
  [`${recorded}claude/fatal-400/${ofClaude}e5fd375f-7c4e-4dbb-9e7f-4d5579e23bbe.jsonl`, counting, demo, '2026-11-21T22:01:20.057Z', '2026-11-21T22:01:20.335Z', 'error'],
  // Its last record but two is the attachment `max_turns_reached`.
  [`${recorded}claude/max-turns/${ofClaude}c9e1106b-ac25-4083-80bf-c3d81e3db960.jsonl`, counting, demo, '2026-11-21T22:06:34.709Z', '2026-11-21T22:06:35.035Z', 'error'],

  [`${codex}Monotoba__OpenPrintKit__c289a126.jsonl`, 'Can we continue from where we left off?', '/home/randy/projects/python-3/OpenPrintKit', '2025-11-01T01:02:58.871Z', '2025-11-01T17:31:16.671Z', 'open'],
  // Nothing but its head and the context.
  [`${codex}Monotoba__OpenPrintKit__c3cc7825.jsonl`, null, '/home/randy/projects/python-3/OpenPrintKit', '2025-11-01T00:36:16.473Z', '2025-11-01T00:36:16.473Z', 'empty'],
  [`${codex}Python-AI-Solutions__agentic-neurodata-conversion__46ac2855.jsonl`, 'https://github.com/github/spec-kit study that', 'c:\\Users\\shahh\\OneDrive\\Desktop\\agentic-neurodata-conversion-2', '2025-09-29T07:39:19.828Z', '2025-09-29T11:02:39.570Z', 'interrupted'],
  [`${codex}Quelklef__shell-ws__534c34e5.jsonl`, 'I have a dream. The dream is of an application', '/per/dev/shell-ws', '2026-03-18T18:16:42.922Z', '2026-03-18T20:54:30.804Z', 'open'],
  [`${codex}R1DDL30510__Init-__8f569151.jsonl`, 'Generate a file named AGENTS.md that serves as', '/mnt/c/Users/garvis.G1MVP/myfiles/node1', '2025-11-09T05:44:47.773Z', '2025-11-09T06:17:33.964Z', 'done'],
  // The old format states one time, at its head, and the folder only in the context.
  [`${codex}YPS-Tool__World_time_conference__6edb1081.jsonl`, '検索機能を１から作り直したい。', '/workspaces/20250828_Codex_v3', '2025-09-07T06:02:51.440Z', null, 'open'],
  [`${codex}YPS-Tool__World_time_conference__9732ae6a.jsonl`, 'もしもし', '/workspaces/20250828_Codex_v3', '2025-08-29T08:15:46.693Z', null, 'done'],
  [`${codex}jdx__mise__7bcc2803.jsonl`, 'i think this is a dupe [https://github.com/jdx/mise/', '/Users/jdx/.codex/worktrees/ebd4/mise', '2026-07-16T14:40:08.191Z', '2026-07-16T14:51:43.305Z', 'open'],
  [`${codex}jdx__mise__7bd5d057.jsonl`, "i want to implement this. While I think it's good", '/Users/jdx/.codex/worktrees/6b3b/mise', '2026-07-01T23:49:36.163Z', '2026-07-02T01:42:44.073Z', 'done'],
  [`${codex}jnarowski__agentcmd__77907906.jsonl`, 'When I load the dashboard, I see 4 queries.', '/Users/jnarowski/Dev/spectora/src/spectora-labs-monorepo-v2', '2025-09-25T02:12:23.966Z', '2025-09-25T02:16:32.870Z', 'done'],
  [`${recorded}codex/sigint-in-tool/${ofCodex}22-02-25-01a20021-cde5-7b31-be6e-541945aef1e0.jsonl`, counting, demo, '2026-11-21T22:02:25.153Z', '2026-11-21T22:02:27.756Z', 'interrupted'],
  [`${recorded}codex/fatal-400/${ofCodex}22-01-59-01a20021-6918-76a2-a3f0-30b43ce3c951.jsonl`, counting, demo, '2026-11-21T22:01:59.345Z', '2026-11-21T22:01:59.511Z', 'error'],
  [`${recorded}codex/resumed/${ofCodex}22-02-43-01a20022-170f-7fe2-a3e6-5733d1651356.jsonl`, counting, demo, '2026-11-21T22:02:43.881Z', '2026-11-21T22:02:45.040Z', 'done'],

  [`${gemini}entireio__cli__fb1968c9.json`, 'Create a color file in docs.', null, '2026-01-22T20:54:15.130Z', '2026-01-22T20:59:25.897Z', 'error'],
  [`${gemini}agunginsani__expenses-tracker/session-2026-04-11T15-32-52c73acd.json`, 'gemini extensions install https://github.com/obra', null, '2026-04-11T15:32:39.880Z', '2026-04-12T01:18:07.029Z', 'interrupted'],
  [`${gemini}jnarowski__agentcmd__1c7cddc1.json`, 'Can you make me an ai agent in python', null, '2025-10-27T19:56:01.701Z', '2025-10-27T20:24:29.688Z', 'done'],
  // The API refused the request after the last result of a tool, which the chat does not say.
  [`${recorded}gemini/fatal-400/${ofGemini}22-03-9ff2e779.jsonl`, counting, demo, '2026-11-21T22:03:10.937Z', '2026-11-21T22:03:11.125Z', 'open'],
  [`${recorded}gemini/write-todos/${ofGemini}22-00-e4757740.jsonl`, counting, demo, '2026-11-21T22:00:26.923Z', '2026-11-21T22:00:28.079Z', 'done'],
  // Started by an editor, and never asked anything.
  [`${gemini}mana-nakano__cw_hc_app__5a16d553.jsonl`, null, '/home/mana_nakano', '2026-07-22T00:41:07.715Z', '2026-07-22T00:41:07.715Z', 'empty'],

  ['claude-stream-json/generated/c330-api400.jsonl', null, '/home/dev/ws/c330-api400', '2026-11-21T21:11:31.688Z', '2026-11-21T21:11:32.024Z', 'error'],
  [`${recorded}claude/sigint-in-text/stdout.jsonl`, null, demo, '2026-11-21T22:01:54.507Z', '2026-11-21T22:01:57.066Z', 'interrupted'],
  [`${recorded}claude/sigkill-in-tool/stdout.jsonl`, null, demo, '2026-11-21T22:01:42.307Z', '2026-11-21T22:01:42.378Z', 'open'],
  ['gemini-stream-json/generated/v061-hello.jsonl', 'Please do the hello task — naïve café ☕', null, '2026-11-21T21:03:00.499Z', '2026-11-21T21:03:00.522Z', 'done'],
  ['gemini-stream-json/generated/v061-maxturns.jsonl', 'loop please', null, '2026-11-21T21:03:25.035Z', '2026-11-21T21:03:25.209Z', 'error'],
  [`${recorded}gemini/sigkill-in-tool/stdout.jsonl`, counting, null, '2026-11-21T22:05:34.396Z', '2026-11-21T22:05:34.531Z', 'open']
]

/** Where head and tail do not tell what the whole log tells, and why. */
const exceptions: Readonly<Record<string, readonly string[]>> = {
  // No record of the first 64 KB has a time.
  'claude-stream-json/marquex__trackgentic__2a00ec2d.jsonl': ['startedAt'],
  // Its title stands in the middle.
  'claude-transcript/entireio__cli__b8fdde18.jsonl': ['title'],
  // A document whose summary stands at its end, which cannot be read by itself. Its head has when it was written last.
  'gemini-chat/agunginsani__expenses-tracker/session-2026-04-12T01-18-01b2c62e.json': ['title', 'endedAt', 'end'],
  // The same, and the end of its last turn.
  'gemini-chat/generated/v0340-huge__session-2026-11-21T21-31-70be46f3.json': ['endedAt', 'end'],
  // Its last line is of 216 KB.
  'claude-transcript/entireio__cli__64321a2b.jsonl': ['endedAt']
}

/** How texts begin that programs write in a person's name. */
const injected =
  /^(?:<(?!@)|Caveat:|# AGENTS\.md|# Context from my IDE|# Files mentioned|This session is being continued|This is the Gemini CLI|\[Request interrupted|Base directory for this skill|\{ ?")/

describe.skipIf(!corpusIsHere)('cards of the corpus (skipped where the corpus is not beside the checkout)', () => {
  test.each(sessions)('%s is as it was read by hand', (path, title, project, from, to, end) => {
    const card = cardOf(logOf(path))
    expect({
      title: title === null ? card.title : (card.title ?? '').slice(0, title.length),
      project: card.project,
      from: card.startedAt === null ? null : new Date(card.startedAt).toISOString(),
      to: card.endedAt === null ? null : new Date(card.endedAt).toISOString(),
      end: card.end
    }).toEqual({ title, project, from, to, end })
  })

  test('no log has an injected prompt for a title', () => {
    const titles = corpusLogs().map((path) => [path, cardOf(logOf(path)).title ?? ''] as const)
    expect(titles.filter(([, title]) => injected.test(title))).toEqual([])
    expect(titles.filter(([, title]) => title.length > 200 || /\p{Cc}/u.test(title))).toEqual([])
  })

  test('head and tail tell what the whole log tells', () => {
    const differences: Record<string, string[]> = {}
    for (const path of corpusLogs()) {
      const log = logOf(path)
      const card = cardOf(log)
      const whole = wholeCardOf(log)
      expect([path, whole.end]).toEqual([path, counterOf(log).end])
      const keys = ['title', 'project', 'startedAt', 'endedAt', 'end'] as const
      // A log with a single time may state others in its middle.
      const hasOneTime = whole.endedAt === whole.startedAt && card.endedAt === null
      const other = keys.filter((key) => card[key] !== whole[key] && !(key === 'endedAt' && hasOneTime))
      if (other.length > 0) differences[path] = other
    }
    expect(differences).toEqual(exceptions)
  })
})

test('the library counts the findings that the index of a log has', () => {
  const logs = [
    ...allFixtures().map((fixture) => [fixture.formatId, fixture.name, bytesOfFixture(fixture)] as const),
    ...corpusFiles()
      .filter((path, i) => i % 5 === 0 && formatOfCorpusFile(path) !== null)
      .map((path) => [formatOfCorpusFile(path) ?? '', path, corpusBytes(path)] as const)
  ]
  let findings = 0
  for (const [formatId, name, bytes] of logs) {
    const format = formatById(formatId)
    if (format === undefined) throw new Error(`${formatId}: no format`)
    const log: Log = { path: `/${name}`, format, framing: headOf('log', bytes).framing, bytes }
    const index = indexedLog(bytes).index.findings
    const counts = new Map<string, number>(index.further)
    for (const { rule } of index.list) counts.set(rule, (counts.get(rule) ?? 0) + 1)
    expect([name, counterOf(log).counts.findings]).toEqual([name, Object.fromEntries(counts)])
    findings += index.list.length
  }
  expect(findings).toBeGreaterThan(50)
})

describe('the version of what the library keeps', () => {
  const recordedAt = fileURLToPath(new URL('library-cards.json', import.meta.url))
  const anew = 'npx vitest run test/conformance/library-cards.test.ts -t recorded --update'

  function digest(of: Uint8Array | string): string {
    return createHash('sha256').update(of).digest('base64url').slice(0, 16)
  }

  /** Of each fixture its log's digest, and that of all that is kept of it. */
  function digests(): Record<string, string> {
    return Object.fromEntries(
      allFixtures().map((fixture) => {
        const bytes = bytesOfFixture(fixture)
        const format = formatById(fixture.formatId)
        if (format === undefined) throw new Error(`${fixture.formatId}: no format`)
        const name = `${fixture.formatId}/${fixture.name}`
        const log: Log = { path: `/${name}`, format, framing: headOf('log', bytes).framing, bytes }
        const { counts, preview, end } = counterOf(log)
        return [name, `${digest(bytes)} ${digest(JSON.stringify([cardOf(log), counts, preview, end]))}`]
      })
    )
  }

  test('is raised when cards or counts of fixtures change, and their digests are recorded', async () => {
    const recorded = JSON.parse(readFileSync(recordedAt, 'utf8')) as {
      version: number
      digests: Record<string, string>
    }
    const now = digests()
    if (recorded.version === libraryVersion) {
      // A fixture that is new, gone or has another log says nothing of how logs are read.
      const changed = Object.keys(now).filter((name) => {
        const [log, kept] = recorded.digests[name]?.split(' ') ?? []
        const [logNow, keptNow] = now[name]?.split(' ') ?? []
        return log === logNow && kept !== keptNow
      })
      const why = `cards or counts of fixtures changed: raise \`libraryVersion\` in library-database.ts and record the digests anew with ${anew}`
      expect(changed, why).toEqual([])
      return
    }
    const text = `${JSON.stringify({ version: libraryVersion, digests: now }, null, 2)}\n`
    await expect(text)
      .toMatchFileSnapshot(recordedAt)
      .catch(() => {
        throw new Error(`\`libraryVersion\` was raised: record the digests of fixtures anew with ${anew}`)
      })
  })
})

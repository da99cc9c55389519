import type { ToolCompleted, ToolStarted } from '../events/agent-event.ts'
import type { Agent, ReadLines } from '../formats/agent.ts'
import { agentOf, type AgentType } from '../formats/agents.ts'
import { type FileEffect, fileLines } from '../formats/file-effect.ts'
import type { RecordFacts } from '../formats/record-facts.ts'
import { isFailedCall } from '../index/failed-call.ts'
import { filesOfCall } from '../index/tool-files.ts'
import { toolOutput } from '../index/tool-output.ts'
import { type JsonObject, numberAt, stringAt } from '../json.ts'
import { pathIn } from '../paths/log-path.ts'
import type { CommandEffect } from '../shell/command-effect.ts'
import { changedByLine, shownFile } from '../shell/command-files.ts'
import { commandsOfCall } from '../shell/shell-commands.ts'
import type { Shell } from '../shell/shell-line.ts'
import type { FileEdit } from '../tools/file-edits.ts'
import { readOutput } from '../tools/read-output.ts'
import { toolKind } from '../tools/tool-kind.ts'
import { toolUse } from '../tools/tool-use.ts'

/** What a call did to files, by its input, its result and their records. */
export interface CallEffects {
  /** In order. */
  readonly effects: readonly FileEffect[]
  /** What it may have done beside them. */
  readonly doubt: Doubt | null
  /** Where relative paths begin, if the call or its record states it. */
  readonly folder: string | null
}

/** Files may have changed. */
export interface Doubt {
  readonly effect: CommandEffect
  /** These files; null: any. */
  readonly paths: readonly string[] | null
}

/** A call and its result, with the facts of their records. */
export interface AnsweredCall {
  readonly agent: AgentType
  /** The session is one of Windows. */
  readonly inWindows: boolean
  readonly call: ToolStarted
  readonly callFacts: Pick<RecordFacts, 'folder'>
  readonly result: ToolCompleted
  readonly facts: Pick<RecordFacts, 'folder' | 'files' | 'exitCode' | 'isDenied'>
}

const none: readonly FileEffect[] = []
/** Words of an output whose middle was left out. */
const cut =
  /^\[?\.\.\. ?\[?(?:omitted|truncated|\d+ (?:lines|characters|bytes) (?:omitted|truncated))|\d (?:tokens|chars|characters|lines|bytes) truncated|<persisted-output>|output (?:was )?truncated/im
/** A start file of a shell prints such lines before the output. */
const startLines = /^(?:Now using node v[^\n]{0,80}\n)+/
const maxShown = 8_000_000

/** Effects of one call; further ones only tell that their files changed. */
const maxEffects = 10_000

/** Pure; never throws. */
export function effectsOfCall(answered: AnsweredCall): CallEffects {
  const all = allEffects(answered)
  if (all.effects.length <= maxEffects) return all
  const others = new Set(all.effects.slice(maxEffects).map(({ path }) => path))
  const changed = [...others].map((path): FileEffect => ({ path, what: 'changed' }))
  return { ...all, effects: [...all.effects.slice(0, maxEffects), ...changed] }
}

function allEffects({ agent: agentType, inWindows, call, callFacts, result, facts }: AnsweredCall): CallEffects {
  const { toolName, input } = call
  const agent: Agent = agentOf(agentType)
  const stated = stringAt(input, 'workdir') ?? stringAt(input, 'dir_path') ?? stringAt(input, 'cwd')
  const base = callFacts.folder ?? facts.folder ?? null
  const folder = stated === undefined || stated === '' ? base : pathIn(base, stated)
  const failed = isFailedCall(result) || (facts.exitCode ?? 0) !== 0
  if (facts.isDenied === true) return { effects: none, doubt: null, folder }
  if (facts.files !== undefined) return { effects: failed ? none : facts.files, doubt: null, folder }
  const use = toolUse(toolName, input)
  const kind = toolKind(toolName)
  switch (use.what) {
    case 'edits':
      return {
        effects: failed ? none : use.files.flatMap((file) => editEffects(file, agent, call, result.output ?? '')),
        doubt: null,
        folder
      }
    case 'read':
      return {
        effects: failed ? none : readEffects(use.path, agent, input, result.output ?? ''),
        doubt: null,
        folder
      }
    case 'command':
    case 'script':
      return {
        ...lineEffects(shellOf(agent, toolName, inWindows), agent, input, result, failed),
        folder
      }
    default: {
      if (kind === 'shell' && stringAt(input, 'chars') !== '') return { effects: none, doubt: anyFile, folder }
      // An edit that no rule here can tell.
      if ((kind === 'edit' || kind === 'write') && !failed)
        return { effects: filesOfCall(input).map((path) => ({ path, what: 'changed' })), doubt: null, folder }
      // The tool of a server may do anything with the file that it is given.
      const named = kind === null && !failed ? filesOfCall(input) : []
      return { effects: none, doubt: named.length > 0 ? { effect: 'unknown', paths: named } : null, folder }
    }
  }
}

/** The shell that a tool gives its line to. */
function shellOf({ windowsShell }: Agent, tool: string, inWindows: boolean): Shell {
  if (/^(?:powershell|pwsh)$/i.test(tool)) return 'powershell'
  return (inWindows ? windowsShell : undefined) ?? 'sh'
}

const anyFile: Doubt = { effect: 'unknown', paths: null }

/** What results of writing tools say of a new file. */
const saysNew = /^(?:File created|Successfully created|Created )/

function editEffects(
  { path, kind, movedTo, edits }: FileEdit,
  agent: Agent,
  { toolName: tool, input }: ToolStarted,
  output: string
): readonly FileEffect[] {
  const target = movedTo ?? path
  const effects: FileEffect[] = movedTo === null ? [] : [{ path: target, what: 'moved', from: path }]
  if (kind === 'deleted') return [{ path, what: 'deleted' }]
  if (stringAt(input, 'notebook_path') !== undefined) return [{ path, what: 'changed' }]
  if (edits.length === 0) return effects.length > 0 ? effects : [{ path, what: 'changed' }]
  const takesLineEnd = agent.takesLineEnd?.includes(tool.toLowerCase()) === true
  for (const edit of edits) {
    if (edit.kind === 'replace')
      effects.push({
        path: target,
        what: 'replaced',
        before: edit.before.text,
        after: edit.after.text,
        all: edit.all,
        takesLineEnd
      })
    else if (edit.kind === 'patch')
      effects.push({
        path: target,
        what: 'patched',
        hunks: edit.patch.text,
        numbered: numberAt(input, 'insert_line') !== undefined
      })
    // The text of a patch that adds a file has no line end after its last line.
    else {
      const text = edit.text.at === null ? `${edit.text.text}\n` : edit.text.text
      const created = kind === 'created' || saysNew.test(output)
      effects.push({ path: target, what: 'written', text, ...(created ? { created } : {}) })
    }
  }
  return effects
}

const unchanged = /^(?:Wasted call — )?file unchanged since/i
/** From so many lines on, a reading tool shows a part. */
const wholeLines = 2000

function readEffects(path: string, agent: Agent, input: JsonObject, output: string): readonly FileEffect[] {
  const named: readonly FileEffect[] = [{ path, what: 'named' }]
  if (output.length > maxShown) return named
  if (unchanged.test(output)) return [{ path, what: 'confirmed' }]
  const own = agent.readLines?.(output) ?? null
  if (own !== null) {
    const from = own.first ?? askedLine(agent, input)
    return from === null ? named : linesShown(path, from, own)
  }
  const { body } = toolOutput(output)
  const shown = readOutput(body, 1)
  if (cut.test(shown.before.slice(0, 1000)) || cut.test(shown.after.slice(0, 1000))) return named
  const isNumbered = shown.after !== '' || shown.before !== '' || shown.text !== body
  if (!isNumbered && (body.trim() === '' || /^<|^\[|^File |^Read /.test(body))) return named
  const from = isNumbered ? Math.max(1, shown.first) : askedLine(agent, input)
  if (from === null) return named
  const lines = fileLines(isNumbered ? shown.text : body).length
  const asksForPart = partKeys.some((key) => numberAt(input, key) !== undefined)
  const isWhole = !asksForPart && from <= 1 && lines < wholeLines && !/\blines \d+-\d+ of \d+/.test(shown.before)
  const text = isNumbered ? shown.text : body
  return linesShown(path, from, { text, total: isWhole ? lines : null, isEnd: false })
}

const partKeys = ['offset', 'limit', 'start_line', 'end_line'] as const

/** The number of the first line that a call asks for; null: what its numbers mean is not known. */
function askedLine({ bareLinesFrom }: Agent, input: JsonObject): number | null {
  if (bareLinesFrom === undefined) return null
  const [start, offset] = [numberAt(input, 'start_line'), numberAt(input, 'offset')]
  if (start !== undefined) return Math.max(1, Math.floor(start))
  return offset === undefined ? 1 : Math.max(1, Math.floor(offset) + bareLinesFrom)
}

/** Agents cut longer lines here, some without saying so. */
const longestLine = 2000
const cutEnd = /(?:\.\.\.|…|\[truncated\]|\(line truncated to \d+ chars\))$/

function isCutLine(line: string): boolean {
  return line.length === longestLine || (line.length > longestLine - 10 && cutEnd.test(line))
}

/** Lines of a read without those that were cut. */
function linesShown(
  path: string,
  from: number,
  { text, total: stated, isEnd }: Omit<ReadLines, 'first'>
): readonly FileEffect[] {
  const lines = fileLines(text)
  const open = isEnd === 'open' && from === 1
  // Most files have a line end.
  if (open) lines.push('')
  const total = isEnd === true || open ? from - 1 + lines.length : stated
  const effects: FileEffect[] = []
  for (let first = 0, at = 0; at <= lines.length; at++) {
    if (at < lines.length && !isCutLine(lines[at] ?? '')) continue
    const part = lines.slice(first, at)
    const trimmed = open && part.length === lines.length
    if (part.length > 0)
      effects.push({ path, what: 'shown', from: from + first, lines: part, total, ...(trimmed ? { trimmed } : {}) })
    first = at + 1
  }
  return effects.length > 0 ? effects : [{ path, what: 'named' }]
}

function lineEffects(
  shell: Shell,
  agent: Agent,
  input: JsonObject,
  result: ToolCompleted,
  failed: boolean
): Pick<CallEffects, 'effects' | 'doubt'> {
  const { body, running } = toolOutput(result.output ?? result.error ?? '')
  const commands = commandsOfCall(input, shell) ?? []
  const shown = failed || running ? null : shownFile(commands, shell)
  if (shown !== null) {
    const { path, first, count, numbered, byWindows } = shown
    if (byWindows === true && /[^\t\r\n -~]/.test(body)) return { effects: [{ path, what: 'named' }], doubt: null }
    if (body.length > maxShown || cut.test(body) || /^Total output lines: /m.test((result.output ?? '').slice(0, 300)))
      return { effects: [{ path, what: 'named' }], doubt: null }
    const trimmed = byWindows === true || agent.trimsOutput === true
    return { effects: shownEffects(path, first, count, numbered, body, trimmed), doubt: null }
  }
  if (commands.length === 0) return { effects: none, doubt: stringAt(input, 'chars') === undefined ? null : anyFile }
  const { effects, effect, paths } = changedByLine(commands, !failed && !running)
  return { effects, doubt: effect === 'read' ? null : { effect, paths } }
}

const numberedLine = /^ {0,8}(\d{1,9})(?:\t|  )(.*)$/

function shownEffects(
  path: string,
  first: number,
  count: number | null,
  numbered: boolean,
  body: string,
  trimmed: boolean
): readonly FileEffect[] {
  const text = trimmed ? body.replace(startLines, '') : body
  // Without an output, the file may be empty, or shorter.
  if (text === '') return [{ path, what: 'named' }]
  let lines = fileLines(text)
  const endsLine = lines.at(-1) === ''
  if (numbered) {
    if (endsLine) lines.pop()
    const parts = lines.map((line) => numberedLine.exec(line))
    if (parts.some((part, i) => part === null || Number(part[1]) !== Number(parts[0]?.[1]) + i))
      return [{ path, what: 'named' }]
    const from = Number(parts[0]?.[1])
    lines = parts.map((part) => part?.[2] ?? '')
    const isEnd = count === null || (!trimmed && lines.length < count)
    if (isEnd) lines.push('')
    return [{ path, what: 'shown', from, lines, total: isEnd ? from - 1 + lines.length : null }]
  }
  if (count === null) {
    // Where the end is cut, most files have a line end.
    if (trimmed && !endsLine) lines.push('')
    const total = first - 1 + lines.length
    return [{ path, what: 'shown', from: first, lines, total, ...(trimmed ? { trimmed } : {}) }]
  }
  if (endsLine) lines.pop()
  if (lines.length > count) return [{ path, what: 'named' }]
  const isEnd = !trimmed && endsLine && lines.length < count
  if (isEnd) lines.push('')
  return [
    {
      path,
      what: 'shown',
      from: first,
      lines,
      total: isEnd ? first - 1 + lines.length : null,
      ...(trimmed ? { trimmed } : {})
    }
  ]
}

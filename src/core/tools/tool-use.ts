import type { Agent, ToolKind } from '../formats/agent.ts'
import { inputNames } from '../formats/agents.ts'
import { shellCommand } from '../index/shell-command.ts'
import { isFiniteNumber, type JsonObject, type JsonValue, stringAt } from '../json.ts'
import { memberPath } from '../json-path.ts'
import { editKeys, type FileEdit, fileEdits, type TextAt } from './file-edits.ts'
import { toolKind } from './tool-kind.ts'

/** How to show a call, by its tool's name and input. */
export type ToolUse = {
  /** Input members that `what` covers; the others are shown as inputs. */
  readonly consumedKeys: readonly string[]
  /** The usual kind of its result. */
  readonly answer: 'terminal' | 'file' | 'found' | 'names' | 'prose' | 'sentence' | 'data'
} & (
  | { readonly what: 'command'; readonly command: TextAt }
  /** A program that calls tools; `language`: for highlighting. */
  | { readonly what: 'script'; readonly script: TextAt; readonly language: string }
  | { readonly what: 'edits'; readonly files: readonly FileEdit[] }
  | { readonly what: 'read'; readonly path: string; readonly first: number }
  /** Work for a subagent. */
  | { readonly what: 'agent'; readonly prompt: TextAt }
  | { readonly what: 'plan'; readonly plan: TextAt }
  | { readonly what: 'other' }
)

/** Longer commands are shown with the shell around them. */
const longCommand = 3800
const [pathKeys, promptKeys] = [inputNames('path'), inputNames('prompt')]

/** Classifies a call. Never throws; the default is `other`. `agent`: whose call it is, if that is known. */
export function toolUse(name: string, input: JsonObject, agent: Agent | null = null): ToolUse {
  const kind = toolKind(name)
  const files = kind === 'shell' || kind === 'edit' || kind === 'write' || kind === null ? fileEdits(input) : null
  // A server's tool may use these names for anything.
  if (files !== null && (kind !== null || files.some(({ edits }) => edits.some((edit) => edit.kind !== 'whole')))) {
    const consumedKeys = editKeys.filter((key) => key in input && (kind !== 'shell' || key !== 'path'))
    return { what: 'edits', files, consumedKeys, answer: 'sentence' }
  }
  return (
    commandUse(kind, input) ??
    scriptUse(kind, input) ??
    readUse(kind, input, agent) ??
    agentUse(kind, input) ??
    planUse(input) ?? { what: 'other', consumedKeys: [], answer: kind === null ? 'data' : answers[kind] }
  )
}

const answers: Readonly<Record<ToolKind, ToolUse['answer']>> = {
  shell: 'terminal',
  read: 'file',
  list: 'names',
  write: 'sentence',
  edit: 'sentence',
  search: 'found',
  web: 'prose',
  agent: 'prose'
}

function commandUse(kind: ToolKind | null, input: JsonObject): ToolUse | null {
  // The command of an editor is a word for what it does with a file.
  if (kind === 'edit' && typeof input['command'] === 'string') return null
  for (const key of ['command', 'cmd']) {
    const value = input[key]
    const command = commandText(value)
    if (command === null) continue
    const at = command === value ? memberPath('$.input', key) : null
    return { what: 'command', command: { text: command, at }, consumedKeys: [key], answer: 'terminal' }
  }
  return null
}

/** The whole command, without its shell. */
function commandText(value: JsonValue | undefined): string | null {
  if (typeof value === 'string') return value.length > longCommand ? value : shellCommand(value)
  if (!Array.isArray(value) || value.length === 0 || !value.every((word) => typeof word === 'string')) return null
  return shellCommand(value)
}

function scriptUse(kind: ToolKind | null, input: JsonObject): ToolUse | null {
  if (kind !== 'shell') return null
  for (const key of ['input', 'code', 'script']) {
    const text = stringAt(input, key)
    if (text === undefined) continue
    const script = { text, at: memberPath('$.input', key) }
    return { what: 'script', script, language: 'javascript', consumedKeys: [key], answer: 'terminal' }
  }
  return null
}

function readUse(kind: ToolKind | null, input: JsonObject, agent: Agent | null): ToolUse | null {
  const isView = kind === 'edit' && input['command'] === 'view'
  if (kind !== 'read' && !isView) return null
  const key = pathKeys.find((each) => stringAt(input, each))
  if (key === undefined) return null
  return {
    what: 'read',
    path: stringAt(input, key) ?? '',
    first: firstLine(input, agent?.bareLinesFrom),
    consumedKeys: isView ? [key, 'command'] : [key],
    answer: 'file'
  }
}

/** The first line read: some count from 1, others state lines to skip. */
function firstLine(input: JsonObject, from: Agent['bareLinesFrom']): number {
  const { offset, start_line: start, limit } = input
  if (isFiniteNumber(start) && start >= 1) return Math.floor(start)
  if (!isFiniteNumber(offset) || offset < 0) return 1
  if (from !== undefined) return Math.max(1, Math.floor(offset) + from)
  return limit === undefined ? Math.max(1, Math.floor(offset)) : Math.floor(offset) + 1
}

function agentUse(kind: ToolKind | null, input: JsonObject): ToolUse | null {
  if (kind !== 'agent') return null
  const key = promptKeys.find((each) => stringAt(input, each))
  if (key === undefined) return null
  const prompt = { text: stringAt(input, key) ?? '', at: memberPath('$.input', key) }
  return { what: 'agent', prompt, consumedKeys: [key], answer: 'prose' }
}

/** A plan for approval. */
function planUse(input: JsonObject): ToolUse | null {
  const text = stringAt(input, 'plan')
  if (text === undefined || !text.includes('\n')) return null
  return { what: 'plan', plan: { text, at: '$.input.plan' }, consumedKeys: ['plan'], answer: 'prose' }
}

import { Column } from '../column.ts'
import { dropOldest } from '../drop-oldest.ts'
import type { AgentEvent, ToolStarted } from '../events/agent-event.ts'
import type { FileEffect } from '../formats/file-effect.ts'
import { agentOf } from '../formats/agents.ts'
import type { RecordFacts } from '../formats/record-facts.ts'
import { type RowKind, rowKinds } from '../index/row-kind.ts'
import { rowMarks } from '../index/row-mark.ts'
import type { RunIndex } from '../index/run-index.ts'
import { isOfWindows, isUnplaced, keyEnding, namesOfRelative, pathKey, pathText, placePath } from '../paths/log-path.ts'
import { toolKind } from '../tools/tool-kind.ts'
import { type AnsweredCall, effectsOfCall } from './call-effects.ts'
import {
  changeOf,
  codeOf,
  createdCode,
  type DoubtCause,
  doubtCauses,
  doubtCodeOf,
  doubtOf,
  isChange,
  isDeletion,
  isStated,
  perhapsCode
} from './step-code.ts'

/** An event about a file. */
export interface FileStep {
  /** Of the result. */
  readonly row: number
  readonly what: FileEffect['what']
  /** Its place among the effects of its call. Null: the effect is on another path that may be this file. */
  readonly ordinal: number | null
  /** The file did not exist before. */
  readonly created: boolean
  /** Its place in the index. */
  readonly at: number
}

/** Whether a step changes the file. */
export function isChangeStep({ what }: Pick<FileStep, 'what'>): boolean {
  return isChange(codeOf(what))
}

/** The worst that may have happened to a file since something was known. */
export interface Doubted {
  readonly seq: number
  readonly effect: DoubtCause
}

/** Counts of a file up to some event. */
export interface FileCounts {
  readonly reads: number
  readonly edits: number
  /** An event says that it did not exist before. */
  readonly created: boolean
  readonly deleted: boolean
  /** The first and the last event about it. */
  readonly firstSeq: number
  readonly lastSeq: number
}

const kindsOf = (...kinds: readonly RowKind[]): readonly boolean[] => rowKinds.map((kind) => kinds.includes(kind))
const readKinds = kindsOf('tool', 'tool-result', 'tool-error', 'session')
const recordKind = rowKinds.indexOf('record')
const promptKind = rowKinds.indexOf('prompt')
const duplicate = rowMarks.indexOf('duplicate')
const abandoned = rowMarks.indexOf('abandoned')
/** Records between an abandoned event and the prompt that follows. */
const mostBetween = 100
function isEditTool(tool: string): boolean {
  const kind = toolKind(tool)
  return kind === 'edit' || kind === 'write'
}

/** Limits: further files and effects are counted. */
const maxFiles = 50_000
const maxSteps = 5_000_000
const maxOpen = 2000
const maxPath = 4096

/** An effect with the number of its file. */
export type ResolvedEffect = FileEffect & {
  readonly file: number
  /** Of a move: the file that it comes from; -1: unknown. */
  readonly fromFile?: number
}

/** The effects, and after each move that its source is gone. */
export function withSources(effects: readonly FileEffect[]): readonly FileEffect[] {
  if (effects.every(({ what }) => what !== 'moved')) return effects
  return effects.flatMap((effect): FileEffect[] =>
    effect.what === 'moved' ? [effect, { path: effect.from, what: 'deleted' }] : [effect]
  )
}

interface OpenCall {
  readonly call: ToolStarted
  readonly facts: Pick<RecordFacts, 'folder'>
  /** A hook ran after it, before its result was given. */
  readonly hooked: boolean
}

/**
 * Which events are about which files: 9 bytes for each, and no content. Rows are added in log order; `forkState` copies
 * it. What an event tells of a file is read from the log again.
 */
export class RunFiles {
  /** Whole, with the case of the event that names the file first. */
  readonly paths: string[] = []
  /** By file: `pathKey`. */
  private readonly keys: string[] = []
  /** Effects beyond the limits. */
  further = 0
  private readonly numbers = new Map<string, number>()
  /** Keys of the folders of files. */
  private readonly folders = new Set<string>()
  /** By step, in log order. */
  private readonly file = new Column('uint32')
  private readonly row = new Column('uint32')
  /** A code of `step-code.ts`. */
  private readonly kind = new Column('uint8')
  /** Doubts of all files. */
  private readonly doubtSeq = new Column('uint32')
  private readonly doubtKind = new Column('uint8')
  private readonly calls = new Map<string, OpenCall>()
  /** Files whose folder is not known. */
  private readonly unplaced: number[] = []
  /** Calls of tools that edit, without a result so far. */
  private openEdits = 0
  private folder: string | null = null
  private seen = 0

  /** Rows looked at so far. */
  get rows(): number {
    return this.seen
  }

  get steps(): number {
    return this.file.length
  }

  /** Commands that may have changed any file. */
  get doubts(): number {
    return this.doubtSeq.length
  }

  /** `count` steps of all files in log order: the file, the row, and a code of `step-code.ts`. */
  columnsOfSteps(from: number, count: number) {
    return {
      file: this.file.slice(from, count),
      row: this.row.slice(from, count),
      kind: this.kind.slice(from, count)
    }
  }

  /** `count` commands that may have changed any file: the event, and a code of `step-code.ts`. */
  columnsOfDoubts(from: number, count: number) {
    return { doubtSeq: this.doubtSeq.slice(from, count), doubtKind: this.doubtKind.slice(from, count) }
  }

  /** The folder of the session, if stated so far. */
  get sessionFolder(): string | null {
    return this.folder
  }

  /** Whether the next row must be read for `add`. */
  needsEvent({ rows }: RunIndex): boolean {
    const kind = rows.kindAt(this.seen)
    if (rows.markAt(this.seen) === duplicate) return false
    return readKinds[kind] === true || (kind === recordKind && this.openEdits > 0)
  }

  /** Adds the next row, which must not change any more. `event`: null unless `needsEvent`. Returns its effects, with resolved files. */
  add(index: RunIndex, event: AgentEvent | null, facts: RecordFacts): readonly ResolvedEffect[] {
    const row = this.seen++
    if (facts.hookRan === true) this.hookRan()
    if (isAfterRewind(index, row)) this.doubtAll(index.rows.seqOf(row), 'rewind')
    if (event === null) return noEffects
    switch (event.type) {
      case 'session.started':
        if (event.cwd !== undefined && event.trackId === undefined) this.folder = event.cwd
        return noEffects
      case 'tool.started':
        // Without a start, the session is where its first call is.
        if (event.trackId === undefined) this.folder ??= facts.folder ?? null
        this.calls.delete(event.toolId)
        this.calls.set(event.toolId, { call: Object.freeze(event), facts: { folder: facts.folder }, hooked: false })
        if (this.calls.size > maxOpen) dropOldest(this.calls, maxOpen / 2)
        this.openEdits = isEditTool(event.toolName) ? this.openEdits + 1 : this.openEdits
        return noEffects
      case 'tool.completed': {
        const open = this.calls.get(event.toolId)
        if (open === undefined) return noEffects
        this.calls.delete(event.toolId)
        if (isEditTool(open.call.toolName)) this.openEdits = Math.max(0, this.openEdits - 1)
        const inWindows = isOfWindows(this.folder)
        const answered = {
          agent: event.agentType,
          inWindows,
          call: open.call,
          callFacts: open.facts,
          result: event,
          facts
        }
        return this.answered(index.rows.seqOf(row), row, answered, open.hooked)
      }
      default:
        return noEffects
    }
  }

  /** Hooks after edits often format the file. */
  private hookRan(): void {
    for (const [id, open] of this.calls)
      if (isEditTool(open.call.toolName)) this.calls.set(id, { ...open, hooked: true })
  }

  private answered(seq: number, row: number, answered: AnsweredCall, hooked: boolean): readonly ResolvedEffect[] {
    const { effects, doubt, folder } = effectsOfCall(answered)
    const formats = agentOf(answered.agent).formatsEdits === true && isEditTool(answered.call.toolName)
    const base = folder ?? this.folder
    const own: ResolvedEffect[] = []
    for (const effect of withSources(effects)) {
      const file = this.fileOf(base, effect.path, true)
      if (file < 0 || this.file.length >= maxSteps) {
        this.further++
        continue
      }
      const isNew = effect.what === 'written' && effect.created === true
      this.push(file, row, isNew ? createdCode : codeOf(effect.what))
      if (hooked || (formats && isChange(codeOf(effect.what)))) this.push(file, row, doubtCodeOf('format'))
      const others = isChange(codeOf(effect.what)) ? this.doubtOthers(file, row) : []
      own.push({
        ...effect,
        file,
        ...(effect.what === 'moved' ? { fromFile: this.fileOf(base, effect.from, true) } : {})
      })
      for (const other of others) own.push({ path: effect.path, what: 'changed', file: other })
    }
    if (doubt !== null) this.doubt(seq, row, doubt.effect, doubt.paths, base)
    return own
  }

  private push(file: number, row: number, kind: number): void {
    this.file.push(file)
    this.row.push(row)
    this.kind.push(kind)
  }

  private doubt(
    seq: number,
    row: number,
    effect: DoubtCause,
    paths: readonly string[] | null,
    base: string | null
  ): void {
    const files = new Set<number>()
    let all = paths === null
    for (const path of paths ?? []) {
      const placed = placePath(path, this.folder, base)
      // What happens to a folder happens to what is in it.
      if (this.folders.has(pathKey(placed)) || placed.names.length === 0) all = true
      const file = this.fileOf(base, path, false)
      if (file >= 0) files.add(file)
      else for (const other of this.filesNamed(path)) files.add(other)
    }
    if (all) this.doubtAll(seq, effect)
    else for (const file of files) this.push(file, row, doubtCodeOf(effect))
  }

  private doubtAll(seq: number, effect: DoubtCause): void {
    this.doubtSeq.push(seq)
    this.doubtKind.push(doubtCodeOf(effect))
  }

  /** A file whose folder is not known may be the one that was changed, and the other way round. Returns those that are forgotten. */
  private doubtOthers(file: number, row: number): readonly number[] {
    const path = this.paths[file] ?? ''
    if (isUnplaced(path)) {
      for (const other of this.filesEnding(namesOfRelative(path, null) ?? []))
        if (other !== file) this.push(other, row, doubtCodeOf('write'))
      return []
    }
    const key = this.keys[file] ?? ''
    const same = this.unplaced.filter((other) => keyEnding(namesOfRelative(this.paths[other] ?? '', null) ?? [])(key))
    for (const other of same) this.push(other, row, perhapsCode)
    return same
  }

  private filesEnding(names: readonly string[]): number[] {
    const found: number[] = []
    const ends = keyEnding(names)
    for (const [file, key] of this.keys.entries()) if (ends(key)) found.push(file)
    return found
  }

  /** Files whose path ends with this name, in any folder: the folder may not be the one that we know. */
  private filesNamed(path: string): number[] {
    const name = placePath(path, this.folder).names.at(-1)
    return name === undefined ? [] : this.filesEnding([name])
  }

  /** The number of a file; -1: unknown and not added. */
  private fileOf(base: string | null, path: string, add: boolean): number {
    if (path.length > maxPath || path === '') return -1
    const placed = placePath(path, this.folder, base)
    const key = pathKey(placed)
    const known = this.numbers.get(key)
    if (known !== undefined || !add) return known ?? -1
    if (this.paths.length >= maxFiles || key.includes('\0')) return -1
    this.numbers.set(key, this.paths.length)
    this.keys.push(key)
    this.paths.push(pathText(placed))
    if (isUnplaced(key)) this.unplaced.push(this.paths.length - 1)
    for (let at = key.lastIndexOf('/'); at > 0; at = key.lastIndexOf('/', at - 1)) {
      const folder = key.slice(0, at)
      if (this.folders.has(folder)) break
      this.folders.add(folder)
    }
    return this.paths.length - 1
  }

  /** The number of a file by its path, or by the end of its path if only one ends so; -1: none. */
  numberOf(path: string): number {
    const known = this.numbers.get(pathKey(placePath(path, this.folder)))
    if (known !== undefined) return known
    const names = namesOfRelative(path, this.folder) ?? []
    const [only = -1, ...others] = names.length === 0 ? [] : this.filesEnding(names)
    return others.length === 0 ? only : -1
  }

  /** Whether the step `at` is one of a file, and no doubt. */
  isStepOf(at: number, file: number): boolean {
    return this.file.at(at) === file && changeOf(this.kind.at(at)) !== null
  }

  rowOfStep(at: number): number {
    return this.row.at(at)
  }

  stepAt(at: number): FileStep {
    const [kind, row] = [this.kind.at(at), this.row.at(at)]
    let ordinal = 0
    for (let other = at - 1; other >= 0 && this.row.at(other) === row; other--)
      if (isStated(this.kind.at(other))) ordinal++
    return {
      row,
      what: changeOf(kind) ?? 'named',
      ordinal: kind === perhapsCode ? null : ordinal,
      created: kind === createdCode,
      at
    }
  }

  /** Of a move: the file that it comes from; -1: not known. */
  sourceOf({ at, row, what }: FileStep): number {
    if (what !== 'moved') return -1
    // The next effect of the call is that the source is gone.
    for (let next = at + 1; next < this.row.length && this.row.at(next) === row; next++)
      if (isStated(this.kind.at(next))) return this.file.at(next)
    return -1
  }

  /** Counts of all files up to `seq`, by file; null: no event yet. */
  counts({ rows }: RunIndex, seq: number): readonly (FileCounts | null)[] {
    const all = new Array<{ -readonly [K in keyof FileCounts]: FileCounts[K] } | null>(this.paths.length).fill(null)
    for (let at = 0; at < this.file.length; at++) {
      const kind = this.kind.at(at)
      const of = rows.seqOf(this.row.at(at))
      if (of > seq) break
      if (!isStated(kind)) continue
      const file = this.file.at(at)
      const known = (all[file] ??= {
        ...{ reads: 0, edits: 0, created: false, deleted: false, firstSeq: of, lastSeq: of }
      })
      known.created ||= kind === createdCode
      if (isChange(kind)) known.edits++
      else known.reads++
      known.deleted = isDeletion(kind)
      known.lastSeq = of
    }
    return all
  }

  /** The worst doubt about a file from event `from` up to `to`; null: none. */
  worstDoubt({ rows }: RunIndex, file: number, from: number, to: number): Doubted | null {
    return worstOf(this.doubtsOf({ rows }, file, to), from)
  }

  /** All doubts about a file up to `to`. */
  doubtsOf({ rows }: Pick<RunIndex, 'rows'>, file: number, to: number): readonly Doubted[] {
    const doubts: Doubted[] = []
    for (let at = 0; at < this.doubtSeq.length; at++) {
      const seq = this.doubtSeq.at(at)
      if (seq > to) break
      doubts.push({ seq, effect: doubtOf(this.doubtKind.at(at)) ?? 'unknown' })
    }
    let own = false
    for (let at = 0; at < this.file.length; at++) {
      if (this.file.at(at) !== file) continue
      const effect = doubtOf(this.kind.at(at))
      if (effect === null) continue
      const seq = rows.seqOf(this.row.at(at))
      if (seq > to) break
      doubts.push({ seq, effect })
      own = true
    }
    return own ? doubts.sort((a, b) => a.seq - b.seq) : doubts
  }
}

/** A prompt whose previous event is of an abandoned branch. */
function isAfterRewind({ rows }: RunIndex, row: number): boolean {
  if (rows.kindAt(row) !== promptKind) return false
  for (let at = row - 1; at >= Math.max(0, row - mostBetween); at--)
    if (rows.kindAt(at) !== recordKind) return rows.markAt(at) === abandoned
  return false
}

const noEffects: readonly ResolvedEffect[] = []

/** The worst doubt from event `from` on; of equal ones the first. */
export function worstOf(doubts: readonly Doubted[], from: number): Doubted | null {
  let worst: Doubted | null = null
  for (const doubt of doubts) {
    // What a call did for certain may come before what it may have done.
    if (doubt.seq < from) continue
    if (worst === null || doubtCauses.indexOf(doubt.effect) > doubtCauses.indexOf(worst.effect)) worst = doubt
  }
  return worst
}

import { dropOldest } from '../drop-oldest.ts'
import type { ToolCompleted } from '../events/agent-event.ts'
import type { ReadLine } from '../formats/folded-lines.ts'
import type { FoldedEvent, LogFormat } from '../formats/log-format.ts'
import { parseJson } from '../formats/json-text.ts'
import type { RecordedDiff } from '../formats/record-facts.ts'
import { isFailedCall } from '../index/failed-call.ts'
import { oneLine } from '../index/one-line.ts'
import { recordFacts } from '../index/row-facts.ts'
import type { Badge } from '../index/summary.ts'
import { filesOfCall } from '../index/tool-files.ts'
import { toolSummary } from '../index/tool-summary.ts'
import type { JsonObject } from '../json.ts'
import { pathKey, placePath } from '../paths/log-path.ts'
import { linesOfRecord } from './changed-lines.ts'
import { fileEdits } from './file-edits.ts'
import type { LineCounts } from './line-diff.ts'

/** A file that calls changed. */
export interface ChangedFile {
  calls: number
  added: number
  deleted: number
}

/** A call whose result may state line counts. */
interface OpenCall {
  /** Files as named by the call, and as counted. */
  readonly files: readonly { readonly path: string }[]
  readonly paths: readonly string[]
  /** Counted so far; null if its input states no change. */
  readonly counted: LineCounts | null
  /** It has a result that does not fail. As in `CallCounts`, the first result decides. */
  readonly succeeded: boolean
}

/** Limits of open calls, of paths per call, and of path length. */
const maxOpen = 1000
const maxPaths = 100
const maxPath = 4096

/** The files changed by calls, by recorded diffs, else by inputs. Files above `maxFiles` are counted together. */
export class ChangedFiles {
  /** By the path that names a file first. */
  readonly byPath = new Map<string, ChangedFile>()
  /** Of the session, once it is stated: relative paths begin there. */
  folder: string | null = null
  /** Changes of further files. */
  further = 0
  private readonly maxFiles: number
  /** The first path of each file, by its key. */
  private readonly firstPaths = new Map<string, string>()
  /** By id or index row. */
  private readonly open = new Map<string | number, OpenCall>()

  constructor(maxFiles: number) {
    this.maxFiles = maxFiles
  }

  /** `badges`: of the call's summary. */
  call(id: string | number, input: JsonObject, badges: readonly Badge[] = toolSummary(input).badges): void {
    // `+1,204`
    const lines = (tone: 'add' | 'del'): number =>
      badges.reduce(
        (sum, badge) => sum + (badge.tone === tone ? Number(badge.text.slice(1).replaceAll(',', '')) : 0),
        0
      )
    const asked = { added: lines('add'), deleted: lines('del') }
    // Some list the files without the lines.
    const isChange = asked.added + asked.deleted > 0 || typeof input['changes'] === 'object'
    const paths = filesOfCall(input).map((path) => oneLine(path))
    if (isChange) this.count(paths, 1, asked)
    const files = fileEdits(input)?.map(({ path }) => ({ path })) ?? []
    // A reused id belongs to another call.
    this.open.delete(id)
    if (!isChange && files.length === 0) return
    if (Math.max(files.length, paths.length) > maxPaths) return
    if ([...paths, ...files.map(({ path }) => path)].some((path) => path.length > maxPath)) return
    this.open.set(id, { files, paths, counted: isChange ? asked : null, succeeded: false })
    if (this.open.size > maxOpen) dropOldest(this.open, maxOpen / 2)
  }

  /** Whether the call's result may change the counts. */
  awaits(id: string | number): boolean {
    return (this.open.get(id)?.files.length ?? 0) > 0
  }

  /** A result of the call, with what the agent recorded in it. */
  answered(id: string | number, failed: boolean, diffs: readonly RecordedDiff[]): void {
    const call = this.open.get(id)
    if (call === undefined) return
    const lines = linesOfRecord(call.files, diffs)
    if (lines === null) {
      if (!failed) this.open.set(id, { ...call, succeeded: true })
      else if (!call.succeeded) this.takeBack(id, call)
      return
    }
    this.open.delete(id)
    const { added, deleted } = call.counted ?? { added: 0, deleted: 0 }
    if (call.counted === null && lines.added + lines.deleted === 0) return
    const more = { added: lines.added - added, deleted: lines.deleted - deleted }
    this.count(call.paths, call.counted === null ? 1 : 0, more)
  }

  /** The result of a call. `line`: the line read now, not always that of the result; null: unknown. */
  completed(format: Pick<LogFormat, 'facts'>, event: ToolCompleted, { at }: FoldedEvent, line: ReadLine | null): void {
    const isOwn = line !== null && line.at.offset === at.offset && line.at.file === at.file
    const record = isOwn && this.awaits(event.toolId) ? parseJson(line.text) : null
    const diffs = record?.ok === true ? recordFacts(format, event, record.value).diffs : undefined
    this.answered(event.toolId, isFailedCall(event), diffs ?? [])
  }

  private takeBack(id: string | number, { paths, counted }: OpenCall): void {
    this.open.delete(id)
    if (counted !== null) this.count(paths, -1, { added: -counted.added, deleted: -counted.deleted })
  }

  /** The lines of a call with several files cannot be split between them. */
  private count(paths: readonly string[], calls: number, { added, deleted }: LineCounts): void {
    const isOne = paths.length === 1
    for (const path of paths) this.changed(path, calls, isOne ? added : 0, isOne ? deleted : 0)
  }

  private changed(named: string, calls: number, added: number, deleted: number): void {
    const key = pathKey(placePath(named, this.folder))
    const path = this.firstPaths.get(key) ?? named
    let file = this.byPath.get(path)
    if (file === undefined) {
      if (this.byPath.size >= this.maxFiles || calls < 0) {
        this.further += calls
        return
      }
      this.byPath.set(path, (file = { calls: 0, added: 0, deleted: 0 }))
      this.firstPaths.set(key, path)
    }
    file.calls += calls
    file.added += added
    file.deleted += deleted
    if (file.calls > 0) return
    this.byPath.delete(path)
    this.firstPaths.delete(key)
  }
}

import { oneLine } from '../index/one-line.ts'
import type { Badge } from '../index/row-summary.ts'
import { filesOfCall } from '../index/tool-files.ts'
import { toolSummary } from '../index/tool-summary.ts'
import type { JsonObject } from '../json.ts'

/** A file that calls changed. */
export interface ChangedFile {
  calls: number
  added: number
  deleted: number
}

/** The files that the calls of a run changed, as far as their inputs say so. Of more than `most` the further ones are not told apart. */
export class ChangedFiles {
  readonly byPath = new Map<string, ChangedFile>()
  /** Changes of further files, each time. */
  further = 0
  private readonly most: number

  constructor(most: number) {
    this.most = most
  }

  /** `badges`: of the call's summary. */
  call(input: JsonObject, badges: readonly Badge[] = toolSummary(input).badges): void {
    // `+1,204`
    const lines = (tone: 'add' | 'del'): number =>
      badges.reduce(
        (sum, badge) => sum + (badge.tone === tone ? Number(badge.text.slice(1).replaceAll(',', '')) : 0),
        0
      )
    const added = lines('add')
    const deleted = lines('del')
    // Some say which files they changed, and not how.
    if (added + deleted === 0 && typeof input['changes'] !== 'object') return
    const paths = filesOfCall(input).map((path) => oneLine(path))
    for (const path of paths) this.changed(path, paths.length > 1 ? 0 : added, paths.length > 1 ? 0 : deleted)
  }

  /** Of a call that changes several files it is not known which lines are whose. */
  private changed(path: string, added: number, deleted: number): void {
    let file = this.byPath.get(path)
    if (file === undefined) {
      if (this.byPath.size >= this.most) {
        this.further++
        return
      }
      this.byPath.set(path, (file = { calls: 0, added: 0, deleted: 0 }))
    }
    file.calls++
    file.added += added
    file.deleted += deleted
  }
}

import { toolKind } from '#core/tools/tool-kind.ts'
import { eventSummary } from '#core/index/row-summary.ts'
import { rowKinds } from '#core/index/row-kind.ts'
import { oneLine } from '#core/index/one-line.ts'
import type { QueriedLog } from '#backend/query/queried-log.ts'

/** The fields of an event that `query --fields` prints. */
export const fieldNames = ['seq', 'line', 'at', 'type', 'kind', 'track', 'tool', 'toolKind', 'took', 'target'] as const
export type Field = (typeof fieldNames)[number]

/** Reads fields of events as texts on one line. An unknown value is empty. */
export class FieldValues {
  readonly #log: QueriedLog

  constructor(log: QueriedLog) {
    this.#log = log
  }

  async of(row: number, fields: readonly Field[]): Promise<readonly string[]> {
    const { event } = fields.some((field) => field === 'type' || field === 'target')
      ? await this.#log.read(row)
      : { event: null }
    return fields.map((field) => {
      if (field === 'type') return event?.type ?? ''
      if (field === 'target') return event === null ? '' : oneLine(eventSummary(event).text)
      return this.#column(row, field)
    })
  }

  #column(row: number, field: Exclude<Field, 'type' | 'target'>): string {
    const { rows } = this.#log.index
    switch (field) {
      case 'seq':
        return String(rows.seqOf(row))
      case 'line':
        return String(rows.lineAt(row))
      case 'at': {
        const ms = rows.timeAt(row)
        return Number.isNaN(ms) ? '' : new Date(ms).toISOString()
      }
      case 'kind':
        return rowKinds[rows.kindAt(row)] ?? ''
      case 'track':
        return oneLine(rows.tracks[rows.trackAt(row)]?.trackId ?? 'main')
      case 'tool':
        return oneLine(rows.toolAt(row) ?? '')
      case 'toolKind':
        return toolKind(rows.toolAt(row) ?? '') ?? ''
      // In ms.
      case 'took': {
        const ms = rows.tookAt(row)
        return Number.isNaN(ms) ? '' : String(ms)
      }
    }
  }
}

import { spanFlags, spanKinds } from '#core/analysis/span-list.ts'
import type { LogParts } from '../../stores/log-store.ts'
import { formatClock, formatShortDuration } from '../../ui/format.ts'

/** What a span is and how long it took, for people. */
export interface SpanWords {
  /** "Bash", "Model", "Turn". */
  readonly what: string
  /** The command, the file, the prompt; "" if not loaded yet or there is none. */
  readonly text: string
  readonly length: string
  /** Why the length is what it is: "by the times of its records". */
  readonly source: string
  /** "began 06:04:14"; "" if unknown. */
  readonly began: string
  readonly state: string
}

const names = {
  run: 'Session',
  turn: 'Turn',
  model: 'Model',
  call: 'Call',
  subagent: 'Subagent',
  wait: 'Waiting',
  unknown: 'Unknown'
}

export function spanWords(
  { spans, columns, summaries }: LogParts,
  tools: readonly string[],
  number: number
): SpanWords {
  const kind = spanKinds[spans.kind[number] ?? 0] ?? 'run'
  const flags = spans.flags[number] ?? 0
  const row = spans.first[number] ?? 0
  const [begin, end] = [spans.begin[number] ?? NaN, spans.end[number] ?? NaN]
  const isUnknown = Number.isNaN(begin) || Number.isNaN(end)
  const isStated = (flags & spanFlags.stated) !== 0
  const isOpen = (flags & spanFlags.open) !== 0
  const began = formatClock(begin)
  return {
    what: kind === 'call' ? (tools[(columns.tool[row] ?? 0) - 1] ?? names.call) : names[kind],
    text: kind === 'call' || kind === 'turn' ? (summaries.get(row)?.text ?? '') : '',
    length: isUnknown ? 'length not known' : `${isStated ? '' : '≈ '}${formatShortDuration(end - begin)}`,
    source: isUnknown
      ? ''
      : isStated
        ? 'stated in the log'
        : kind === 'model'
          ? 'derived from the events around it'
          : 'derived from the times of its records',
    began: began === '' ? '' : `began ${began}`,
    state: kind !== 'call' ? '' : (flags & spanFlags.failed) !== 0 ? 'failed' : isOpen ? 'no result' : 'ok'
  }
}

/** "Bash, mise run test, ≈ 4.9 s, derived from the times of its records, began 06:04:14, ok". */
export function spanName({ what, text, length, source, began, state }: SpanWords): string {
  return [what, text, length, source, began, state].filter((part) => part !== '').join(', ')
}

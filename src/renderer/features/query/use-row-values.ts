import { useLog, useLogParts, useStatus } from '../../stores/log-store.ts'
import { useLiveAnswer } from '../../stores/use-live-answer.ts'
import type { CompletionSource } from './completions.ts'
import { countingOf, namingMembers, valuesOf } from './query-values.ts'
import type { CountedRows } from './use-value-counts.ts'

/** The values of the keys of the shown log, with their numbers among the rows `shown`. Null: among all rows. */
export function useRowValues(shown: Uint32Array | null): Pick<CompletionSource, 'valuesOf'> & { counted: CountedRows } {
  const { columns, findings } = useLogParts()
  const found = useLiveAnswer(findings).value?.findings ?? null
  const status = useStatus(...namingMembers)
  const version = useLog((log) => log.version)
  return {
    valuesOf: (key, counts) => valuesOf(key, status, counts),
    counted: {
      start: ({ name }) => countingOf(name, { columns, status, findings: found, shown }),
      of: shown ?? columns,
      version: `${version} ${found?.length}`
    }
  }
}

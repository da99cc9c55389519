import { useEffect, useState } from 'react'
import { messageOf } from '#contract/host-error.ts'
import type { Comparison } from '../../stores/comparison.ts'
import type { LogStore } from '../../stores/log-store.ts'
import { type ComparedStores, useCompare } from '../../stores/use-compare.ts'
import { formatCount } from '../../ui/format.ts'
import { Diff } from '../../content/diff.tsx'
import { useDiffLayout } from '../inspector/diff-layout.ts'
import { firstLimit } from '../inspector/use-row-detail.ts'
import { noStep, type StepText, stepText } from './step-text.ts'
import { resultWords, stepWords } from './compare-words.ts'

/** The steps of a row beside each other: what they did, and their results. */
export function StepDifference({
  comparison,
  stores,
  row
}: {
  comparison: Comparison
  stores: ComparedStores
  row: number
}) {
  const a = useStepText(stores.a, comparison.seqAt('a', row))
  const b = useStepText(stores.b, comparison.seqAt('b', row))
  const [layout] = useDiffLayout()
  const problem = a.problem ?? b.problem
  const result = comparison.resultAt(row)
  if (problem !== null) return <p className="panel-note s-malformed">The step could not be read: {problem}</p>
  if (a.text === null || b.text === null) return <p className="panel-note t3">Reading the steps…</p>
  return (
    <div className="step-difference vstack fill">
      <p className="t2">
        {stepWords[comparison.classAt(row)]}
        {result !== null && <span className="t3"> · {resultWords[result]}</span>}
      </p>
      <Diff path="step" before={a.text.what} after={b.text.what} layout={layout} />
      {(a.text.result ?? b.text.result) !== null && (
        <Diff path="result" before={a.text.result ?? ''} after={b.text.result ?? ''} layout={layout} />
      )}
      {(a.text.isCut || b.text.isCut) && (
        <p className="t3">The end of a long text is left out. Press Enter to open the step in its own log.</p>
      )}
    </div>
  )
}

/** The last answers of both sessions beside each other. */
export function AnswerDifference({ comparison, stores }: { comparison: Comparison; stores: ComparedStores }) {
  const { a: seqA, b: seqB, same } = comparison.answer.lastAnswer
  const { select } = useCompare('select')
  const a = useStepText(stores.a, seqA ?? -1)
  const b = useStepText(stores.b, seqB ?? -1)
  const [layout] = useDiffLayout()
  const problem = a.problem ?? b.problem
  if (seqA === null && seqB === null) return <p className="panel-note t3">Neither session has an answer.</p>
  if (problem !== null) return <p className="panel-note s-malformed">The answer could not be read: {problem}</p>
  if (a.text === null || b.text === null) return <p className="panel-note t3">Reading the answers…</p>
  return (
    <div className="step-difference vstack fill">
      <p className="t2 hstack">
        {same === null
          ? `Only ${seqA === null ? 'B' : 'A'} has an answer.`
          : same
            ? 'The last answers are the same.'
            : 'The last answers differ.'}
        {(['a', 'b'] as const).map((side) => {
          const seq = comparison.answer.lastAnswer[side]
          const row = seq === null ? -1 : comparison.rowOfEvent(side, seq)
          return (
            seq !== null &&
            row >= 0 && (
              <button key={side} type="button" className="link num" onClick={() => select(row)}>
                Event {formatCount(seq)} of {side.toUpperCase()}
              </button>
            )
          )
        })}
      </p>
      <Diff path="answer" before={a.text.what} after={b.text.what} layout={layout} />
      {(a.text.isCut || b.text.isCut) && <p className="t3">The end of a long answer is left out.</p>}
    </div>
  )
}

interface LoadedText {
  readonly text: StepText | null
  readonly problem: string | null
}

/** The texts of an event of a log; of no event they are empty. The former ones stay until they are read. */
function useStepText(store: LogStore, seq: number): LoadedText {
  const [loaded, setLoaded] = useState<LoadedText & { readonly seq: number }>({ text: null, problem: null, seq: -1 })
  useEffect(() => {
    if (seq < 0) return
    let wanted = true
    const { host, id, columns, loading } = store.parts
    loading.whenLoaded(() => {
      const row = columns.rowOfSeq[seq]
      if (!wanted || row === undefined) return
      host.call('log.event', { log: id, row, limit: firstLimit }).then(
        (detail) => wanted && setLoaded({ text: stepText(detail), problem: null, seq }),
        (error: unknown) => wanted && setLoaded({ text: null, problem: messageOf(error), seq })
      )
    })
    return () => {
      wanted = false
    }
  }, [store, seq])
  return seq < 0 ? { text: noStep, problem: null } : loaded
}

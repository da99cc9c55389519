import type { ComparedTotals, LogComparison } from '#contract/compare.ts'
import { Comparison } from '#renderer/stores/comparison.ts'

const totals: ComparedTotals = {
  ...{ wallMs: null, activeMs: null, turns: 1, calls: 1, failedCalls: 0, inputTokens: null, outputTokens: null },
  ...{ outputAtLeast: false, costUsd: null, spent: [], todosDone: null, todosTotal: null, filesChanged: 0, model: null }
}

/** Rows by sign: `=` same, `≠` changed, `A`, `B`; `|` begins a section. Events count up on each side. */
export function comparisonOf(text: string): Comparison {
  const sections = text.split('|')
  const signs = [...sections.join('')]
  let [a, b] = [0, 0]
  const classes = signs.map((sign) => ({ '=': 0, '≠': 1, A: 2, B: 3 })[sign] ?? 0)
  const answer: LogComparison = {
    sections: sections.map((rows, at) => ({ a: { trackId: at === 0 ? null : `t${at}` }, b: null, rows: rows.length })),
    seqA: Int32Array.from(signs, (sign) => (sign === 'B' ? -1 : a++)).buffer,
    seqB: Int32Array.from(signs, (sign) => (sign === 'A' ? -1 : b++)).buffer,
    class: Uint8Array.from(classes).buffer,
    result: new Uint8Array(signs.length).buffer,
    other: new Int32Array(signs.length).fill(-1).buffer,
    differs: Uint8Array.from(signs, (sign) => Number(sign !== '=')).buffer,
    counts: { same: 0, changed: 0, 'only-a': 0, 'only-b': 0, moved: 0 },
    ...{ a: totals, b: totals, files: [], moreFiles: 0, todos: [], notes: [] },
    lastAnswer: { a: null, b: null, same: null }
  }
  return new Comparison(answer)
}

import { lastNames } from '#core/paths/path-names.ts'
import './compare.css'
import { useEffect, useState } from 'react'
import { comparedFigures } from '#core/compare/compared-figures.ts'
import type { Comparison, Side } from '../../stores/comparison.ts'
import { useApp } from '../../stores/app-store.ts'
import { useLog, useLogParts, type LogStore } from '../../stores/log-store.ts'
import { type ComparedStores, useCompare, useComparedStores } from '../../stores/use-compare.ts'
import { IconButton, keepFocus } from '../../ui/button.tsx'
import { displayText } from '../../ui/display-text.ts'
import { formatBytes, formatCount } from '../../ui/format.ts'
import { Splitter } from '../../ui/splitter.tsx'
import { type Tab, Tabs } from '../../ui/tabs.tsx'
import { useLogTitle } from '../library/log-title.ts'
import { ViewBar } from '../views/view-bar.tsx'
import { ComparedFiles, filesText } from './compared-files.tsx'
import { ComparedRows } from './compared-rows.tsx'
import { ComparedTodos } from './compared-todos.tsx'
import { SideMark } from './side-mark.tsx'
import { AnswerDifference, StepDifference } from './step-difference.tsx'
import { usePrices } from '../../stores/use-prices.ts'

/** The shown log beside another one: totals, aligned steps, and what differs at the row of the playhead. */
export function CompareView() {
  const { comparison, progress, error, again } = useCompare('comparison', 'progress', 'error', 'again')
  const stores = useComparedStores()
  useFollowing()
  if (stores === null)
    return <p className="panel-note t3">The other session was closed. Choose “Compare with…” to compare again.</p>
  return (
    <section className="compare vstack fill" role="region" aria-label="Compare">
      <ComparedHeads stores={stores} comparison={comparison} />
      {error !== null && (
        <p className="panel-note s-malformed" role="alert">
          The sessions could not be compared: {error}{' '}
          <button type="button" className="btn edged" onClick={again}>
            Try again
          </button>
        </p>
      )}
      {progress !== null && comparison === null && (
        <p className="panel-note t3" role="status">
          Comparing… {progress.all > 0 && `${formatBytes(progress.read)} of ${formatBytes(progress.all)} read`}
        </p>
      )}
      {comparison !== null && <Compared comparison={comparison} stores={stores} />}
    </section>
  )
}

function Compared({ comparison, stores }: { comparison: Comparison; stores: ComparedStores }) {
  const { row, foldsEqual, step, setFoldsEqual } = useCompare('row', 'foldsEqual', 'step', 'setFoldsEqual')
  const [tab, setTab] = useState<PanelTab>('difference')
  const [overRows, setOverRows] = useState(false)
  const { counts, notes } = comparison.answer
  const words = [
    `same ${formatCount(counts.same)}`,
    `changed ${formatCount(counts.changed)}`,
    `only A ${formatCount(counts['only-a'])}`,
    `only B ${formatCount(counts['only-b'])}`,
    `moved ${formatCount(counts.moved / 2)}`
  ]
  return (
    <>
      <ViewBar>
        <span className="t3 caption num compare-counts cut" title="Steps of both sessions, by class">
          {words.join(' · ')}
        </span>
        <IconButton small icon="up" label="Previous difference" onClick={() => step(-1)} />
        <IconButton small icon="down" label="Next difference" onClick={() => step(1)} />
        <button
          type="button"
          className="btn small"
          aria-pressed={foldsEqual}
          onMouseDown={keepFocus}
          onClick={() => setFoldsEqual(!foldsEqual)}
        >
          Fold equal
        </button>
      </ViewBar>
      <Totals comparison={comparison} onShow={setTab} />
      {notes.map((note) => (
        <p key={note} className="panel-note s-violation">
          {displayText(note)}
        </p>
      ))}
      {comparison.differences === 0 && (
        <p className="panel-note t3" role="status">
          {comparison.rows === 0 ? 'Neither log has a step to compare.' : 'Both sessions took the same path.'}
        </p>
      )}
      <ComparedRows comparison={comparison} stores={stores} />
      <div className="compare-panel vstack rigid">
        <Splitter panel="compare" edge="top" label="Height of the difference" />
        <Tabs
          label="Of both sessions"
          tabs={panelTabs}
          selected={tab}
          onSelect={setTab}
          bar={tab === 'todos' && <LaneAxis overRows={overRows} onChange={setOverRows} />}
        >
          {tab === 'difference' ? (
            <StepDifference comparison={comparison} stores={stores} row={row} />
          ) : tab === 'answers' ? (
            <AnswerDifference comparison={comparison} stores={stores} />
          ) : tab === 'files' ? (
            <ComparedFiles comparison={comparison} />
          ) : (
            <ComparedTodos comparison={comparison} stores={stores} overRows={overRows} />
          )}
        </Tabs>
      </div>
    </>
  )
}

type PanelTab = 'difference' | 'answers' | 'files' | 'todos'

const panelTabs: readonly Tab<PanelTab>[] = [
  { id: 'difference', label: 'Difference' },
  { id: 'answers', label: 'Last answers' },
  { id: 'files', label: 'Files changed' },
  { id: 'todos', label: 'Todos of both' }
]

/** Whether the lanes of both sessions are on their own clocks or on the aligned rows. */
function LaneAxis({ overRows, onChange }: { overRows: boolean; onChange: (overRows: boolean) => void }) {
  return (
    <span className="segments compare-axis" role="group" aria-label="Axis of the todos">
      <button type="button" aria-pressed={!overRows} onMouseDown={keepFocus} onClick={() => onChange(false)}>
        Own clock
      </button>
      <button type="button" aria-pressed={overRows} onMouseDown={keepFocus} onClick={() => onChange(true)}>
        Rows
      </button>
    </span>
  )
}

/** The playheads of both logs stay together, however one of them is moved. */
function useFollowing(): void {
  const { id } = useLogParts()
  const seq = useLog((log) => log.seq)
  const { logs, follow } = useCompare('logs', 'follow')
  const side = logs?.a === id ? 'a' : logs?.b === id ? 'b' : null
  useEffect(() => {
    if (side !== null) follow(side, seq)
  }, [follow, side, seq])
}

function ComparedHeads({ stores, comparison }: { stores: ComparedStores; comparison: Comparison | null }) {
  const { swap, end } = useCompare('swap', 'end')
  const activate = useApp((app) => app.activate)
  return (
    <div className="compare-heads rigid">
      <ComparedHead side="a" store={stores.a} onShow={() => activate(stores.a.parts.id)} />
      <span className="hstack">
        <IconButton icon="swap" label="Swap A and B" disabled={comparison === null} onClick={swap} />
        <IconButton icon="close" label="Stop comparing" onClick={end} />
      </span>
      <ComparedHead side="b" store={stores.b} onShow={() => activate(stores.b.parts.id)} />
    </div>
  )
}

/** The name of a session. A click shows its inspector and todo list beside the comparison. */
function ComparedHead({ side, store, onShow }: { side: Side; store: LogStore; onShow: () => void }) {
  const { id } = useLogParts()
  const { path, formatTitle, model } = store.getState().status
  const title = useLogTitle(path) ?? shortPath(path)
  return (
    <button
      type="button"
      className="compare-head hstack"
      aria-pressed={id === store.parts.id}
      title={`Show the details of ${side.toUpperCase()}: ${path}`}
      onMouseDown={keepFocus}
      onClick={onShow}
    >
      <SideMark side={side} />
      <span className="vstack grow">
        <span className="medium cut" dir="auto">
          {displayText(title)}
        </span>
        <span className="t3 caption cut">
          {[side === 'a' ? 'baseline' : '', formatTitle, model ?? ''].filter((text) => text !== '').join(' · ')}
        </span>
      </span>
    </button>
  )
}

/** The name of a file with its folder: many logs have the same name. */
function shortPath(path: string): string {
  return lastNames(path, 2)
}

function Totals({ comparison, onShow }: { comparison: Comparison; onShow: (tab: PanelTab) => void }) {
  const { a, b, lastAnswer } = comparison.answer
  const figures = comparedFigures(usePrices().table)
  const rows = [
    { name: 'A', cells: figures.map(({ text }) => text(a)) },
    { name: 'B', cells: figures.map(({ text }) => text(b)) },
    { name: 'B against A', cells: figures.map(({ change }) => change(a, b)) }
  ]
  const { same } = lastAnswer
  return (
    <div className="compare-totals rigid" role="region" aria-label="Totals" tabIndex={0}>
      <table>
        <caption className="unseen">Totals of both sessions</caption>
        <thead>
          <tr>
            <th scope="col">
              <span className="unseen">Session</span>
            </th>
            {figures.map(({ name }) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, cells }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {cells.map((cell, index) => (
                <td key={figures[index]?.name} className="num">
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p className="t3 caption compare-files">
        <button type="button" className="link" onMouseDown={keepFocus} onClick={() => onShow('files')}>
          Files changed
        </button>
        : {filesText(comparison.answer)}.{' '}
        {same !== null && (
          <button type="button" className="link" onMouseDown={keepFocus} onClick={() => onShow('answers')}>
            {same ? 'The last answers are the same.' : 'The last answers differ.'}
          </button>
        )}
      </p>
    </div>
  )
}

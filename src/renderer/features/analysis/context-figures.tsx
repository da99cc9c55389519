import { type KeyboardEvent, useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import type { Compaction, ContextRequest } from '#contract/analysis.ts'
import { countText } from '#core/measure-text.ts'
import { costWords } from '#core/requests/cost-words.ts'
import { termText } from '#core/query/query-choices.ts'
import { hasHitIn } from '../../stores/find-hits.ts'
import type { LiveAnswer } from '../../stores/live-answer.ts'
import { useLog, useLogParts } from '../../stores/log-store.ts'
import { formatBytes, formatClock, formatCount, formatPercent, formatPlural } from '../../ui/format.ts'
import { Icon, rowLook } from '../../ui/icons.tsx'
import { costSource, Sourced } from '../../ui/provenance.tsx'
import { canvasFont, useCanvas } from '../../ui/use-canvas.ts'
import { useSize } from '../../ui/use-size.ts'
import { Failed } from '../inspector/failed.tsx'
import { Loading } from '../inspector/loading.tsx'
import { Unknown } from '../summary/figures.tsx'
import { useShowRows } from '../summary/show-rows.ts'
import type { AnalysisScope } from './analysis-range.ts'
import type { ContextAnswer } from './context-answer.ts'
import { type ContextMarks, contextMarks, type RequestMarks } from './context-marks.ts'
import { contextBars, contextColors, contextSize, drawContext, requestAtX, windowOf } from './draw-context.ts'

/** In px. */
const chartHeight = 164

/** Whose requests the context is about: those of the track at the playhead, or of all. */
export function ContextChoice({ context: { value }, allTracks, onAllTracks }: ContextChoiceProps) {
  const tracks = useLog((log) => log.status.tracks.length)
  const track = useLog((log) => log.columns.track[log.row] ?? 0)
  const window = windowOf(value?.requests ?? [])
  return (
    <div className="view-bar figures-choice hstack">
      {value !== null && (
        <span className="t3 caption">
          {window === null ? (
            'Window not stated'
          ) : (
            <>
              Window{' '}
              <Sourced source="stated" why="The largest window that the log states.">
                {countText(window)}
              </Sourced>
            </>
          )}
        </span>
      )}
      <span className="segments" role="group" aria-label="Tracks">
        <button type="button" aria-pressed={!allTracks} onClick={() => onAllTracks(false)}>
          {track === 0 ? 'main' : 'this subagent'}
        </button>
        <button type="button" aria-pressed={allTracks} disabled={tracks < 2} onClick={() => onAllTracks(true)}>
          all tracks
        </button>
      </span>
    </div>
  )
}

interface ContextChoiceProps {
  readonly context: LiveAnswer<ContextAnswer>
  readonly allTracks: boolean
  readonly onAllTracks: (all: boolean) => void
}

/** What filled the context: a bar for each request, and what came in since the one before. */
export function ContextFigures({ scope, context, allTracks }: ContextFiguresProps) {
  const parts = useLogParts()
  const { row: here, version, filter } = useLog('row', 'version', 'filter')
  const track = parts.columns.track[here] ?? 0
  const tracks = useLog((log) => log.status.tracks)
  const { value, error } = context
  const shown = useMemo(() => {
    if (value === null) return null
    const ofTrack = <T extends { readonly track: number }>(all: readonly T[]) =>
      allTracks ? all : all.filter((each) => each.track === track)
    // What a turn end states beyond its requests is in no single context.
    const requests = ofTrack(value.requests).filter(({ of }) => of !== 'rest')
    return { requests, compactions: ofTrack(value.compactions), marks: contextMarks(requests, parts, tracks, version) }
  }, [value, allTracks, track, parts, tracks, version])
  const hits = scope.find === null ? null : filter.search.hits
  const meeting = useMemo(() => meetingRequests(shown?.requests ?? [], hits), [shown, hits])
  // A moved playhead chooses the request around it.
  const [picked, setPicked] = useState({ number: -1, here })
  if (error !== null) return <Failed what="The context" message={error} onRetry={context.retry} />
  if (value === null || shown === null || (value.total === 0 && !value.isWhole)) return <Loading />
  const { requests, compactions, marks } = shown
  const atPlayhead = requests.findLastIndex(({ rowFirst }) => rowFirst <= here)
  const byNumber = requests.findIndex(({ request }) => picked.here === here && request === picked.number)
  const chosen = byNumber >= 0 ? byNumber : Math.max(0, atPlayhead)
  if (requests.length === 0) {
    return (
      <p className="panel-note t3">
        {scope.events === null
          ? 'The log states no tokens of requests.'
          : 'The log states no tokens of requests in this range. Press Esc to widen it.'}
      </p>
    )
  }
  return (
    <div className="context-scroll fill">
      <ContextChart
        {...{ requests, compactions, marks, meeting, chosen }}
        onChoose={(at) => setPicked({ number: requests[at]?.request ?? -1, here })}
      />
      <ContextKey requests={requests} marks={marks} />
      {value.total > value.requests.length && (
        <p className="context-note caption t3">
          <Sourced source="counted">
            The first {formatCount(value.requests.length)} of {formatPlural(value.total, 'request')}.
          </Sourced>
        </p>
      )}
      {meeting !== null && (
        <p className="context-note caption t3">
          <Sourced source="counted">
            {formatCount(meeting.size)} of {formatPlural(requests.length, 'request')}
          </Sourced>{' '}
          with an event of the query. The others are outlines.
        </p>
      )}
      <Compactions compactions={compactions} />
      <Request requests={requests} at={chosen} marks={marks.get(chosen)} />
    </div>
  )
}

interface ContextFiguresProps {
  readonly scope: AnalysisScope
  readonly context: LiveAnswer<ContextAnswer>
  readonly allTracks: boolean
}

/** The requests with one of these rows, by index; null hits: all, as there is no query. */
function meetingRequests(requests: readonly ContextRequest[], hits: Uint32Array | null): ReadonlySet<number> | null {
  if (hits === null) return null
  const meeting = new Set<number>()
  for (const [at, { rowFirst, rowLast }] of requests.entries()) {
    if (hasHitIn(hits, rowFirst, rowLast + 1)) meeting.add(at)
  }
  return meeting
}

function ContextChart({
  requests,
  compactions,
  marks,
  meeting,
  chosen,
  onChoose
}: {
  requests: readonly ContextRequest[]
  compactions: readonly Compaction[]
  marks: ContextMarks
  meeting: ReadonlySet<number> | null
  chosen: number
  onChoose: (at: number) => void
}) {
  const [strip, setStrip] = useState<HTMLDivElement | null>(null)
  const { width } = useSize(strip)
  const bars = useMemo(() => contextBars(requests, width), [requests, width])
  const canvas = useCanvas(
    { width, height: chartHeight },
    useCallback(
      (context, element) => {
        const isQuiet = (at: number) => meeting !== null && !meeting.has(at)
        const scene = { requests, bars, compactions, marks, isQuiet, chosen, width, height: chartHeight }
        drawContext(context, scene, contextColors(element), canvasFont(element))
      },
      [requests, bars, compactions, marks, meeting, chosen, width]
    )
  )
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const last = requests.length - 1
    const to = { ArrowRight: chosen + 1, ArrowLeft: chosen - 1, Home: 0, End: last }[event.key]
    if (to === undefined) return
    onChoose(Math.max(0, Math.min(last, to)))
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div
      ref={setStrip}
      className="context-chart"
      role="slider"
      tabIndex={0}
      aria-label="Request"
      aria-valuemin={1}
      aria-valuemax={requests.length}
      aria-valuenow={chosen + 1}
      aria-valuetext={`Request ${chosen + 1} of ${requests.length}, ${requestWords(requests[chosen], marks.get(chosen))}`}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        const at = requestAtX(bars, event.clientX - event.currentTarget.getBoundingClientRect().left)
        if (at >= 0) onChoose(at)
      }}
    >
      <canvas ref={canvas} aria-hidden="true" />
    </div>
  )
}

const parts = [
  { part: 'cacheRead', className: 'ctx-read', name: 'Read from cache' },
  { part: 'cacheWrite', className: 'ctx-write', name: 'Written to cache' },
  { part: 'input', className: 'ctx-fresh', name: 'Not cached' },
  { part: 'output', className: 'ctx-out', name: 'Output' }
] as const

function requestWords(request: ContextRequest | undefined, marks: RequestMarks | undefined): string {
  if (request === undefined) return ''
  const stated = parts.flatMap(({ part, name }) => {
    const tokens = request[part]
    if (tokens === null) return []
    const isLess = part === 'output' && request.outputIs !== 'stated'
    return `${name.toLowerCase()} ${isLess ? 'at least ' : ''}${countText(tokens)}`
  })
  const { lost = false, subagents = [], todos = [] } = marks ?? {}
  const happened = [
    ...(lost ? ['cache lost'] : []),
    ...(subagents.length > 0 ? [formatPlural(subagents.length, 'subagent')] : []),
    ...(todos.length > 0 ? [formatPlural(todos.length, 'todo change')] : [])
  ]
  return [`${countText(contextSize(request))} tokens`, ...stated, ...happened].join(', ')
}

function ContextKey({ requests, marks }: { requests: readonly ContextRequest[]; marks: ContextMarks }) {
  const isLess = requests.some(({ outputIs }) => outputIs !== 'stated')
  return (
    <p className="context-key caption t2">
      {parts.map(({ part, className, name }) => (
        <span key={part}>
          <i className={className} aria-hidden="true" /> {name}
        </span>
      ))}
      {isLess && (
        <span title="The log states too little output, or none, for these requests.">
          <i className="ctx-open" aria-hidden="true" /> understated
        </span>
      )}
      {[...marks.values()].some(({ subagents }) => subagents.length > 0) && (
        <span>
          <i className="ctx-subagent" aria-hidden="true" /> Subagent
        </span>
      )}
      {[...marks.values()].some(({ todos }) => todos.length > 0) && (
        <span>
          <i className="ctx-todo" aria-hidden="true" /> Todo change
        </span>
      )}
    </p>
  )
}

function Compactions({ compactions }: { compactions: readonly Compaction[] }) {
  const { columns, loading, playhead } = useLogParts()
  if (compactions.length === 0) return null
  return (
    <ul className="context-compactions caption" aria-label="Compactions">
      {compactions.map(({ row, before, beforeIs, after, afterIs }) => (
        <li key={row} className="hstack">
          <Icon name="narrow" size={12} />
          <button type="button" className="link num" onClick={() => loading.whenLoaded(() => playhead.select(row))}>
            Compacted {formatClock(columns.time[row] ?? NaN)}
          </button>
          <span className="num">
            <Tokens
              tokens={before}
              source={beforeIs === 'stated' ? 'stated' : 'derived'}
              why="What the request before sent."
            />
            {' → '}
            <Tokens
              tokens={after}
              source={afterIs === 'stated' ? 'stated' : 'derived'}
              why="What the next request sent."
            />
          </span>
        </li>
      ))}
    </ul>
  )
}

function Tokens({ tokens, source, why }: { tokens: number | null; source: 'stated' | 'derived'; why: string }) {
  if (tokens === null) return <Unknown why="The log does not state it." />
  return source === 'stated' ? (
    <Sourced source="stated">{countText(tokens)}</Sourced>
  ) : (
    <Sourced source="derived" why={why}>
      {countText(tokens)}
    </Sourced>
  )
}

/** One request, and what came into the context since the one before on its track. */
function Request({ requests, at, marks }: RequestProps) {
  const { columns, loading, playhead } = useLogParts()
  const tracks = useLog((log) => log.status.tracks)
  const show = useShowRows()
  const goTo = (row: number) => loading.whenLoaded(() => playhead.select(row))
  const request = requests[at]
  if (request === undefined) return null
  const before = requests.findLast((each, index) => index < at && each.track === request.track)
  const total = request.added.reduce((sum, { bytes }) => sum + bytes, 0)
  const from = before === undefined ? 0 : columns.seqAtOrBefore(before.rowLast) + 1
  const to = Math.max(from, columns.seqAtOrBefore(request.rowFirst))
  return (
    <>
      <p className="context-request hstack caption">
        <button type="button" className="link" onClick={() => goTo(request.rowFirst)}>
          Request {formatCount(at + 1)}
        </button>
        {request.of === 'turn' && <span className="t3">All requests of a turn, as the log states only these.</span>}
        {parts.map(({ part, name }) => (
          <span key={part} className="hstack">
            <span className="t3">{name}</span>
            <span className="num">
              <RequestTokens request={request} part={part} />
            </span>
          </span>
        ))}
        <span className="hstack">
          <span className="t3">Cost</span>
          <span className="num">
            <RequestCost answer={request.cost} />
          </span>
        </span>
        {marks?.lost === true && (
          <span className="s-violation">
            <Sourced source="derived" why={lostWhy}>
              cache lost
            </Sourced>
          </span>
        )}
        {marks?.subagents.map((row) => (
          <button key={row} type="button" className="link cut" onClick={() => goTo(row)}>
            Subagent {tracks.find(({ call }) => call === row)?.label}
          </button>
        ))}
        {marks?.todos.map((row) => (
          <button key={row} type="button" className="link" onClick={() => goTo(row)}>
            Todo change
          </button>
        ))}
      </p>
      {request.added.length === 0 ? (
        <p className="panel-note t3">No result came in since the request before.</p>
      ) : (
        <table className="context-added" aria-label="Added since the request before">
          <thead>
            <tr>
              <th scope="col">Results since the request before</th>
              <th scope="col">Results</th>
              <th scope="col">Size</th>
              <th scope="col">Of these</th>
              <th scope="col">Longest</th>
            </tr>
          </thead>
          <tbody>
            {request.added.map(({ tool, results, bytes, row }) => {
              const look = rowLook('tool', tool)
              return (
                <tr key={tool}>
                  <td>
                    <span className="hstack">
                      <Icon name={look.icon} tone={look.tone} />
                      <span className="cut">{tool}</span>
                    </span>
                  </td>
                  <td>
                    <button
                      type="button"
                      className="link num"
                      title={`Show the calls and results of ${tool}`}
                      onClick={() => show.only(`${termText('tool', tool)} seq:${from}..${to}`)}
                    >
                      <Sourced source="counted">{formatCount(results)}</Sourced>
                    </button>
                  </td>
                  <td>
                    <Sourced source="derived" why="Bytes of the lines with the results, not tokens.">
                      {formatBytes(bytes)}
                    </Sourced>
                  </td>
                  <td>
                    <Sourced source="derived" why="By the bytes of the lines.">
                      {formatPercent(bytes / Math.max(1, total))}
                    </Sourced>
                  </td>
                  <td>
                    <ResultLink row={row} onGo={goTo} />
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      )}
    </>
  )
}

function RequestCost({ answer }: { answer: ContextRequest['cost'] }) {
  const { text, because } = costWords(answer)
  if (answer.cost === null) return <Unknown why={because} />
  return (
    <Sourced source={costSource(answer.cost)} why={because} signed>
      {text}
    </Sourced>
  )
}

interface RequestProps {
  readonly requests: readonly ContextRequest[]
  readonly at: number
  readonly marks: RequestMarks | undefined
}

const lostWhy =
  'It read less than half of the cached tokens of the request before, and wrote most of them again. This says nothing about the cause.'

/** "event 290 Review spec compliance": what the call of a result was. */
function ResultLink({ row, onGo }: { row: number; onGo: (row: number) => void }) {
  const { columns, summaries } = useLogParts()
  useSyncExternalStore(summaries.changes.subscribe, summaries.changes.getVersion)
  const call = columns.callOf(row)
  useEffect(() => {
    const owner = `context ${row}`
    summaries.request(owner, call < 0 ? [] : [call])
    return () => summaries.request(owner, [])
  }, [summaries, row, call])
  return (
    <span className="hstack">
      <button type="button" className="link num" onClick={() => onGo(row)}>
        event {formatCount(columns.seqAtOrBefore(row) + 1)}
      </button>
      <span className="cut">{summaries.get(call)?.text}</span>
    </span>
  )
}

function RequestTokens({ request, part }: { request: ContextRequest; part: (typeof parts)[number]['part'] }) {
  const tokens = request[part]
  if (part !== 'output' || request.outputIs === 'stated') {
    return tokens === null ? (
      <Unknown why="The log does not state it." />
    ) : (
      <Sourced source="stated">{countText(tokens)}</Sourced>
    )
  }
  const byText = request.outputByText === null ? '' : ` About ${countText(request.outputByText)} by its text.`
  return tokens === null ? (
    <Unknown why={`The log does not state it.${byText}`} />
  ) : (
    <Sourced source="understated" why={`The log states too little output.${byText}`}>
      {countText(tokens)}
    </Sourced>
  )
}

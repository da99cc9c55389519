import { type KeyboardEvent, useCallback, useMemo, useState } from 'react'
import type { Compaction, ContextRequest, Range } from '#contract/analysis.ts'
import type { Host } from '#contract/methods.ts'
import { costText, countText } from '#core/measure-text.ts'
import { costWords } from '#core/requests/cost.ts'
import type { PriceTable } from '#core/requests/prices.ts'
import { termText } from '#core/query/query-choices.ts'
import { LiveAnswer } from '../../stores/live-answer.ts'
import { useLog, useLogParts } from '../../stores/log-store.ts'
import { usePrices } from '../../stores/use-prices.ts'
import { useLiveAnswer } from '../../stores/use-live-answer.ts'
import { formatBytes, formatClock, formatCount, formatPercent, formatPlural } from '../../ui/format.ts'
import { Icon, rowLook } from '../../ui/icons.tsx'
import { Sourced } from '../../ui/provenance.tsx'
import { canvasFont, useCanvas } from '../../ui/use-canvas.ts'
import { useSize } from '../../ui/use-size.ts'
import { Failed } from '../inspector/failed.tsx'
import { Loading } from '../inspector/loading.tsx'
import { Unknown } from '../summary/figures.tsx'
import { useShowRows } from '../summary/show-rows.ts'
import type { AnalysisScope } from './analysis-range.ts'
import { contextBars, contextColors, contextSize, drawContext, requestAtX, windowOf } from './draw-context.ts'

const pageRequests = 1000
/** Further requests are not loaded, and the page says so. */
const maxRequests = 20_000
const chartHeight = 140

interface ContextAnswer {
  readonly requests: readonly ContextRequest[]
  readonly compactions: readonly Compaction[]
  readonly total: number
}

/** What filled the context: a bar for each request, and what came in since the one before. */
export function ContextFigures({ scope }: { scope: AnalysisScope }) {
  const { host, id } = useLogParts()
  const { rows } = scope
  const prices = usePrices().table
  const [allTracks, setAllTracks] = useState(false)
  const here = useLog((log) => log.row)
  const tracks = useLog((log) => log.status.tracks.length)
  const track = useLog((log) => log.columns.track[log.row] ?? 0)
  const answer = useLiveAnswer(
    useMemo(
      () =>
        new LiveAnswer(
          () => contextOf(host, id, rows, prices),
          () => true
        ),
      [host, id, rows, prices]
    )
  )
  const { value, error } = answer
  const shown = useMemo(() => {
    const ofTrack = <T extends { readonly track: number }>(all: readonly T[]) =>
      allTracks ? all : all.filter((each) => each.track === track)
    return value === null ? null : { requests: ofTrack(value.requests), compactions: ofTrack(value.compactions) }
  }, [value, allTracks, track])
  // A moved playhead chooses the request around it.
  const [picked, setPicked] = useState({ number: -1, here })
  if (error !== null) return <Failed what="The context" message={error} onRetry={answer.retry} />
  if (value === null || shown === null) return <Loading />
  const { requests, compactions } = shown
  const atPlayhead = requests.findLastIndex(({ rowFirst }) => rowFirst <= here)
  const byNumber = requests.findIndex(({ request }) => picked.here === here && request === picked.number)
  const chosen = byNumber >= 0 ? byNumber : Math.max(0, atPlayhead)
  const window = windowOf(requests)
  return (
    <div className="context-figures vstack fill">
      <div className="figures-bar hstack rigid">
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
          {value.total > value.requests.length && (
            <>
              {' '}
              <Sourced source="counted">
                The first {formatCount(value.requests.length)} of {formatPlural(value.total, 'request')}.
              </Sourced>
            </>
          )}
        </span>
        <span className="grow" />
        <ContextKey requests={requests} />
        <span className="segments" role="group" aria-label="Tracks">
          <button type="button" aria-pressed={!allTracks} onClick={() => setAllTracks(false)}>
            {track === 0 ? 'main' : 'this subagent'}
          </button>
          <button type="button" aria-pressed={allTracks} disabled={tracks < 2} onClick={() => setAllTracks(true)}>
            all tracks
          </button>
        </span>
      </div>
      {requests.length === 0 ? (
        <p className="panel-note t3">
          {scope.events === null
            ? 'The log states no tokens of requests.'
            : 'The log states no tokens of requests in this range. Press Esc to widen it.'}
        </p>
      ) : (
        <div className="context-scroll fill">
          <ContextChart
            {...{ requests, compactions, chosen }}
            onChoose={(at) => setPicked({ number: requests[at]?.request ?? -1, here })}
          />
          <Compactions compactions={compactions} />
          <Request requests={requests} at={chosen} />
        </div>
      )}
    </div>
  )
}

/** All requests of a range, up to a bound. */
async function contextOf(
  host: Host,
  log: string,
  range: Range | null,
  prices: PriceTable | null
): Promise<ContextAnswer> {
  const requests: ContextRequest[] = []
  for (;;) {
    const page = await host.call('log.context', { log, range, prices, from: requests.length, count: pageRequests })
    requests.push(...page.requests)
    const { total, compactions } = page
    if (page.requests.length === 0 || requests.length >= Math.min(total, maxRequests))
      return { requests, compactions, total }
  }
}

function ContextChart({
  requests,
  compactions,
  chosen,
  onChoose
}: {
  requests: readonly ContextRequest[]
  compactions: readonly Compaction[]
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
        const scene = { requests, bars, compactions, chosen, width, height: chartHeight }
        drawContext(context, scene, contextColors(element), canvasFont(element))
      },
      [requests, bars, compactions, chosen, width]
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
      aria-valuetext={`Request ${chosen + 1} of ${requests.length}, ${requestWords(requests[chosen])}`}
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

function requestWords(request: ContextRequest | undefined): string {
  if (request === undefined) return ''
  const stated = parts.flatMap(({ part, name }) => {
    const tokens = request[part]
    if (tokens === null) return []
    const isLess = part === 'output' && request.outputIs !== 'stated'
    return `${name.toLowerCase()} ${isLess ? 'at least ' : ''}${countText(tokens)}`
  })
  return [`${countText(contextSize(request))} tokens`, ...stated].join(', ')
}

function ContextKey({ requests }: { requests: readonly ContextRequest[] }) {
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
    </p>
  )
}

function Compactions({ compactions }: { compactions: readonly Compaction[] }) {
  const { columns, loading, playhead } = useLogParts()
  if (compactions.length === 0) return null
  return (
    <ul className="context-compactions caption" aria-label="Compactions">
      {compactions.map(({ row, before, beforeIs, after }) => (
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
            <Tokens tokens={after} source="derived" why="What the next request sent." />
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
function Request({ requests, at }: { requests: readonly ContextRequest[]; at: number }) {
  const { columns, loading, playhead } = useLogParts()
  const show = useShowRows()
  const request = requests[at]
  if (request === undefined) return null
  const before = requests.findLast((each, index) => index < at && each.track === request.track)
  const total = request.added.reduce((sum, { bytes }) => sum + bytes, 0)
  const from = before === undefined ? 0 : columns.seqAtOrBefore(before.rowLast) + 1
  const to = Math.max(from, columns.seqAtOrBefore(request.rowFirst))
  return (
    <>
      <p className="context-request hstack caption">
        <button
          type="button"
          className="link"
          onClick={() => loading.whenLoaded(() => playhead.select(request.rowFirst))}
        >
          Request {formatCount(at + 1)}
        </button>
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
            </tr>
          </thead>
          <tbody>
            {request.added.map(({ tool, results, bytes }) => {
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
  const { because } = costWords(answer)
  if (answer.cost === null) return <Unknown why={because} />
  return (
    <Sourced source={answer.cost.from === 'stated' ? 'stated' : 'estimated'} why={because}>
      {costText(answer.cost.usd)}
    </Sourced>
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

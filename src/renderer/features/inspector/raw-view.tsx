import { useMemo, useState } from 'react'
import type { RowIssue } from '#contract/methods.ts'
import { useLogParts } from '../../stores/log-store.ts'
import { CopyButton } from '../../ui/button.tsx'
import { formatBytes, formatCount, formatPlural } from '../../ui/format.ts'
import { invalidBytes } from '../../ui/raw-bytes.ts'
import { Failed } from './failed.tsx'
import { Loading } from './loading.tsx'
import { RawHex } from './raw-hex.tsx'
import { rawLayouts, useRawLayout } from './raw-layout.ts'
import { RawText } from './raw-text.tsx'
import { Segments } from './segments.tsx'
import { firstBytes, moreBytes, type RawLine, useRawLine } from './use-raw-line.ts'

const layoutNames = { pretty: 'Pretty', written: 'As written', bytes: 'Bytes' } as const
/** Bytes of a line that are loaded at once. The page splits them into lines before it shows any. */
const muchBytes = 8 << 20
/** The page never loads more bytes of a line. */
const maxBytes = 64 << 20

/** The exact bytes of a row's line. `revision`: `useRowRevision`. `shown`: index of an issue to scroll to, or -1. */
export function RawView({
  row,
  revision,
  issues,
  shown
}: {
  row: number
  revision: number
  issues: readonly RowIssue[]
  shown: number
}) {
  const [layout, setLayout] = useRawLayout()
  const [asked, setWanted] = useState(firstBytes)
  // The issue may be far behind the first bytes.
  const wanted = shown < 0 ? asked : Math.max(asked, muchBytes)
  const { line, reading, error, retry } = useRawLine(row, revision, wanted)
  const readAll = useReadAll(row)
  if (error !== null) return <Failed what="The line" message={error} onRetry={retry} />
  if (line === null) return <Loading />
  const left = line.length - line.bytes.length
  return (
    <>
      <div className="raw-head hstack">
        <Segments label="Layout" values={rawLayouts} names={layoutNames} value={layout} onChange={setLayout} />
        <span className="grow" />
        <Bytes line={line} issues={issues} />
        <CopyButton what="line" text={readAll} />
      </div>
      <section className="block" aria-label="Raw line">
        {layout === 'bytes' ? (
          <RawHex bytes={line.bytes} offset={line.offset} more={left > 0} />
        ) : (
          <RawText
            // The expanded state belongs to one line.
            key={row}
            bytes={line.bytes}
            isWhole={left <= 0}
            pretty={layout === 'pretty' && isJsonStart(line.bytes)}
            issues={issues}
            shown={shown}
          />
        )}
        {left > 0 && (
          <More
            line={line}
            reading={wanted > line.bytes.length ? (reading ?? line.bytes.length) : null}
            onWant={setWanted}
          />
        )}
      </section>
      <p className="t3 caption">
        {line.file !== null && <span className="mono">{line.file} · </span>}
        {placeText(line)} · offset {formatCount(line.offset)} · {formatPlural(line.length, 'byte')}
        {line.length >= 10_000 && ` (${formatBytes(line.length)})`}
      </p>
    </>
  )
}

/** "valid UTF-8 · LF". */
function Bytes({ line, issues }: { line: RawLine; issues: readonly RowIssue[] }) {
  const { bytes, length, end } = line
  const invalid = useMemo(() => invalidBytes(bytes, bytes.length < length, 1)[0], [bytes, length])
  const isBad = invalid !== undefined || issues.some(({ code }) => code === 'InvalidUtf8')
  const ends = { lf: 'LF', crlf: 'CRLF', none: 'no line end' }
  return (
    <span className="caption t2">
      <span className={isBad ? 's-violation medium' : undefined}>
        {isBad ? (invalid === undefined ? 'not UTF-8' : `not UTF-8 at byte ${formatCount(invalid)}`) : 'valid UTF-8'}
      </span>
      {end !== null && ` · ${ends[end]}`}
    </span>
  )
}

function More({ line, reading, onWant }: { line: RawLine; reading: number | null; onWant: (bytes: number) => void }) {
  const have = line.bytes.length
  const left = line.length - have
  if (reading !== null) {
    return (
      <p className="more t3" role="status">
        Reading the line: {formatBytes(reading)} of {formatBytes(line.length)}…
      </p>
    )
  }
  return (
    <p className="more">
      {left > moreBytes && (
        <button type="button" className="btn edged" onClick={() => onWant(have + moreBytes)}>
          Show {formatBytes(moreBytes)} more of {formatBytes(left)}
        </button>
      )}
      {have < maxBytes && (
        <button type="button" className="btn edged" onClick={() => onWant(have + Math.min(left, muchBytes))}>
          {left <= muchBytes ? `Show all ${formatBytes(line.length)}` : `Show ${formatBytes(muchBytes)} more`}
        </button>
      )}
    </p>
  )
}

/** Reads the whole line as text, for the clipboard. */
function useReadAll(row: number): () => Promise<string> {
  const { host, id: log } = useLogParts()
  return async () => {
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
    let text = ''
    for (let from = 0; ;) {
      const page = await host.call('log.raw', { log, row, from, count: 1 << 20 })
      from += page.bytes.byteLength
      const ended = from >= page.length || page.bytes.byteLength === 0
      text += decoder.decode(new Uint8Array(page.bytes), { stream: !ended })
      if (ended) return text
    }
  }
}

/** Other values have no members to split into lines. */
function isJsonStart(bytes: Uint8Array): boolean {
  const first = bytes.find((byte) => byte !== 0x20 && byte !== 0x09)
  return first === 0x7b || first === 0x5b || first === 0x22
}

/** "line 12, without its line end"; for a record of a document, its lines. */
function placeText({ line, length, bytes }: RawLine): string {
  let more = 0
  for (let at = bytes.indexOf(0x0a); at >= 0; at = bytes.indexOf(0x0a, at + 1)) more++
  if (more === 0) return `line ${formatCount(line)}, without its line end`
  if (bytes.length < length) return `line ${formatCount(line)} and those after it`
  return `lines ${formatCount(line)} to ${formatCount(line + more)}`
}

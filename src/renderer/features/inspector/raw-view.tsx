import { useEffect, useMemo, useState } from 'react'
import type { Result, RowIssue } from '#contract/methods.ts'
import { useLog } from '../../stores/log-store.ts'
import { CopyButton } from '../../ui/button.tsx'
import { chunkText } from '../../ui/display-text.ts'
import { formatBytes, formatCount, formatPlural } from '../../ui/format.ts'
import { Icon, severityLook } from '../../ui/icons.tsx'
import { mostRetries, retryPause } from './use-row-detail.ts'
import { indentJson, type RawRun, readRawBytes } from '../../ui/raw-bytes.ts'

/** The first look at a line, and what each "Show more" adds. */
const firstBytes = 32 * 1024
const moreBytes = 256 * 1024
/** Beyond this many marks they are plain text: a line of binary must not become a hundred thousand elements. */
const mostMarks = 2000

interface RawLine {
  readonly row: number
  readonly revision: number
  /** Another file of the run; null: the log itself. */
  readonly file: string | null
  readonly line: number
  readonly offset: number
  readonly length: number
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** The exact bytes of a row's line. `revision`: of the row, as `useRowRevision` has it. */
export function RawView({ row, revision, issues }: { row: number; revision: number; issues: readonly RowIssue[] }) {
  const [pretty, setPretty] = useState(false)
  const [wanted, setWanted] = useState(firstBytes)
  const state = useRawLine(row, revision, wanted)
  if (state.error !== null) return <p className="s-malformed">The line could not be read: {state.error}</p>
  const { line } = state
  if (line === null) return <p className="t3">Reading the line…</p>
  const left = line.length - line.bytes.length
  return (
    <>
      {issues.map((issue, position) => (
        <p key={position} className="raw-issue">
          <Icon {...severityLook(issue.severity)} name={issue.severity} label={issue.severity} />
          <span>
            <strong className={`s-${issue.severity}`}>{issue.code}</strong>{' '}
            {issue.path !== null && <code>{issue.path}</code>} {issue.message}
          </span>
        </p>
      ))}
      <p className="t3 caption">
        {line.file !== null && <span className="mono">{line.file} · </span>}
        {placeText(line)} · offset {formatCount(line.offset)} · {formatPlural(line.length, 'byte')}
        {line.length >= 10_000 && ` (${formatBytes(line.length)})`}
      </p>
      <section className="block" aria-label="Raw line">
        <header>
          <span className="segments" role="group" aria-label="Layout">
            <button type="button" aria-pressed={!pretty} onClick={() => setPretty(false)}>
              As written
            </button>
            <button type="button" aria-pressed={pretty} onClick={() => setPretty(true)}>
              Pretty
            </button>
          </span>
          <span className="grow" />
          <CopyButton what="line" text={() => new TextDecoder().decode(line.bytes)} />
        </header>
        <RawText bytes={line.bytes} more={left > 0} pretty={pretty} />
        {left > 0 && (
          <p className="more">
            <button type="button" className="btn edged" onClick={() => setWanted(line.bytes.length + moreBytes)}>
              Show {formatBytes(Math.min(left, moreBytes))} more of {formatBytes(left)}
            </button>
          </p>
        )}
      </section>
    </>
  )
}

/** "line 12, without its line end"; of a record of a document the lines it stands on. */
function placeText({ line, length, bytes }: RawLine): string {
  let more = 0
  for (let at = bytes.indexOf(0x0a); at >= 0; at = bytes.indexOf(0x0a, at + 1)) more++
  if (more === 0) return `line ${formatCount(line)}, without its line end`
  if (bytes.length < length) return `line ${formatCount(line)} and those after it`
  return `lines ${formatCount(line)} to ${formatCount(line + more)}`
}

function RawText({ bytes, more, pretty }: { bytes: Uint8Array; more: boolean; pretty: boolean }) {
  const runs = useMemo(() => readRawBytes(pretty ? indentJson(bytes) : bytes, more).runs, [bytes, more, pretty])
  const plain = runs.length > mostMarks
  return (
    <pre className="text wrap raw-text">
      {bytes.length === 0 && <span className="t3">An empty line.</span>}
      {plain ? (
        <Run run={{ kind: 'text', text: runs.map((run) => run.text).join('') }} />
      ) : (
        runs.map((run, position) => <Run key={position} run={run} />)
      )}
    </pre>
  )
}

/** Long runs in pieces, so that only those in view are laid out. */
function Run({ run }: { run: RawRun }) {
  if (run.kind === 'invalid')
    return (
      <mark className="raw-invalid" title="Bytes that are not UTF-8">
        {run.text}
      </mark>
    )
  if (run.kind === 'control')
    return (
      <mark className="raw-control" title="A character without a shape">
        {run.text}
      </mark>
    )
  if (run.text.length <= 16_384) return run.text
  return chunkText(run.text, 8192).map((piece, position) => (
    <span key={position} className="piece">
      {piece}
    </span>
  ))
}

/** The first `wanted` bytes of the row's line, read page by page. Those of an earlier revision stay until there are newer ones. */
function useRawLine(row: number, revision: number, wanted: number): { line: RawLine | null; error: string | null } {
  const host = useLog((log) => log.host)
  const id = useLog((log) => log.id)
  const [line, setLine] = useState<RawLine | null>(null)
  const [failed, setFailed] = useState<{ row: number; revision: number; message: string } | null>(null)
  const shown = line?.row === row ? line : null
  const have = shown?.revision === revision ? shown : null
  const from = have?.bytes.length ?? 0
  const done = have !== null && (from >= wanted || from >= have.length)
  useEffect(() => {
    if (done) return
    let current = true
    let again: ReturnType<typeof setTimeout> | undefined
    const read = async (retries: number) => {
      try {
        const page = await host.call('log.raw', { log: id, row, from, count: Math.min(wanted - from, moreBytes) })
        if (!current) return
        setLine((before) => joined(from === 0 ? null : before, row, revision, page))
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error)
        if (!current) return
        if (revision > 0 && retries < mostRetries) again = setTimeout(() => void read(retries + 1), retryPause)
        else setFailed({ row, revision, message })
      }
    }
    void read(0)
    return () => {
      current = false
      clearTimeout(again)
    }
  }, [host, id, row, revision, from, wanted, done])
  return { line: shown, error: failed?.row === row && failed.revision === revision ? failed.message : null }
}

function joined(before: RawLine | null, row: number, revision: number, page: Result<'log.raw'>): RawLine {
  const added = new Uint8Array(page.bytes)
  const bytes = new Uint8Array((before?.bytes.length ?? 0) + added.length)
  if (before !== null) bytes.set(before.bytes)
  bytes.set(added, before?.bytes.length ?? 0)
  // A page without bytes would be asked for again for ever: the line is then as long as what there is.
  const { file, line, offset } = page
  return { row, revision, file, line, offset, length: added.length === 0 ? bytes.length : page.length, bytes }
}

import { lastName, relativePath } from '#core/paths/path-names.ts'
import { type ReactNode, useEffect, useId, useMemo, useState } from 'react'
import { doubtText } from '#core/files/file-state.ts'
import { type FileText, linesOf } from '../../stores/file-text.ts'
import { useLog, useLogParts } from '../../stores/log-store.ts'
import type { FileVersionStep, TouchedFiles } from '../../stores/touched-files.ts'
import { isField } from '../../keyboard.ts'
import { CopyButton } from '../../ui/button.tsx'
import { displayText } from '../../ui/display-text.ts'
import { formatCount, formatPercent, formatPlural } from '../../ui/format.ts'
import { Icon } from '../../ui/icons.tsx'
import { PathText } from '../inspector/block.tsx'
import { Failed } from '../inspector/failed.tsx'
import { RowLink } from '../inspector/row-link.tsx'
import { Segments } from '../inspector/segments.tsx'
import { FileChanges } from './file-changes.tsx'
import { FileContent, type LineSelection, selectedRange } from './file-content.tsx'
import { FileVersions, versionAt } from './file-versions.tsx'
import { type AskedLines, LineEventList } from './line-events.tsx'
import { useFileText } from './use-file-text.ts'

const faces = ['content', 'start', 'edit', 'event'] as const
/** What is shown of a file: its content, or its changes. */
export type Face = (typeof faces)[number]
const faceNames: Readonly<Record<Face, string>> = {
  content: 'Content',
  start: 'Since start',
  edit: 'Last edit',
  event: 'Since event…'
}

/** One file at the playhead. */
export function FileView({
  files,
  file,
  face,
  onFace,
  line
}: {
  files: TouchedFiles
  file: number
  face: Face
  onFace: (face: Face) => void
  /** The line to begin with, from 1; null: the first. */
  line: number | null
}) {
  const { playhead, fileViewing } = useLogParts()
  const seq = useLog((log) => log.seq)
  const path = files.paths[file] ?? ''
  const shownPath = relativePath(path, files.folder)
  const name = displayText(lastName(path))
  const versions = files.versionsOf(file)
  const at = versionAt(versions, seq)
  const read = useFileText(file, at < 0 ? null : files.stateSeq(file, seq))
  const [selection, setSelection] = useState<LineSelection>(() => ({
    anchor: (line ?? 1) - 1,
    active: (line ?? 1) - 1
  }))
  const [asked, setAsked] = useState<AskedLines | null>(null)
  const { text } = read
  useVersionKeys(versions, at)
  const select = (next: LineSelection) => {
    setSelection(next)
    fileViewing.show(path, { line: selectedRange(next).from + 1 })
  }
  const within = useMemo(() => (text === null ? selection : cutTo(selection, text.length)), [selection, text])
  const { from, to } = selectedRange(within)
  const askForLines = () => setAsked({ file, seq, from, to })
  return (
    <div className="file-view vstack">
      <header className="file-head panel-head hstack rigid">
        <PathText path={path} shown={shownPath} />
        <CopyButton what="path" text={() => path} />
        {text !== null && text.length > 0 && (
          <CopyButton
            what={text.knowledge === 'full' ? 'content' : 'known lines'}
            text={() => (text.knowledge === 'full' ? text.text : knownLines(text))}
          />
        )}
        <span className="grow" />
        <Segments label="Show" values={faces} names={faceNames} value={face} onChange={onFace} />
      </header>
      <FileVersions versions={versions} />
      <Notices text={text} />
      <div className="file-body vstack fill">
        {at < 0 ? (
          <div className="file-empty vstack">
            <p className="t2">No event up to here is about this file.</p>
            {versions[0] !== undefined && (
              <button type="button" className="btn edged" onClick={() => playhead.select(versions[0]?.row ?? -1)}>
                Go to the first one, event {formatCount(versions[0].seq)}
              </button>
            )}
          </div>
        ) : read.error !== null && text === null ? (
          <Failed what="The file" message={read.error} onRetry={read.retry} />
        ) : text === null ? (
          <p className="panel-note t3" role="status">
            Putting the file together… {formatPercent(read.progress ?? 0)}
          </p>
        ) : face !== 'content' ? (
          <Changes path={path} versions={versions} file={file} now={text} face={face} />
        ) : (
          <Content text={text} versions={versions}>
            <FileContent
              label={`${name} at event ${formatCount(seq)}`}
              path={path}
              text={text}
              versions={versions}
              now={versions[at]?.row ?? -1}
              selection={within}
              onSelect={select}
              onLineEvents={askForLines}
              busy={read.progress !== null}
            />
          </Content>
        )}
      </div>
      {asked?.file === file && face === 'content' && (
        <LineEventList key={JSON.stringify(asked)} asked={asked} onClose={() => setAsked(null)} />
      )}
      {text !== null && (
        <Foot text={text}>
          {face === 'content' && text.length > 0 && (
            <button type="button" className="link" title="Shift Enter" onClick={askForLines}>
              All events about {to - from === 1 ? `line ${formatCount(to)}` : `these ${formatCount(to - from)} lines`}
            </button>
          )}
        </Foot>
      )}
    </div>
  )
}

/** Alt with an arrow key moves to the previous or next version, wherever the focus is. */
function useVersionKeys(versions: readonly FileVersionStep[], at: number): void {
  const { playhead } = useLogParts()
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
      if (step === undefined || !event.altKey || event.ctrlKey || event.metaKey || isField(event)) return
      event.preventDefault()
      const version = versions[at + step]
      if (version !== undefined && document.querySelector('dialog[open]') === null) playhead.select(version.row)
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [playhead, versions, at])
}

function cutTo({ anchor, active }: LineSelection, length: number): LineSelection {
  const most = Math.max(0, length - 1)
  return { anchor: Math.min(anchor, most), active: Math.min(active, most) }
}

/** The known lines alone. */
function knownLines(text: FileText): string {
  const parts: string[] = []
  let line = 0
  for (const { count, known } of text.runs) {
    if (known !== null) parts.push(linesOf(text, line, line + count))
    line += count
  }
  return parts.join('\n')
}

/** What makes the content doubtful. */
function Notices({ text }: { text: FileText | null }) {
  if (text === null) return null
  const { stale, unplaced } = text
  return (
    <>
      {unplaced !== null && (
        <p className="file-notice hstack" role="status">
          <Icon name="violation" size={14} tone="s-violation" />
          <span>
            <RowLink row={unplaced} /> changed the file at a place that is not known. Lines that are shown were seen
            since.
          </span>
        </p>
      )}
      {stale !== null && (
        <p className="file-notice hstack" role="status">
          <Icon name="violation" size={14} tone="s-violation" />
          <span>
            May have changed since <RowLink row={stale.row} />: {doubtText(stale)}.
          </span>
        </p>
      )}
    </>
  )
}

/** The content, or why there is none. */
function Content({
  text,
  versions,
  children
}: {
  text: FileText
  versions: readonly FileVersionStep[]
  children: ReactNode
}) {
  const { playhead } = useLogParts()
  const seq = useLog((log) => log.seq)
  const next = versions.find((version) => version.seq > seq && version.what !== 'named' && version.what !== 'changed')
  if (!text.deleted && !text.tooLarge && (text.length > 0 || text.total !== null)) return children
  return (
    <div className="file-empty vstack">
      <p className="t2">
        {text.deleted
          ? 'The file is deleted here.'
          : text.tooLarge
            ? 'The file is larger than 4 million characters or 100,000 lines, so its content is not put together.'
            : text.unplaced !== null
              ? 'Nothing of its content is known after that change.'
              : 'Nothing is known of its content here: the events up to here name the file, and show none of it.'}
      </p>
      {next !== undefined && !text.tooLarge && (
        <button type="button" className="btn edged" onClick={() => playhead.select(next.row)}>
          Go to the next event that tells more, event {formatCount(next.seq)}
        </button>
      )}
    </div>
  )
}

/** How much of the file is known. */
function Foot({
  text: { known, total, length, knowledge, runs, deleted },
  children
}: {
  text: FileText
  children: ReactNode
}) {
  let written = 0
  for (const run of runs) if (run.known !== null && run.known.author !== 'before') written += run.count
  const words = deleted
    ? 'Deleted.'
    : knowledge === 'full'
      ? `All ${formatPlural(known, 'line')} are known`
      : total === null
        ? `${formatPlural(known, 'line')} are known; how many there are is not`
        : `${formatCount(known)} of ${formatPlural(total, 'line')} are known`
  return (
    <footer className="file-foot hstack rigid t3 caption">
      <span className="cut" role="status">
        {words}
        {!deleted && length > 0 && `, ${formatCount(written)} changed in this session. `}
        {knowledge === 'part' && 'Hatched parts were shown by no event.'}
      </span>
      <span className="grow" />
      {children}
    </footer>
  )
}

/** The changes since another version. */
function Changes({
  path,
  versions,
  file,
  now,
  face
}: {
  path: string
  versions: readonly FileVersionStep[]
  file: number
  now: FileText
  face: Exclude<Face, 'content'>
}) {
  const seq = useLog((log) => log.seq)
  const id = useId()
  const edit = versions.findLast((version) => version.isChange && version.seq <= seq)
  const [event, setEvent] = useState(() => versions[0]?.seq ?? 0)
  const since = face === 'start' ? -1 : face === 'edit' ? (edit?.seq ?? 0) - 1 : Math.min(event, seq)
  const isNone = edit === undefined && face !== 'event'
  // Before the first change after that event, the file is as it was then, and more of it may be known.
  const before = useFileText(file, isNone ? null : since, face !== 'event')
  return (
    <>
      {face === 'event' && (
        <p className="file-since hstack t2">
          <label htmlFor={id}>Since event</label>
          <span className="field">
            <input
              id={id}
              type="number"
              min={0}
              max={seq}
              value={event}
              onChange={({ target }) => setEvent(Math.max(0, Math.floor(target.valueAsNumber) || 0))}
            />
          </span>
          {event > seq && <span className="t3">It is after the playhead.</span>}
        </p>
      )}
      {isNone ? (
        <p className="panel-note t2">No event up to here changed the file.</p>
      ) : before.error !== null ? (
        <Failed what="The other version" message={before.error} onRetry={before.retry} />
      ) : before.text === null ? (
        <p className="panel-note t3" role="status">
          Putting the other version together… {formatPercent(before.progress ?? 0)}
        </p>
      ) : (
        <FileChanges path={path} before={before.text} now={now} since={since} />
      )}
    </>
  )
}

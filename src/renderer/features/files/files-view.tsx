import './files.css'
import { useState } from 'react'
import { useLog, useLogParts } from '../../stores/log-store.ts'
import type { FileStates } from '../../stores/touched-files.ts'
import { useLiveAnswer } from '../../stores/use-live-answer.ts'
import { formatCount, formatPercent } from '../../ui/format.ts'
import { Failed } from '../inspector/failed.tsx'
import { ViewBar } from '../views/view-bar.tsx'
import { FileTree } from './file-tree.tsx'
import { type Face, FileView } from './file-view.tsx'

/** The files that the agent touched, as they were at the playhead. */
export function FilesView() {
  const { key } = useLogParts()
  return <FilesOfLog key={key} />
}

function FilesOfLog() {
  const { files: loaded, fileViewing } = useLogParts()
  const files = useLiveAnswer(loaded)
  const seq = useLog((log) => log.seq)
  const viewed = useLog((log) => log.viewedFile)
  const isLoaded = useLog((log) => log.isComplete)
  const [face, setFace] = useState<Face>('content')
  const states = files.at(seq)
  const named = viewed === null ? -1 : files.numberOf(viewed.path, viewed.row)
  const file = viewed === null ? lastTouched(states) : named
  const isPartial = !files.isComplete || !isLoaded
  const share = files.rows === 0 ? 0 : files.read / files.rows
  return (
    <section className="files" role="region" aria-label="Files">
      <ViewBar>
        <span className="t3 caption" role="status">
          {isPartial && files.error === null
            ? `Looking for files… ${formatPercent(share)}`
            : `as they were at event ${formatCount(Math.max(0, seq))}`}
        </span>
      </ViewBar>
      {files.error !== null ? (
        <Failed what="The list of files" message={files.error} onRetry={files.retry} />
      ) : files.paths.length === 0 ? (
        <p className="panel-note t3">
          {isPartial
            ? 'Looking for events about files…'
            : 'No event of this session is about a file. Reads, edits and commands that show or write files appear here.'}
        </p>
      ) : (
        <>
          <FileTree
            files={files}
            states={states}
            shown={file}
            onShow={(at) => fileViewing.show(files.paths[at] ?? '')}
          />
          {file >= 0 ? (
            <FileView key={file} files={files} file={file} face={face} onFace={setFace} line={viewed?.line ?? null} />
          ) : (
            <p className="panel-note t2">
              {viewed === null
                ? 'No file was touched up to here.'
                : isPartial
                  ? 'Looking for the file…'
                  : 'The file of the link is not in this session. Choose one of the list.'}
            </p>
          )}
        </>
      )}
    </section>
  )
}

/** Until a person chooses one: the file that was changed last, or else read last. -1: none yet. */
function lastTouched({ last, edits }: FileStates): number {
  let found = -1
  for (let file = 0; file < last.length; file++) {
    const at = last[file] ?? -1
    if (at < 0) continue
    const isChanged = (edits[file] ?? 0) > 0
    const isFoundChanged = (edits[found] ?? 0) > 0
    if (found < 0 || (isChanged && !isFoundChanged) || (isChanged === isFoundChanged && at > (last[found] ?? -1)))
      found = file
  }
  return found
}

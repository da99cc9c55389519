import { useMemo } from 'react'
import type { RowFacts } from '#contract/methods.ts'
import { recordOf } from '#core/tools/changed-lines.ts'
import { type Edit, type FileEdit, maxFilesShown } from '#core/tools/file-edits.ts'
import { textLines } from '#core/tools/line-diff.ts'
import { Diff } from '../../content/diff.tsx'
import { PatchDiff } from '../../content/patch-diff.tsx'
import { displayText } from '../../ui/display-text.ts'
import { formatCount, formatPlural } from '../../ui/format.ts'
import { Block, PathText } from './block.tsx'
import { type Cuts, isCut, textAt } from './cuts.ts'
import { FileLink } from './file-link.tsx'
import { CodeBlock } from './text-block.tsx'
import { useDiffLayout } from './diff-layout.ts'

/** File changes of a call. `recorded`: the agent's own record of them, which has line numbers. */
export function EditsView({
  files,
  recorded,
  cuts,
  row
}: {
  files: readonly FileEdit[]
  recorded: RowFacts['diffs']
  cuts: Cuts
  /** Of the result; null: there is none. */
  row: number | null
}) {
  const shown = files.slice(0, maxFilesShown).map((file) => ({ file, patch: recordOf(file, files.length, recorded) }))
  const unknown = shown.filter(({ file, patch }) => patch === null && file.edits.length === 0)
  return (
    <>
      {isCut(cuts, '$.input') && (
        <p className="t2">
          The change is cut.{' '}
          {cuts.showAll === null ? (
            'The Raw tab has every byte.'
          ) : (
            <button type="button" className="link" onClick={cuts.showAll}>
              Show all
            </button>
          )}
        </p>
      )}
      {shown
        .filter((each) => !unknown.includes(each))
        .map(({ file, patch }, position) => (
          <FileView key={position} file={file} recorded={patch} cuts={cuts} />
        ))}
      <UnknownFiles files={unknown.map(({ file }) => file)} />
      {files.length > 1 && row !== null && <FileLinks files={shown.map(({ file }) => file)} row={row} />}
      {files.length > shown.length && (
        <p className="t2">{formatPlural(files.length - shown.length, 'more file')} in the Raw tab.</p>
      )}
    </>
  )
}

function FileView({ file, recorded, cuts }: { file: FileEdit; recorded: string | null; cuts: Cuts }) {
  const [layout] = useDiffLayout()
  const { path, movedTo, edits } = file
  return (
    <>
      {movedTo !== null && (
        <p className="t2">
          Moved to <span className="mono">{displayText(movedTo)}</span>
        </p>
      )}
      {recorded !== null ? (
        <PatchDiff patch={recorded} path={path} layout={layout} />
      ) : (
        edits.map((edit, position) => (
          <EditView key={position} edit={edit} file={file} place={[position, edits.length]} cuts={cuts} />
        ))
      )}
    </>
  )
}

/** The files of a call that changed several. */
function FileLinks({ files, row }: { files: readonly FileEdit[]; row: number }) {
  return (
    <Block title="Files at this event">
      <ul className="file-list">
        {files.map(({ path, movedTo }, position) => (
          <li key={position} className="hstack">
            <FileLink path={movedTo ?? path} row={row} />
            <PathText path={movedTo ?? path} />
          </li>
        ))}
      </ul>
    </Block>
  )
}

/** Files with a change of unknown content. */
function UnknownFiles({ files }: { files: readonly FileEdit[] }) {
  if (files.length === 0) return null
  const isDeleted = files.every(({ kind }) => kind === 'deleted')
  return (
    <Block
      title={formatPlural(files.length, 'file')}
      fact={isDeleted ? undefined : 'the log does not state the change'}
      copy={{ what: 'the paths', text: () => files.map(({ path }) => path).join('\n') }}
    >
      <ul className="file-list">
        {files.map(({ path, kind }, position) => (
          <li key={position} className="hstack">
            <span className="badge">{kind}</span>
            <PathText path={path} />
          </li>
        ))}
      </ul>
    </Block>
  )
}

function EditView({
  edit,
  file: { path, kind },
  place: [position, count],
  cuts
}: {
  edit: Edit
  file: FileEdit
  place: readonly [number, number]
  cuts: Cuts
}) {
  const [layout] = useDiffLayout()
  const of = useMemo(() => (edit.kind === 'whole' ? textAt(cuts, edit.text.at, edit.text.text) : null), [edit, cuts])
  if (edit.kind === 'patch') return <PatchDiff patch={edit.patch.text} path={path} layout={layout} />
  if (of !== null) {
    const word = { created: 'Created', written: 'Written', deleted: 'Deleted', updated: 'New text' }[kind]
    return <CodeBlock title={word} of={of} path={path} firstLine={1} fact={linesOf(of)} />
  }
  if (edit.kind !== 'replace') return null
  return (
    <>
      {(count > 1 || edit.all) && (
        <p className="t3 caption">
          {count > 1 && `Edit ${formatCount(position + 1)} of ${formatCount(count)}`}
          {count > 1 && edit.all && ' · '}
          {edit.all && 'replaces every occurrence'}
        </p>
      )}
      <Diff before={edit.before.text} after={edit.after.text} path={path} layout={layout} />
    </>
  )
}

function linesOf({ text, length }: { text: string; length: number }): string {
  if (text.length < length) return `${formatCount(length)} characters`
  return `+${formatPlural(textLines(text).length, 'line')}`
}

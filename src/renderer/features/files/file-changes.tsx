import { useMemo } from 'react'
import { languageOfPath } from '../../content/code-language.ts'
import { diffCounts } from '../../content/diff-rows.ts'
import { DiffTable } from '../../content/diff-table.tsx'
import type { FileText } from '../../stores/file-text.ts'
import { useLog } from '../../stores/log-store.ts'
import { formatCount } from '../../ui/format.ts'
import { useDiffLayout } from '../inspector/diff-layout.ts'
import { fileDiff } from './file-diff.ts'

/** The changes of a file from one version to another. `since`: lines of later events are new. */
export function FileChanges({
  path,
  before,
  now,
  since
}: {
  path: string
  before: FileText
  now: FileText
  since: number
}) {
  const columns = useLog((log) => log.columns)
  const [layout] = useDiffLayout()
  const diff = useMemo(
    () => fileDiff(before, now, (author) => typeof author === 'number' && (columns.seq[author] ?? 0) > since),
    [before, now, since, columns]
  )
  const { added, deleted } = diffCounts(diff.parts)
  const isUnknown = [before, now].some(({ knowledge }) => knowledge === 'none')
  if (isUnknown)
    return (
      <p className="panel-note t2">
        {before.knowledge === 'none'
          ? 'What the file held before is not known: no event up to then shows it.'
          : 'What the file holds here is not known.'}
      </p>
    )
  if (added + deleted === 0) return <p className="panel-note t2">No line differs, as far as both versions are known.</p>
  return (
    <div className="file-changes vstack fill">
      <p className="caption t2" role="status">
        <span className="num diff-plus">+{formatCount(added)}</span>{' '}
        <span className="num diff-minus">−{formatCount(deleted)}</span>
        {(before.knowledge === 'part' || now.knowledge === 'part') && ', as far as both versions are known'}
      </p>
      <DiffTable
        label={`Changes of ${path}`}
        parts={diff.parts}
        before={diff.before}
        after={diff.after}
        language={languageOfPath(path)}
        layout={layout}
        fills
      />
    </div>
  )
}

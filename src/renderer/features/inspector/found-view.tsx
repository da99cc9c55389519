import { useMemo } from 'react'
import { type FoundFile, searchOutput } from '#core/tools/search-output.ts'
import { LineBox } from '../../content/line-box.tsx'
import { displayText, withPictures } from '../../ui/display-text.ts'
import { formatCount, formatPlural } from '../../ui/format.ts'
import { Icon } from '../../ui/icons.tsx'
import { Block } from './block.tsx'
import { OutputBlock } from './text-block.tsx'
import { TextPart } from './text-part.tsx'
import { type LogText, useLogText } from './use-log-text.ts'

/** A row of the search results. */
type FoundRow =
  | { readonly kind: 'file'; readonly path: string; readonly count: number }
  | { readonly kind: 'line'; readonly number: number | null; readonly text: string; readonly match: boolean }
  /** Lines left out between two that are shown. */
  | { readonly kind: 'gap' }

/** Longer lines continue in the Raw tab. */
const longestLine = 2000

/** Search results by file. An unknown format is shown as text. */
export function FoundView({ of }: { of: LogText }) {
  const read = useLogText(of)
  const found = useMemo(() => searchOutput(read.text), [read.text])
  const rows = useMemo(() => rowsOf(found?.files ?? []), [found])
  if (found === null) return <OutputBlock title="Output" of={of} />
  const widest = rows.reduce((most, row) => Math.max(most, widthOf(row)), 0)
  const digits = rows.reduce(
    (most, row) => Math.max(most, row.kind === 'line' ? String(row.number ?? '').length : 0),
    0
  )
  const lines = rows.filter((row) => row.kind === 'line' && row.match).length
  return (
    <>
      {found.notes.map((note, position) => (
        <p key={position} className="answer" dir="auto">
          {displayText(note)}
        </p>
      ))}
      {rows.length > 0 && (
        <Block
          title="Found"
          fact={[
            lines > 0 ? formatPlural(lines, 'line') : null,
            found.files[0]?.path === '' ? null : formatPlural(found.files.length, 'file')
          ]
            .filter(Boolean)
            .join(' in ')}
          copy={{ what: 'what was found', text: read.readAll }}
        >
          <LineBox
            label="Found"
            className="found"
            count={rows.length}
            noun="row"
            columns={Math.min(widest, longestLine) + digits + 6}
            drawLine={(at) => <Row row={rows[at]} digits={digits} />}
            textOf={(from, to) => rows.slice(from, to).map(textOf).join('\n')}
          />
          <TextPart of={of} read={read} />
        </Block>
      )}
    </>
  )
}

function rowsOf(files: readonly FoundFile[]): FoundRow[] {
  return files.flatMap((file) => [
    ...(file.path === '' ? [] : [{ kind: 'file' as const, path: file.path, count: countOf(file) }]),
    ...lineRows(file)
  ])
}

function countOf({ count, lines }: FoundFile): number {
  return count ?? lines.filter(({ match }) => match).length
}

function lineRows({ lines }: FoundFile): FoundRow[] {
  // A list without context lines has no gaps.
  const hasNear = lines.some(({ match }) => !match)
  return lines.flatMap(({ number, text, match }, at): FoundRow[] => {
    const row: FoundRow = { kind: 'line', number, text: text.slice(0, longestLine), match }
    const before = lines[at - 1]?.number
    const isGap = hasNear && before !== undefined && before !== null && number !== before + 1
    return isGap ? [{ kind: 'gap' }, row] : [row]
  })
}

function widthOf(row: FoundRow): number {
  return row.kind === 'line' ? row.text.length : row.kind === 'file' ? row.path.length : 0
}

function textOf(row: FoundRow): string {
  if (row.kind === 'gap') return '--'
  return row.kind === 'file' ? row.path : `${row.number ?? ''}${row.match ? ':' : '-'}${row.text}`
}

function Row({ row, digits }: { row: FoundRow | undefined; digits: number }) {
  if (row === undefined) return null
  if (row.kind === 'gap') return <span className="line-text t3">{'⋯'.padStart(digits + 2)}</span>
  if (row.kind === 'file') {
    return (
      <span className="line-text found-file hstack">
        <Icon name="file" size={12} tone="t3" /> {withPictures(row.path)}
        {row.count > 0 && <span className="t3"> {formatCount(row.count)}</span>}
      </span>
    )
  }
  return (
    <span className={row.match ? 'line-text' : 'line-text t3'}>
      <span className="t3">{String(row.number ?? '').padStart(digits + 2)}</span>
      {'  '}
      {withPictures(row.text)}
    </span>
  )
}

import type { ReactNode } from 'react'
import { CopyButton } from '../ui/button.tsx'
import { withPictures } from '../ui/display-text.ts'
import { formatCount } from '../ui/format.ts'

/** A block for a diff, with the file and the numbers of added and deleted lines in its heading. */
export function DiffBlock({
  path,
  what,
  added,
  deleted,
  copy,
  children
}: {
  path: string | null
  /** Beside the path: "added", "moved to …". */
  what?: string | undefined
  added: number
  deleted: number
  /** The text to copy. */
  copy: () => string
  children: ReactNode
}) {
  return (
    <section className="block" aria-label={path === null ? 'Changes' : `Changes of ${path}`}>
      <header className="hstack t2 caption">
        {path === null ? (
          <span>Changes</span>
        ) : (
          <span className="cut mono diff-path" title={path}>
            <bdi>{withPictures(path)}</bdi>
          </span>
        )}
        {what !== undefined && <span className="cut">{withPictures(what)}</span>}
        {added + deleted > 0 && (
          <>
            <span className="num diff-plus">+{formatCount(added)}</span>
            <span className="num diff-minus">−{formatCount(deleted)}</span>
          </>
        )}
        <span className="grow" />
        <CopyButton what="the changes" text={copy} />
      </header>
      {children}
    </section>
  )
}

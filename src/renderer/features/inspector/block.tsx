import type { ReactNode } from 'react'
import { CopyButton } from '../../ui/button.tsx'
import { displayText } from '../../ui/display-text.ts'

/** A path on one line. If it does not fit, its end is shown. `shown`: the text to show. */
export function PathText({ path, shown = path }: { path: string; shown?: string }) {
  return (
    <span className="path-text cut t2 mono" title={path}>
      <bdi>{displayText(shown)}</bdi>
    </span>
  )
}

/** A titled part of the inspector. `copy`: what its button copies, and the button's name. */
export function Block({
  title,
  path,
  tone,
  fact,
  tools,
  copy,
  children
}: {
  title: string
  /** The file that the content belongs to. */
  path?: string | undefined
  tone?: 'bad' | undefined
  /** Short facts at the end of the heading. */
  fact?: ReactNode
  /** Additional controls. */
  tools?: ReactNode
  copy?: { readonly what: string; readonly text: () => string | Promise<string> } | undefined
  children: ReactNode
}) {
  return (
    <section
      className={tone === undefined ? 'block' : `block ${tone}`}
      aria-label={path === undefined ? title : `${title} ${path}`}
    >
      <header className="hstack t2 caption">
        <span>{title}</span>
        {path !== undefined && <PathText path={path} />}
        <span className="grow" />
        {fact !== undefined && fact !== '' && <span className="t3 num">{fact}</span>}
        {tools}
        {copy !== undefined && <CopyButton {...copy} />}
      </header>
      {children}
    </section>
  )
}

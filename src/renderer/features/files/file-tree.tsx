import { type KeyboardEvent, useEffect, useId, useMemo, useState } from 'react'
import type { FileStates, TouchedFiles } from '../../stores/touched-files.ts'
import { displayText } from '../../ui/display-text.ts'
import { formatCount, formatPlural } from '../../ui/format.ts'
import { Icon } from '../../ui/icons.tsx'
import { useRowScroll } from '../../ui/use-row-scroll.ts'
import { type FileNode, fileNodes } from './file-nodes.ts'
import { fileLook } from './file-words.ts'

const sizes = { line: 24, head: 0 }

/** The files of a session as they are at the playhead. */
export function FileTree({
  files,
  states,
  shown,
  onShow
}: {
  files: TouchedFiles
  states: FileStates
  /** The file that is shown; -1: none. */
  shown: number
  onShow: (file: number) => void
}) {
  const [filter, setFilter] = useState('')
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const { paths, folder } = files
  const count = paths.length
  const nodes = useMemo(
    () => fileNodes(paths.slice(0, count), { folder, closed, filter: filter.trim() }),
    [paths, folder, count, closed, filter]
  )
  const fold = (key: string, isOpen: boolean) => {
    const next = new Set(closed)
    if (isOpen) next.delete(key)
    else next.add(key)
    setClosed(next)
  }
  return (
    <div className="files-tree vstack">
      <div className="files-filter field">
        <Icon name="search" size={14} tone="t3" />
        <input
          type="search"
          aria-label="Filter files"
          placeholder="Filter files"
          value={filter}
          maxLength={500}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => setFilter(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Escape' || filter === '') return
            setFilter('')
            event.preventDefault()
            event.stopPropagation()
          }}
        />
      </div>
      <Counts states={states} further={files.further} />
      {nodes.length === 0 ? (
        <p className="panel-note t3">No file has this in its path.</p>
      ) : (
        <Tree nodes={nodes} files={files} states={states} shown={shown} onShow={onShow} onFold={fold} />
      )}
      <p className="files-key t3 caption">
        <span className="file-state new">+</span> created <span className="file-state edit">2×</span> changed{' '}
        <span className="file-state del">−</span> deleted <span className="file-state read">r</span> only read{' '}
        <span className="file-doubt">~</span> may have changed since
      </p>
    </div>
  )
}

function Counts({ states, further }: { states: FileStates; further: number }) {
  let [changed, read] = [0, 0]
  for (let file = 0; file < states.last.length; file++) {
    if ((states.edits[file] ?? 0) > 0) changed++
    else if ((states.reads[file] ?? 0) > 0) read++
  }
  return (
    <p className="files-counts t2" role="status">
      <span className="num">{formatCount(changed)}</span> changed, <span className="num">{formatCount(read)}</span> only
      read
      {further > 0 && <span className="t3">, and {formatPlural(further, 'event')} beyond the limit of files</span>}
    </p>
  )
}

function Tree({
  nodes,
  files,
  states,
  shown,
  onShow,
  onFold
}: {
  nodes: readonly FileNode[]
  files: TouchedFiles
  states: FileStates
  shown: number
  onShow: (file: number) => void
  onFold: (key: string, isOpen: boolean) => void
}) {
  const { setElement, element, scroll, drawn, space } = useRowScroll(nodes.length, sizes)
  const shownAt = nodes.findIndex((node) => node.kind === 'file' && node.file === shown)
  const [active, setActive] = useState(-1)
  const here = Math.min(nodes.length - 1, active < 0 ? Math.max(0, shownAt) : active)
  const id = useId()
  useEffect(() => {
    if (shownAt >= 0) scroll?.show(shownAt, true)
  }, [scroll, shownAt])
  const moveTo = (at: number) => {
    const next = Math.max(0, Math.min(nodes.length - 1, at))
    setActive(next)
    scroll?.show(next, true)
  }
  const choose = (node: FileNode) => {
    if (node.kind === 'file') onShow(node.file)
    else onFold(node.key, !node.isOpen)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const node = nodes[here]
    if (node === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    const page = Math.max(1, Math.floor((element?.clientHeight ?? 0) / sizes.line) - 1)
    const steps: Record<string, number> = { ArrowUp: -1, ArrowDown: 1, PageUp: -page, PageDown: page }
    const step = steps[event.key]
    if (step !== undefined) moveTo(here + step)
    else if (event.key === 'Home') moveTo(0)
    else if (event.key === 'End') moveTo(nodes.length - 1)
    else if (event.key === 'Enter') choose(node)
    else if (event.key === 'ArrowRight' && node.kind === 'folder')
      if (node.isOpen) moveTo(here + 1)
      else onFold(node.key, true)
    else if (event.key === 'ArrowLeft' && node.kind === 'folder' && node.isOpen) onFold(node.key, false)
    else if (event.key === 'ArrowLeft')
      moveTo(nodes.findLastIndex((other, at) => at < here && other.depth < node.depth))
    else if (event.key !== 'ArrowRight') return
    event.preventDefault()
    event.stopPropagation()
  }
  const { first, last, top, slots } = drawn
  return (
    <div
      ref={setElement}
      role="tree"
      aria-label="Files"
      tabIndex={0}
      className="row-list fill files-nodes"
      aria-activedescendant={here >= first && here < last ? `${id}-${here}` : undefined}
      onKeyDown={onKeyDown}
    >
      <div className="list-space" role="presentation" style={{ height: space }}>
        <div className="list-drawn" role="presentation" style={{ transform: `translateY(${top}px)` }}>
          {nodes.slice(first, last).map((node, offset) => {
            const at = first + offset
            return (
              <Node
                key={at % slots}
                id={`${id}-${at}`}
                node={node}
                files={files}
                states={states}
                isShown={at === shownAt}
                isHere={at === here}
                onChoose={() => {
                  setActive(at)
                  choose(node)
                }}
              />
            )
          })}
        </div>
      </div>
    </div>
  )
}

/** Deeper ones are indented no further. */
const maxIndent = 12

function Node({
  id,
  node,
  files,
  states,
  isShown,
  isHere,
  onChoose
}: {
  id: string
  node: FileNode
  files: TouchedFiles
  states: FileStates
  isShown: boolean
  isHere: boolean
  onChoose: () => void
}) {
  const indent = { paddingInlineStart: `calc(var(--s-2) + ${Math.min(node.depth, maxIndent)} * var(--s-3))` }
  const name = displayText(node.name.slice(0, 500))
  if (node.kind === 'folder')
    return (
      <div
        id={id}
        role="treeitem"
        aria-level={node.depth + 1}
        aria-expanded={node.isOpen}
        aria-selected={false}
        aria-label={`${name}, ${formatPlural(node.files, 'file')}`}
        className={isHere ? 'file-node hstack t2 here' : 'file-node hstack t2'}
        style={indent}
        title={name}
        onClick={onChoose}
      >
        <Icon name={node.isOpen ? 'down' : 'right'} size={14} tone="t3" />
        <bdi className="cut grow">{name}</bdi>
        {!node.isOpen && <span className="num t3 caption">{formatCount(node.files)}</span>}
      </div>
    )
  const look = fileLook(states, node.file)
  const doubt = states.doubt[node.file] ?? -1
  const words = doubt < 0 ? look.words : `${look.words}, may have changed since event ${formatCount(doubt)}`
  const reads = states.reads[node.file] ?? 0
  return (
    <div
      id={id}
      role="treeitem"
      aria-level={node.depth + 1}
      aria-selected={isShown}
      aria-label={`${name}, ${words}`}
      className={`file-node hstack ${look.tone}${isHere ? ' here' : ''}`}
      style={indent}
      title={`${displayText(files.paths[node.file]?.slice(0, 1000) ?? '')}\n${words}`}
      onClick={onChoose}
    >
      <Icon name={look.tone === 'del' ? 'gone' : 'file'} size={14} tone="t3" />
      <bdi className="cut grow">{name}</bdi>
      {reads > 0 && look.tone !== 'read' && <span className="file-reads num t3 caption">{formatCount(reads)}r</span>}
      <span className="file-doubt">{doubt < 0 ? '' : '~'}</span>
      <span className={`file-state ${look.tone}`}>{look.sign}</span>
    </div>
  )
}

import { type KeyboardEvent, useMemo, useRef, useState } from 'react'
import { withoutTerminalSequences } from '#core/index/terminal-sequences.ts'
import { chunkText, displayText } from './display-text.ts'
import { formatCount, formatPlural } from './format.ts'
import { Icon } from './icons.tsx'
import {
  firstMembers,
  inlineString,
  isContainer,
  type JsonNode,
  jsonNodes,
  memberCount,
  moreMembers,
  openAtFirst
} from './json-nodes.ts'

/** Lines that are expanded at first. */
const linesAtFirst = 40

/** A JSON value as an ARIA tree. `cut`: original lengths of shortened values, by JSON path. */
export function JsonTree({ label, value, cut }: { label: string; value: unknown; cut?: ReadonlyMap<string, number> }) {
  const [open, setOpen] = useState<ReadonlySet<string>>(() => openAtFirst(value, linesAtFirst))
  const [listed, setListed] = useState<ReadonlyMap<string, number>>(new Map())
  const [active, setActive] = useState(0)
  const tree = useRef<HTMLDivElement>(null)
  const nodes = useMemo(() => jsonNodes(value, { open, listed }), [value, open, listed])

  const toggle = (node: JsonNode) => {
    if (node.kind === 'rest') return setListed(withMore(listed, node.path))
    if (node.open !== null) setOpen(toggled(open, node.path))
  }
  const focus = (position: number) => {
    const next = Math.max(0, Math.min(nodes.length - 1, position))
    setActive(next)
    const item = tree.current?.children[next]
    if (item instanceof HTMLElement) item.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const node = nodes[active]
    if (node === undefined || !actOnKey(event.key, { node, nodes, active, toggle, focus })) return
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <div role="tree" aria-label={label} className="json" ref={tree} onKeyDown={onKeyDown}>
      {nodes.map((node, position) => (
        <div
          key={node.kind === 'rest' ? `${node.path} rest` : node.path}
          role="treeitem"
          aria-level={node.depth}
          aria-posinset={node.position}
          aria-setsize={node.siblings}
          aria-expanded={node.kind === 'value' && node.open !== null ? node.open : undefined}
          aria-selected={position === active}
          tabIndex={position === active ? 0 : -1}
          className="json-node"
          style={{ paddingInlineStart: `calc(${Math.min(node.depth, 24) - 1} * var(--s-3))` }}
          onFocus={() => setActive(position)}
          onClick={() => toggle(node)}
        >
          <Line node={node} cut={cut} />
        </div>
      ))}
    </div>
  )
}

interface TreeKeys {
  readonly node: JsonNode
  readonly nodes: readonly JsonNode[]
  readonly active: number
  readonly toggle: (node: JsonNode) => void
  readonly focus: (position: number) => void
}

/** Handles a key as in the ARIA authoring practices; false if it has no meaning in a tree. */
function actOnKey(key: string, { node, nodes, active, toggle, focus }: TreeKeys): boolean {
  const open = node.kind === 'value' ? node.open : null
  switch (key) {
    case 'ArrowDown':
      focus(active + 1)
      return true
    case 'ArrowUp':
      focus(active - 1)
      return true
    case 'Home':
      focus(0)
      return true
    case 'End':
      focus(nodes.length - 1)
      return true
    case 'ArrowRight':
      if (open === false) toggle(node)
      else if (open === true) focus(active + 1)
      return true
    case 'ArrowLeft':
      if (open === true) toggle(node)
      else focus(nodes.findLastIndex((other, at) => at < active && other.depth < node.depth))
      return true
    case 'Enter':
    case ' ':
      toggle(node)
      return true
    default:
      return false
  }
}

function toggled(open: ReadonlySet<string>, path: string): ReadonlySet<string> {
  const next = new Set(open)
  if (!next.delete(path)) next.add(path)
  return next
}

function withMore(listed: ReadonlyMap<string, number>, path: string): ReadonlyMap<string, number> {
  return new Map(listed).set(path, (listed.get(path) ?? firstMembers) + moreMembers)
}

function Line({ node, cut }: { node: JsonNode; cut: ReadonlyMap<string, number> | undefined }) {
  if (node.kind === 'rest') {
    return (
      <span className="json-rest">
        Show {formatPlural(Math.min(node.count, moreMembers), 'more member')} of {formatCount(node.count)}
      </span>
    )
  }
  const length = cut?.get(node.path)
  return (
    <>
      <span className="json-fold rigid t3">
        {node.open !== null && <Icon name={node.open ? 'down' : 'right'} size={12} />}
      </span>
      <span className="json-line grow">
        {node.key !== null && (
          <>
            <span className={typeof node.key === 'number' ? 't3' : 'json-key'}>{displayText(String(node.key))}</span>
            <span className="t3">: </span>
          </>
        )}
        <Value value={node.value} open={node.open === true} />
        {length !== undefined && <span className="t3"> {cutWords(node.value, length)}</span>}
      </span>
    </>
  )
}

function cutWords(value: unknown, length: number): string {
  const noun = typeof value === 'string' ? 'character' : Array.isArray(value) ? 'item' : 'member'
  return `cut, ${formatPlural(length, noun)} in the log`
}

function Value({ value, open }: { value: unknown; open: boolean }) {
  if (typeof value === 'string') return <StringValue text={value} open={open} />
  if (!isContainer(value))
    return <span className={typeof value === 'number' ? 'json-number' : 'json-word'}>{String(value)}</span>
  const count = memberCount(value)
  const [left, right] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  if (count === 0) return <span className="t3">{left + right}</span>
  const noun = Array.isArray(value) ? 'item' : 'member'
  return <span className="t3">{open ? left : `${left} ${formatPlural(count, noun)} ${right}`}</span>
}

function StringValue({ text, open }: { text: string; open: boolean }) {
  if (open) return <LongText text={text} className="wrap json-string" />
  const cut = text.length > inlineString
  return (
    <>
      <span className="json-string">
        {displayText(JSON.stringify(withoutTerminalSequences(cut ? text.slice(0, inlineString) : text)))}
      </span>
      {cut && <span className="t3"> … {formatCount(text.length)} characters</span>}
    </>
  )
}

/** Characters of a piece. A browser lays out only visible pieces, so megabytes of text stay fast. */
const pieceSize = 8192

/** Text of a log in pieces. Always text nodes, never markup. */
function LongText({ text, className }: { text: string; className: string }) {
  const pieces = useMemo(() => chunkText(displayText(text), pieceSize), [text])
  if (pieces.length <= 1) return <pre className={`text ${className}`}>{pieces[0] ?? ''}</pre>
  return (
    <pre className={`text ${className}`}>
      {pieces.map((piece, position) => (
        // A block ends its line itself.
        <span key={position} className="piece">
          {piece.endsWith('\n') ? piece.slice(0, -1) || '\n' : piece}
        </span>
      ))}
    </pre>
  )
}

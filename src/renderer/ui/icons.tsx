import {
  ArrowDown,
  ArrowDownToLine,
  ArrowLeftRight,
  ArrowUp,
  ArrowUpDown,
  Bookmark,
  Braces,
  ChartColumn,
  Check,
  ChevronDown,
  ChevronLeft,
  ChevronRight,
  ChevronUp,
  CircleCheck,
  CircleQuestionMark,
  CirclePause,
  CirclePlay,
  CircleStop,
  CircleX,
  Clipboard,
  Clock,
  Download,
  Link,
  Copy,
  CornerDownRight,
  EyeOff,
  FilePlus,
  FileText,
  FileWarning,
  Flag,
  Folder,
  FolderOpen,
  FolderPlus,
  GitBranch,
  GitFork,
  Globe,
  GripVertical,
  Hash,
  Info,
  Keyboard,
  Layers,
  Library,
  Lightbulb,
  ListChecks,
  ListFilter,
  LocateFixed,
  Maximize2,
  MessageSquare,
  MessageSquareReply,
  Minimize2,
  Monitor,
  Moon,
  OctagonAlert,
  OctagonPause,
  Pause,
  Pencil,
  Pilcrow,
  Play,
  Plus,
  Radio,
  RotateCw,
  Search,
  SkipBack,
  SkipForward,
  Share2,
  SquareTerminal,
  Sun,
  TriangleAlert,
  UnfoldHorizontal,
  Unplug,
  Upload,
  Trash2,
  User,
  WrapText,
  Wrench,
  X,
  ZoomIn,
  ZoomOut
} from 'lucide-react'
import type { ComponentType, ReactNode } from 'react'
import type { IssueSeverity } from '#core/formats/issue.ts'
import type { RowKind } from '#core/index/row-kind.ts'
import type { TodoFate } from '#core/replay/review.ts'
import type { ToolKind } from '#core/formats/agent.ts'
import { toolKind } from '#core/tools/tool-kind.ts'

/** A todo status. All of them are drawn on the same circle, because Lucide's icons are too similar at 12 px. */
function TodoMark({ size, children }: { size: number; children: ReactNode }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth={24 / size}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {children}
    </svg>
  )
}

/** A breakpoint: filled if enabled, else an outline. */
function Square({ size }: { size: number }) {
  return (
    <TodoMark size={size}>
      <rect x="3.5" y="3.5" width="9" height="9" rx="1" fill="currentColor" />
    </TodoMark>
  )
}
function EmptySquare({ size }: { size: number }) {
  return (
    <TodoMark size={size}>
      <rect x="3.5" y="3.5" width="9" height="9" rx="1" />
    </TodoMark>
  )
}

function Ring({ size }: { size: number }) {
  return (
    <TodoMark size={size}>
      <circle cx="8" cy="8" r="5.5" />
    </TodoMark>
  )
}

function HalfDisc({ size }: { size: number }) {
  return (
    <TodoMark size={size}>
      <circle cx="8" cy="8" r="5.5" />
      <path d="M8 4.25a3.75 3.75 0 0 1 0 7.5z" fill="currentColor" stroke="none" />
    </TodoMark>
  )
}

/** The check is cut out of the disc, so it has the background's color. */
function FilledCheck({ size }: { size: number }) {
  return (
    <TodoMark size={size}>
      <circle cx="8" cy="8" r="6.25" fill="currentColor" stroke="none" />
      <path d="m5.25 8.25 2 2 3.5-4.25" style={{ stroke: 'var(--icon-ground, var(--bg-panel))' }} strokeWidth="1.75" />
    </TodoMark>
  )
}

/** A dropped item: no circle, because it is in no list. */
function Cross({ size }: { size: number }) {
  return (
    <TodoMark size={size}>
      <path d="m4.25 4.25 7.5 7.5m0-7.5-7.5 7.5" />
    </TodoMark>
  )
}

function Slashed({ size }: { size: number }) {
  return (
    <TodoMark size={size}>
      <circle cx="8" cy="8" r="5.5" />
      <path d="m4.5 11.5 7-7" />
    </TodoMark>
  )
}

/** Playhead's logo: the tag of a position on a track. */
function Mark({ size }: { size: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 16 16" fill="none" aria-hidden="true">
      <path fill="currentColor" d="M3 1.5h10v6.25L8 13 3 7.75z" />
      <path stroke="currentColor" strokeWidth="1.5" d="M8 12v4" />
    </svg>
  )
}

const lucide = {
  bookmark: Bookmark,
  again: RotateCw,
  'go-on': MessageSquareReply,
  'pause-at': OctagonPause,
  remove: Trash2,
  add: Plus,
  agent: GitBranch,
  assistant: MessageSquare,
  bash: SquareTerminal,
  ascending: ArrowUp,
  asks: CircleQuestionMark,
  check: Check,
  clipboard: Clipboard,
  close: X,
  copy: Copy,
  density: ChartColumn,
  descending: ArrowDown,
  done: CircleCheck,
  down: ChevronDown,
  swap: ArrowLeftRight,
  edit: Pencil,
  error: CircleX,
  export: Download,
  file: FileText,
  filter: ListFilter,
  views: Layers,
  first: SkipBack,
  folder: Folder,
  'add-folder': FolderPlus,
  follow: ArrowDownToLine,
  fork: GitFork,
  gap: Clock,
  grip: GripVertical,
  hidden: EyeOff,
  number: Hash,
  gone: FileWarning,
  interrupted: CirclePause,
  keys: Keyboard,
  last: SkipForward,
  left: ChevronLeft,
  library: Library,
  link: Link,
  live: Radio,
  locate: LocateFixed,
  lost: Unplug,
  malformed: OctagonAlert,
  moved: ArrowUpDown,
  narrow: Minimize2,
  notice: Info,
  open: FolderOpen,
  pause: Pause,
  play: Play,
  prompt: User,
  read: FileText,
  reasoning: Lightbulb,
  record: Braces,
  result: CornerDownRight,
  right: ChevronRight,
  search: Search,
  session: CirclePlay,
  'theme-dark': Moon,
  'theme-light': Sun,
  'theme-system': Monitor,
  todos: ListChecks,
  tool: Wrench,
  turn: Flag,
  up: ChevronUp,
  upload: Upload,
  shared: Share2,
  stop: CircleStop,
  violation: TriangleAlert,
  web: Globe,
  wide: Maximize2,
  whole: UnfoldHorizontal,
  wrap: WrapText,
  'zoom-in': ZoomIn,
  'zoom-out': ZoomOut,
  write: FilePlus,
  written: Pilcrow
} as const

const drawn = {
  breakpoint: Square,
  'breakpoint-off': EmptySquare,
  mark: Mark,
  'todo-cancelled': Slashed,
  'todo-dropped': Cross,
  'todo-pending': Ring,
  'todo-completed': FilledCheck,
  'todo-in_progress': HalfDisc
} as const satisfies Record<string, ComponentType<{ size: number }>>

export type IconName = keyof typeof lucide | keyof typeof drawn

/** An icon in the text color or in `tone`. Without `label` it is hidden from assistive technology. */
export function Icon({
  name,
  size = 16,
  tone,
  label
}: {
  name: IconName
  size?: 12 | 14 | 16
  tone?: string | undefined
  label?: string | undefined
}) {
  const attributes = label === undefined ? { 'aria-hidden': true as const } : { role: 'img', 'aria-label': label }
  return (
    <span className={tone === undefined ? 'icon' : `icon ${tone}`} {...attributes}>
      {picture(name, size)}
    </span>
  )
}

function picture(name: IconName, size: number) {
  if (name in drawn) {
    const Drawn = drawn[name as keyof typeof drawn]
    return <Drawn size={size} />
  }
  const Lucide = lucide[name as keyof typeof lucide]
  return <Lucide size={size} strokeWidth={1.5} absoluteStrokeWidth aria-hidden="true" />
}

/** An icon and its color class. */
export interface Look {
  readonly icon: IconName
  readonly tone: string
}

const kindLooks: Record<RowKind, Look> = {
  record: { icon: 'record', tone: 'k-record' },
  session: { icon: 'session', tone: 'k-turn' },
  prompt: { icon: 'prompt', tone: 'k-prompt' },
  assistant: { icon: 'assistant', tone: 'k-text' },
  reasoning: { icon: 'reasoning', tone: 'k-reasoning' },
  status: { icon: 'notice', tone: 'k-record' },
  'result-text': { icon: 'turn', tone: 'k-turn' },
  tool: { icon: 'tool', tone: 'k-tool' },
  'tool-result': { icon: 'result', tone: 'k-result' },
  'tool-error': { icon: 'error', tone: 'k-error' },
  turn: { icon: 'turn', tone: 'k-turn' },
  error: { icon: 'error', tone: 'k-error' },
  todo: { icon: 'todos', tone: 'k-todo' },
  unparsed: { icon: 'record', tone: 'k-record' }
}

const toolIcons: Record<ToolKind, IconName> = {
  shell: 'bash',
  read: 'read',
  list: 'read',
  write: 'write',
  edit: 'edit',
  search: 'search',
  web: 'web',
  agent: 'agent'
}

/** The icon of a row. `tool`: the tool of a `tool` row. */
export function rowLook(kind: RowKind, tool: string | null): Look {
  if (kind !== 'tool' || tool === null) return kindLooks[kind]
  const does = toolKind(tool)
  return does === null ? kindLooks.tool : { icon: toolIcons[does], tone: 'k-tool' }
}

export function severityLook(severity: IssueSeverity): Look {
  return { icon: severity, tone: `s-${severity}` }
}

export function todoLook(status: TodoFate): Look {
  return { icon: `todo-${status}`, tone: `d-${status}` }
}

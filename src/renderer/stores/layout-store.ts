import { createStore, type StoreApi } from 'zustand'
import { type RowKind, rowKinds } from '#core/index/row-kind.ts'

/** What the main area shows of a log. */
export const mainViews = ['timeline', 'todos'] as const
export type MainView = (typeof mainViews)[number]

/** What the lanes of todo items are drawn over: time of which idle time is cut short, all of time, or the run's events. */
export const runScales = ['short-time', 'whole-time', 'events'] as const
export type RunScaleKind = (typeof runScales)[number]

/**
 * The panels whose size a person sets: `runs`, `side` (the inspector) and `preview` (of the library) have a width, the others a height.
 * `drawer` has the log issues, `run` what there is to a live run.
 */
export type PanelName = 'runs' | 'side' | 'preview' | 'todos' | 'drawer' | 'run' | 'snapshots'

/** Of each panel, in px: how small and how large it may be set, and what it is where nobody has set it. */
export const panelLimits: Readonly<Record<PanelName, { least: number; most: number; usual: number }>> = {
  runs: { least: 180, most: 480, usual: 232 },
  side: { least: 320, most: 1200, usual: 424 },
  preview: { least: 320, most: 1200, usual: 424 },
  todos: { least: 120, most: 900, usual: 300 },
  drawer: { least: 120, most: 800, usual: 240 },
  run: { least: 120, most: 800, usual: 240 },
  snapshots: { least: 80, most: 800, usual: 220 }
}

export type PanelSizes = Readonly<Partial<Record<PanelName, number>>>

/** A diff needs another width than a prompt: the panels whose sizes are remembered by the kind of what the inspector shows. */
const panelsByKind: readonly PanelName[] = ['side', 'todos']
type SizesByKind = Readonly<Partial<Record<RowKind, PanelSizes>>>

/** Which parts of the page are open, and how large: the same for all logs, and remembered. */
export interface LayoutState {
  view: MainView
  issuesOpen: boolean
  /** The inspector takes what room it can get. */
  wide: boolean
  /** Runs are drawn over time, and not over their events. */
  overTime: boolean
  todoScale: RunScaleKind
  /** A person's own tasks are listed; null: nobody has said. */
  tasksOpen: boolean | null
  /** The field for a person's own task was asked for. */
  addingTask: boolean
  /** What is known of the selected session stands beside the library; null: nobody has said, so where there is room. */
  previewOpen: boolean | null
  /** Keys that type something are commands where nothing is typed. A person may switch that off: who dictates would press many. */
  singleKeys: boolean
  /** Of the row that the inspector shows; null: it shows none. */
  kind: RowKind | null
  /** In px, as they are for that kind; a panel that nobody set has no entry. */
  sizes: PanelSizes

  setView(view: MainView): void
  setIssuesOpen(open: boolean): void
  setWide(wide: boolean): void
  setOverTime(overTime: boolean): void
  setTodoScale(scale: RunScaleKind): void
  setTasksOpen(open: boolean): void
  setAddingTask(adding: boolean): void
  togglePreview(): void
  setSingleKeys(singleKeys: boolean): void
  setKind(kind: RowKind | null): void
  /** Of a panel that has sizes by kind, the one of the kind that is shown, and of those that have none. null: as large as it usually is, for all. */
  resize(panel: PanelName, size: number | null): void
}

export type LayoutStore = StoreApi<LayoutState>

const sizesKey = 'playhead.panels'
const wideKey = 'playhead.wide'
const overTimeKey = 'playhead.over-time'
const todoScaleKey = 'playhead.todo-scale'
const tasksOpenKey = 'playhead.tasks-open'
const previewOpenKey = 'playhead.preview-open'
const singleKeysKey = 'playhead.single-keys'
/** In a narrower window the preview would leave the library no room. */
const roomForPreview = '(min-width: 900px)'

export function createLayoutStore(storage: Pick<Storage, 'getItem' | 'setItem'>): LayoutStore {
  let { sizes, kinds } = keptSizes(storage.getItem(sizesKey))
  const sizesFor = (kind: RowKind | null): PanelSizes => (kind === null ? sizes : { ...sizes, ...kinds[kind] })
  return createStore<LayoutState>((set, get) => ({
    view: 'timeline',
    issuesOpen: false,
    wide: storage.getItem(wideKey) === 'true',
    overTime: storage.getItem(overTimeKey) === 'true',
    todoScale: runScales.find((scale) => scale === storage.getItem(todoScaleKey)) ?? 'short-time',
    tasksOpen: keptChoice(storage.getItem(tasksOpenKey)),
    previewOpen: keptChoice(storage.getItem(previewOpenKey)),
    singleKeys: keptChoice(storage.getItem(singleKeysKey)) ?? true,
    addingTask: false,
    kind: null,
    sizes,

    setView: (view) => set({ view }),
    setIssuesOpen: (issuesOpen) => set({ issuesOpen }),
    setWide(wide) {
      storage.setItem(wideKey, String(wide))
      set({ wide })
    },
    setOverTime(overTime) {
      storage.setItem(overTimeKey, String(overTime))
      set({ overTime })
    },
    setTodoScale(todoScale) {
      storage.setItem(todoScaleKey, todoScale)
      set({ todoScale })
    },
    setAddingTask: (addingTask) => set({ addingTask }),
    setTasksOpen(tasksOpen) {
      storage.setItem(tasksOpenKey, String(tasksOpen))
      set({ tasksOpen })
    },
    togglePreview() {
      const previewOpen = !isPreviewOpen(get())
      storage.setItem(previewOpenKey, String(previewOpen))
      set({ previewOpen })
    },
    setSingleKeys(singleKeys) {
      storage.setItem(singleKeysKey, String(singleKeys))
      set({ singleKeys })
    },
    setKind(kind) {
      if (kind !== get().kind) set({ kind, sizes: sizesFor(kind) })
    },
    resize(panel, size) {
      const { kind } = get()
      sizes = resized(sizes, panel, size)
      if (size === null) {
        kinds = Object.fromEntries(Object.entries(kinds).map(([each, own]) => [each, resized(own, panel, null)]))
      } else if (kind !== null && panelsByKind.includes(panel)) {
        kinds = { ...kinds, [kind]: resized(kinds[kind] ?? {}, panel, size) }
      }
      storage.setItem(sizesKey, JSON.stringify({ ...sizes, kinds }))
      set({ sizes: sizesFor(kind) })
    }
  }))
}

export function isPreviewOpen({ previewOpen }: Pick<LayoutState, 'previewOpen'>): boolean {
  return previewOpen ?? matchMedia(roomForPreview).matches
}

function keptChoice(kept: string | null): boolean | null {
  return kept === 'true' ? true : kept === 'false' ? false : null
}

/** What was kept, as far as it makes sense: another version, or a person, may have written it. */
function keptSizes(kept: string | null): { sizes: PanelSizes; kinds: SizesByKind } {
  const values = parsed(kept)
  const byKind = memberOf(values, 'kinds')
  const kinds: Partial<Record<RowKind, PanelSizes>> = {}
  for (const kind of rowKinds) kinds[kind] = sizesIn(memberOf(byKind, kind), panelsByKind)
  return { sizes: sizesIn(values, Object.keys(panelLimits) as PanelName[]), kinds }
}

function sizesIn(values: unknown, panels: readonly PanelName[]): PanelSizes {
  const sizes: Partial<Record<PanelName, number>> = {}
  for (const panel of panels) {
    const size = memberOf(values, panel)
    if (typeof size === 'number' && Number.isFinite(size)) sizes[panel] = within(panel, size)
  }
  return sizes
}

function parsed(kept: string | null): unknown {
  try {
    return JSON.parse(kept ?? '{}')
  } catch {
    // Not JSON: as if nothing was kept.
    return null
  }
}

function memberOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined
}

function resized(sizes: PanelSizes, panel: PanelName, size: number | null): PanelSizes {
  const { [panel]: _, ...others } = sizes
  return size === null ? others : { ...others, [panel]: within(panel, size) }
}

function within(panel: PanelName, size: number): number {
  const { least, most } = panelLimits[panel]
  return Math.round(Math.max(least, Math.min(most, size)))
}

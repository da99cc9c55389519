import { createStore, type StoreApi } from 'zustand'

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
  /** What is known of the selected session stands beside the library; null: nobody has said, so where there is room. */
  previewOpen: boolean | null
  /** Keys that type something are commands where nothing is typed. A person may switch that off: who dictates would press many. */
  singleKeys: boolean
  /** In px; a panel that nobody set has no entry. */
  sizes: PanelSizes

  setView(view: MainView): void
  setIssuesOpen(open: boolean): void
  setWide(wide: boolean): void
  setOverTime(overTime: boolean): void
  setTodoScale(scale: RunScaleKind): void
  setTasksOpen(open: boolean): void
  togglePreview(): void
  setSingleKeys(singleKeys: boolean): void
  /** null: as large as it usually is. */
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
  return createStore<LayoutState>((set, get) => ({
    view: 'timeline',
    issuesOpen: false,
    wide: storage.getItem(wideKey) === 'true',
    overTime: storage.getItem(overTimeKey) === 'true',
    todoScale: runScales.find((scale) => scale === storage.getItem(todoScaleKey)) ?? 'short-time',
    tasksOpen: keptChoice(storage.getItem(tasksOpenKey)),
    previewOpen: keptChoice(storage.getItem(previewOpenKey)),
    singleKeys: keptChoice(storage.getItem(singleKeysKey)) ?? true,
    sizes: keptSizes(storage.getItem(sizesKey)),

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
    resize(panel, size) {
      const { [panel]: _, ...others } = get().sizes
      const sizes = size === null ? others : { ...others, [panel]: within(panel, size) }
      storage.setItem(sizesKey, JSON.stringify(sizes))
      set({ sizes })
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
function keptSizes(kept: string | null): PanelSizes {
  const sizes: Partial<Record<PanelName, number>> = {}
  try {
    const values: unknown = JSON.parse(kept ?? '{}')
    if (typeof values !== 'object' || values === null) return sizes
    for (const panel of Object.keys(panelLimits) as PanelName[]) {
      const size: unknown = (values as Record<string, unknown>)[panel]
      if (typeof size === 'number' && Number.isFinite(size)) sizes[panel] = within(panel, size)
    }
  } catch {
    // Not JSON: as if nothing was kept.
  }
  return sizes
}

function within(panel: PanelName, size: number): number {
  const { least, most } = panelLimits[panel]
  return Math.round(Math.max(least, Math.min(most, size)))
}

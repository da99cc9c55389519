import * as z from 'zod'
import { createStore, type StoreApi } from 'zustand'
import { parsedJson } from '#core/parsed-json.ts'
import { type RuleName, ruleNames } from '#core/findings/finding.ts'
import type { RowKind } from '#core/index/row-kind.ts'

/** The views of the main area. */
export const mainViews = ['timeline', 'todos', 'analysis', 'files', 'compare'] as const
export type MainView = (typeof mainViews)[number]

/** The axis of the todo lanes and the waterfall: time with shortened idle time, real time, or events. */
export const runScales = ['short-time', 'whole-time', 'events'] as const
export type RunScaleKind = (typeof runScales)[number]

/** Panels with a size that a person sets: the width of `runs`, `side` (inspector) and `preview`, else the height. */
export type PanelName = 'runs' | 'side' | 'preview' | 'todos' | 'drawer' | 'run' | 'snapshots' | 'compare' | 'figures'

/** In px: smallest, largest and default size. */
export const panelLimits: Readonly<Record<PanelName, { least: number; most: number; usual: number }>> = {
  runs: { least: 180, most: 480, usual: 232 },
  side: { least: 320, most: 1200, usual: 424 },
  preview: { least: 320, most: 1200, usual: 424 },
  todos: { least: 120, most: 900, usual: 300 },
  drawer: { least: 120, most: 800, usual: 240 },
  run: { least: 120, most: 800, usual: 240 },
  snapshots: { least: 80, most: 800, usual: 220 },
  compare: { least: 120, most: 800, usual: 260 },
  figures: { least: 120, most: 900, usual: 240 }
}

/** Panels whose sizes are stored per kind of row, because a diff needs more space than a prompt. */
const SizesOfKind = z.object({ side: sizeOf('side'), todos: sizeOf('todos') })
const PanelSizes = SizesOfKind.extend({
  ...{ runs: sizeOf('runs'), preview: sizeOf('preview'), drawer: sizeOf('drawer') },
  ...{ run: sizeOf('run'), snapshots: sizeOf('snapshots'), compare: sizeOf('compare') },
  figures: sizeOf('figures')
})
export type PanelSizes = Readonly<z.infer<typeof PanelSizes>>
const KeptSizes = PanelSizes.extend({ kinds: z.record(z.string(), SizesOfKind).default({}) })

/** Open parts of the page and their sizes. Shared by all logs and stored. */
export interface LayoutState {
  view: MainView
  issuesOpen: boolean
  findingsOpen: boolean
  /** Rules whose findings are not shown. */
  rulesOff: readonly RuleName[]
  /** Whether information is shown with the findings. */
  withInformation: boolean
  /** The findings that a person marked as not useful (`findingKey`), the last ones. */
  uselessFindings: readonly string[]
  /** Whether the inspector is widened. */
  wide: boolean
  /** Whether the scrubber shows time instead of events. */
  overTime: boolean
  runScale: RunScaleKind
  /** Whether a person's own tasks are listed; null: no choice yet. */
  tasksOpen: boolean | null
  /** Whether the field for a new task is open. */
  addingTask: boolean
  /** Whether the preview is beside the library; null: no choice yet, so if there is space. */
  previewOpen: boolean | null
  /** Whether single-character shortcuts are on. Dictation software types many of them (WCAG 2.1.4). */
  singleKeys: boolean
  /** The kind of the selected row; null for none. */
  kind: RowKind | null
  /** In px, for that kind; a panel with its default size is missing. */
  sizes: PanelSizes

  setView(view: MainView): void
  setIssuesOpen(open: boolean): void
  setFindingsOpen(open: boolean): void
  /** Shows or hides the findings of a rule. */
  toggleRule(rule: RuleName): void
  setWithInformation(withInformation: boolean): void
  /** Marks a finding as not useful, or takes the mark back. */
  toggleUseless(key: string): void
  setWide(wide: boolean): void
  setOverTime(overTime: boolean): void
  setRunScale(scale: RunScaleKind): void
  setTasksOpen(open: boolean): void
  setAddingTask(adding: boolean): void
  togglePreview(): void
  setSingleKeys(singleKeys: boolean): void
  setKind(kind: RowKind | null): void
  /** Sets the size for the current kind, and for kinds without one. Null: the default, for all kinds. */
  resize(panel: PanelName, size: number | null): void
}

export type LayoutStore = StoreApi<LayoutState>

const findingsOpenKey = 'playhead.findings-open'
const findingsKey = 'playhead.findings'
/** Findings marked as not useful that are remembered. */
const maxUseless = 500
const KeptFindings = z.object({
  rulesOff: z.array(z.enum(ruleNames)),
  withInformation: z.boolean(),
  uselessFindings: z.array(z.string()).max(maxUseless)
})
const usualFindings: z.infer<typeof KeptFindings> = { rulesOff: [], withInformation: false, uselessFindings: [] }
const sizesKey = 'playhead.panels'
const wideKey = 'playhead.wide'
const overTimeKey = 'playhead.over-time'
const runScaleKey = 'playhead.todo-scale'
const tasksOpenKey = 'playhead.tasks-open'
const previewOpenKey = 'playhead.preview-open'
const singleKeysKey = 'playhead.single-keys'
/** In a narrower window the preview would leave too little space for the library. */
const roomForPreview = '(min-width: 900px)'

export function createLayoutStore(storage: Pick<Storage, 'getItem' | 'setItem'>): LayoutStore {
  let { kinds, ...sizes } = parsedJson(KeptSizes, storage.getItem(sizesKey)) ?? { kinds: {} }
  const sizesFor = (kind: RowKind | null): PanelSizes => (kind === null ? sizes : { ...sizes, ...kinds[kind] })
  return createStore<LayoutState>((set, get) => {
    const keepFindings = (change: Partial<z.infer<typeof KeptFindings>>): void => {
      const { rulesOff, withInformation, uselessFindings } = get()
      const kept = { rulesOff: [...rulesOff], withInformation, uselessFindings: [...uselessFindings], ...change }
      storage.setItem(findingsKey, JSON.stringify(kept))
      set(kept)
    }
    return {
      view: 'timeline',
      issuesOpen: false,
      findingsOpen: storage.getItem(findingsOpenKey) === 'true',
      ...(parsedJson(KeptFindings, storage.getItem(findingsKey)) ?? usualFindings),
      wide: storage.getItem(wideKey) === 'true',
      overTime: storage.getItem(overTimeKey) === 'true',
      runScale: runScales.find((scale) => scale === storage.getItem(runScaleKey)) ?? 'short-time',
      tasksOpen: keptChoice(storage.getItem(tasksOpenKey)),
      previewOpen: keptChoice(storage.getItem(previewOpenKey)),
      singleKeys: keptChoice(storage.getItem(singleKeysKey)) ?? true,
      addingTask: false,
      kind: null,
      sizes,

      setView: (view) => set({ view }),
      // One drawer at a time.
      setIssuesOpen(issuesOpen) {
        set({ issuesOpen })
        if (issuesOpen && get().findingsOpen) get().setFindingsOpen(false)
      },
      setFindingsOpen(findingsOpen) {
        storage.setItem(findingsOpenKey, String(findingsOpen))
        set({ findingsOpen, ...(findingsOpen && { issuesOpen: false }) })
      },
      toggleRule(rule) {
        const { rulesOff } = get()
        keepFindings({
          rulesOff: rulesOff.includes(rule) ? rulesOff.filter((one) => one !== rule) : [...rulesOff, rule]
        })
      },
      setWithInformation: (withInformation) => keepFindings({ withInformation }),
      toggleUseless(key) {
        const others = get().uselessFindings.filter((one) => one !== key)
        const isNew = others.length === get().uselessFindings.length
        keepFindings({ uselessFindings: isNew ? [...others, key].slice(-maxUseless) : others })
      },
      setWide(wide) {
        storage.setItem(wideKey, String(wide))
        set({ wide })
      },
      setOverTime(overTime) {
        storage.setItem(overTimeKey, String(overTime))
        set({ overTime })
      },
      setRunScale(runScale) {
        storage.setItem(runScaleKey, runScale)
        set({ runScale })
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
        } else if (kind !== null && panel in SizesOfKind.shape) {
          kinds = { ...kinds, [kind]: resized(kinds[kind] ?? {}, panel, size) }
        }
        storage.setItem(sizesKey, JSON.stringify({ ...sizes, kinds }))
        set({ sizes: sizesFor(kind) })
      }
    }
  })
}

export function isPreviewOpen({ previewOpen }: Pick<LayoutState, 'previewOpen'>): boolean {
  return previewOpen ?? matchMedia(roomForPreview).matches
}

function keptChoice(kept: string | null): boolean | null {
  return kept === 'true' ? true : kept === 'false' ? false : null
}

/** In px, within the limits of the panel. */
function sizeOf(panel: PanelName) {
  return z
    .number()
    .transform((size) => within(panel, size))
    .optional()
}

function resized(sizes: PanelSizes, panel: PanelName, size: number | null): PanelSizes {
  const { [panel]: _, ...others } = sizes
  return size === null ? others : { ...others, [panel]: within(panel, size) }
}

function within(panel: PanelName, size: number): number {
  const { least, most } = panelLimits[panel]
  return Math.round(Math.max(least, Math.min(most, size)))
}

import type { LogAccess } from './log-access.ts'
import type { Playhead } from './playhead.ts'

/** `summary` is about the session, the others about the selected row. */
export const inspectorTabs = ['summary', 'event', 'raw', 'issues'] as const
export type InspectorTab = (typeof inspectorTabs)[number]

export interface InspectingState {
  readonly inspectorTab: InspectorTab
}

/** Chooses the tab of the inspector. */
export class Inspecting {
  readonly #log: LogAccess<InspectingState>

  constructor(log: LogAccess<InspectingState>, playhead: Playhead) {
    this.#log = log
    // A move by the person shows the row.
    playhead.onPersonMoves(() => {
      if (log.get().inspectorTab === 'summary') this.show('event')
    })
  }

  show(inspectorTab: InspectorTab): void {
    this.#log.set({ inspectorTab })
  }
}

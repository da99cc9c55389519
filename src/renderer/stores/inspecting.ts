import type { LogAccess } from './log-access.ts'
import type { Playhead } from './playhead.ts'

/** `summary` is of the session, the others of the row that is selected. */
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
    // Who goes to a row wants to see it.
    playhead.onPersonMoves(() => {
      if (log.get().inspectorTab === 'summary') this.show('event')
    })
  }

  show(inspectorTab: InspectorTab): void {
    this.#log.set({ inspectorTab })
  }
}

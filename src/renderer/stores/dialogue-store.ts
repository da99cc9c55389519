import { createStore, type StoreApi } from 'zustand'
import { HostError, messageOf } from '#contract/host-error.ts'
import type { DialogueLimits, OpenAsk, QueueChange } from '#contract/live-runs.ts'
import type { Host } from '#contract/methods.ts'
import type { Answer } from '#core/dialogue/ask.ts'

/** What a person says to interactive runs. The runs themselves, with their asks and queues, are in `LiveRunsState`. */
export interface DialogueState {
  /** Prompts being written, by run. They stay while another log is shown. */
  prompts: ReadonlyMap<string, string>
  /** Prompts that were removed from a queue last, by run, to put back. */
  dropped: ReadonlyMap<string, string>
  /** Asks with an answer on its way, as `RUN ASK`. */
  answering: ReadonlySet<string>
  /** Prompts on their way, by run. */
  sending: ReadonlySet<string>
  /** When the notice was said that the person has dismissed, by run. */
  seenNotices: ReadonlyMap<string, number | null>
  /** The last action that failed. */
  fault: { readonly run: string; readonly message: string } | null

  write(run: string, prompt: string): void
  /** Sends what is written. It stays written if the host refuses it. */
  send(run: string, when: 'queue' | 'now'): Promise<void>
  answer(run: string, ask: string, answer: Answer): Promise<void>
  /** The ask with its whole input; null: `fault` says why. */
  wholeAsk(run: string, ask: string): Promise<OpenAsk | null>
  changeQueue(run: string, change: QueueChange): Promise<boolean>
  /** Removes a prompt from the queue, and keeps its whole text to put back. */
  drop(run: string, id: string): Promise<void>
  /** The prompt that was removed last: queued as the last one, or written in the prompt box, where nothing sends it unasked. */
  putBack(run: string, where: 'queue' | 'box'): Promise<void>
  /** The whole text of a queued prompt; null: `fault` says why. */
  queuedText(run: string, id: string): Promise<string | null>
  interrupt(run: string): Promise<void>
  finish(run: string): Promise<void>
  /** False: the mode is dangerous, and must be confirmed. */
  setMode(run: string, mode: string, confirmed: boolean): Promise<boolean>
  setLimits(run: string, limits: DialogueLimits): Promise<boolean>
  dismissFault(): void
  dismissNotice(run: string, noticeAt: number | null): void
}

export type DialogueStore = StoreApi<DialogueState>

/** `run.changed` brings what an action changed; only failures are kept here. */
export function createDialogueStore(host: Host): DialogueStore {
  return createStore<DialogueState>((set, get) => {
    async function act<T>(run: string, call: () => Promise<T>): Promise<T | null> {
      if (get().fault?.run === run) set({ fault: null })
      try {
        return await call()
      } catch (error) {
        set({ fault: { run, message: messageOf(error) } })
        return null
      }
    }

    return {
      prompts: new Map(),
      dropped: new Map(),
      answering: new Set(),
      sending: new Set(),
      seenNotices: new Map(),
      fault: null,

      write: (run, prompt) => set({ prompts: new Map(get().prompts).set(run, prompt) }),
      async send(run, when) {
        const text = get().prompts.get(run) ?? ''
        if (text.trim() === '' || get().sending.has(run)) return
        set({ sending: including(get().sending, run) })
        const sent = await act(run, async () => await host.call('run.prompt', { run, text, when }))
        set({ sending: without(get().sending, run) })
        // What was written meanwhile stays.
        if (sent !== null && get().prompts.get(run) === text) get().write(run, '')
      },
      async answer(run, ask, answer) {
        const key = `${run} ${ask}`
        if (get().answering.has(key)) return
        set({ answering: including(get().answering, key) })
        await act(run, async () => await host.call('run.answer', { run, ask, answer }))
        set({ answering: without(get().answering, key) })
      },
      async wholeAsk(run, ask) {
        return await act(run, async () => (await host.call('run.ask', { run, ask })).ask)
      },
      async changeQueue(run, change) {
        return (await act(run, async () => await host.call('run.queue', { run, change }))) !== null
      },
      async drop(run, id) {
        const text = await get().queuedText(run, id)
        if (text === null || !(await get().changeQueue(run, { drop: id }))) return
        set({ dropped: new Map(get().dropped).set(run, text) })
      },
      async putBack(run, where) {
        const text = get().dropped.get(run)
        if (text === undefined) return
        if (where === 'box') {
          const written = get().prompts.get(run) ?? ''
          get().write(run, written.trim() === '' ? text : `${written}\n${text}`)
        } else if ((await act(run, async () => await host.call('run.prompt', { run, text, when: 'queue' }))) === null)
          return
        const dropped = new Map(get().dropped)
        dropped.delete(run)
        set({ dropped })
      },
      async queuedText(run, id) {
        return await act(run, async () => (await host.call('run.queued', { run, id })).text)
      },
      async interrupt(run) {
        await act(run, async () => await host.call('run.interrupt', { run }))
      },
      async finish(run) {
        await act(run, async () => await host.call('run.finish', { run }))
      },
      async setMode(run, mode, confirmed) {
        let mustConfirm = false
        await act(run, async () => {
          try {
            await host.call('run.setMode', { run, mode, confirmed })
          } catch (error) {
            mustConfirm = error instanceof HostError && error.code === 'not-confirmed'
            if (!mustConfirm) throw error
          }
        })
        return !mustConfirm
      },
      async setLimits(run, limits) {
        return (await act(run, async () => await host.call('run.setLimits', { run, limits }))) !== null
      },
      dismissFault: () => set({ fault: null }),
      dismissNotice: (run, noticeAt) => set({ seenNotices: new Map(get().seenNotices).set(run, noticeAt) })
    }
  })
}

function including(set: ReadonlySet<string>, key: string): ReadonlySet<string> {
  return new Set([...set, key])
}

function without(set: ReadonlySet<string>, key: string): ReadonlySet<string> {
  return new Set([...set].filter((each) => each !== key))
}

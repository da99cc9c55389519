import { useEffect, useRef } from 'react'
import { useApp } from '../../stores/app-store.ts'
import { runsWithAsks } from '../../stores/live-runs-store.ts'
import { useLiveRuns } from '../../stores/use-live-runs.ts'
import { formatCount } from '../../ui/format.ts'
import { agentName } from '../live-runs/run-words.ts'
import { asksSentence } from './dialogue-words.ts'

/** How many requests of all runs of this host wait for a person. */
export function useWaitingAsks(): number {
  return useLiveRuns(({ runs }) =>
    runsWithAsks(runs).reduce((sum, { dialogue }) => sum + (dialogue?.asks.length ?? 0), 0)
  )
}

/**
 * Says each new request once, and how many there are if several come together: to a screen reader, and as a desktop notice if the window is
 * not in front and notices are allowed. The notice opens the run. It answers nothing.
 */
export function AsksTold() {
  const runs = useLiveRuns((state) => state.runs)
  const openRun = useApp((app) => app.openRun)
  const waiting = useWaitingAsks()
  const told = useRef(new Set<string>())
  const region = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    const open = runsWithAsks(runs).flatMap((run) =>
      (run.dialogue?.asks ?? []).map((ask) => {
        const agent = agentName(run)
        // With its sentence, as an agent can use an id again.
        return { run, ask, agent, key: `${run.run} ${ask.id} ${asksSentence([{ ask, agent }])}` }
      })
    )
    const fresh = open.filter(({ key }) => !told.current.has(key))
    told.current = new Set(open.map(({ key }) => key))
    const [first] = fresh
    if (first === undefined) return
    const sentence = asksSentence(fresh)
    if (region.current !== null)
      region.current.textContent =
        open.length > fresh.length ? `${sentence} ${formatCount(open.length)} waiting.` : sentence
    if (document.hasFocus() || typeof Notification === 'undefined' || Notification.permission !== 'granted') return
    const title = fresh.length === 1 ? `${first.agent} waits for you` : 'Agents wait for you'
    const notice = new Notification(title, { body: sentence, tag: first.key })
    notice.addEventListener('click', () => {
      window.focus()
      void openRun(first.run)
    })
  }, [runs, openRun])
  return <p ref={region} className="unseen" role="status" aria-label="Requests" data-waiting={waiting} />
}

import './dialogue.css'
import { useState } from 'react'
import type { LiveRun, OpenAsk } from '#contract/live-runs.ts'
import { useDialogue } from '../../stores/use-dialogue.ts'
import { Banner } from '../../ui/banner.tsx'
import { displayText } from '../../ui/display-text.ts'
import { formatCount, formatPlural } from '../../ui/format.ts'
import { AskCard } from './ask-card.tsx'
import { canTalk } from './dialogue-words.ts'
import { LimitsDialog } from './limits-dialog.tsx'
import { PromptBox } from './prompt-box.tsx'
import { PromptQueue } from './prompt-queue.tsx'
import { useOffers } from './use-offers.ts'

/** Each shows its whole input, so only the oldest are drawn at first, and a few more at a time. */
const firstAsks = 4
const moreAsks = 10

/** The asks of the shown run, oldest first; nothing without one. */
export function OpenAsks({ run }: { run: LiveRun }) {
  // Ids, not a count: with a count, many answers at once would bring as many new cards into one frame.
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const offers = useOffers(run)
  const asks = run.dialogue?.asks ?? []
  if (asks.length === 0) return null
  const stillOpen = asks.filter(({ id }) => chosen.has(id)).length
  const shown = asks.slice(0, Math.max(firstAsks, stillOpen))
  const showMore = () => setChosen(new Set(asks.slice(0, shown.length + moreAsks).map(({ id }) => id)))
  const hidden = asks.length - shown.length
  return (
    <section className="asks rigid" aria-label="Waiting for you">
      {shown.map((ask: OpenAsk, at) => (
        <AskCard key={ask.id} run={run} ask={ask} place={[at + 1, asks.length]} dialogue={offers} />
      ))}
      {hidden > 0 && (
        <button type="button" className="btn edged asks-more" onClick={showMore}>
          {hidden > moreAsks
            ? `Show ${moreAsks} of ${formatCount(hidden)} more requests`
            : `Show ${formatPlural(hidden, 'more request')}`}
        </button>
      )}
    </section>
  )
}

/** What a person says to the shown run: the queue and the prompt box. Nothing for a run that is over. */
export function TalkPanel({ run }: { run: LiveRun }) {
  const fault = useDialogue((state) => (state.fault?.run === run.run ? state.fault.message : null))
  const { dismissFault, dismissNotice } = useDialogue('dismissFault', 'dismissNotice')
  const seenNotice = useDialogue((state) => state.seenNotices.get(run.run))
  const offers = useOffers(run)
  const [limits, setLimits] = useState(false)
  const { dialogue } = run
  if (dialogue === null) return null
  const open = canTalk(run)
  if (!open && dialogue.queue.length === 0 && fault === null) return null
  return (
    <section className="talk rigid vstack" aria-label="Talk to the run">
      {fault !== null && (
        <Banner severity="malformed" icon="error" onDismiss={dismissFault}>
          {displayText(fault)}
        </Banner>
      )}
      {dialogue.notice !== null && seenNotice !== dialogue.noticeAt && (
        <Banner
          severity="violation"
          onDismiss={() => dismissNotice(run.run, dialogue.noticeAt)}
          actions={
            open && (
              <button type="button" className="btn edged" onClick={() => setLimits(true)}>
                Limits…
              </button>
            )
          }
        >
          {displayText(dialogue.notice)}
        </Banner>
      )}
      <PromptQueue run={run} dialogue={dialogue} canChange={open} />
      {open && <PromptBox run={run} dialogue={dialogue} offers={offers} onLimits={() => setLimits(true)} />}
      {limits && <LimitsDialog run={run} onClose={() => setLimits(false)} />}
    </section>
  )
}

import { useState } from 'react'
import { defaultDialogueLimits, type LiveRun } from '#contract/live-runs.ts'
import { type LimitField, limitsDraftOf, limitsOf } from '../../stores/limits-draft.ts'
import { useDialogue } from '../../stores/use-dialogue.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { LimitFields } from './limit-fields.tsx'
import { useOffers } from './use-offers.ts'

/** Raises, lowers or removes the limits of a run that goes on. */
export function LimitsDialog({ run, onClose }: { run: LiveRun; onClose: () => void }) {
  const setLimits = useDialogue((state) => state.setLimits)
  const offers = useOffers(run)
  const [draft, setDraft] = useState(() => limitsDraftOf(run.limits ?? defaultDialogueLimits))
  const [problems, setProblems] = useState<Readonly<Partial<Record<LimitField, string>>>>({})
  return (
    <Dialog title="Limits of this run" className="limits-dialog" onClose={onClose}>
      <form
        className="new-run vstack"
        aria-label="Limits of this run"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          const read = limitsOf(draft)
          if ('problems' in read) return setProblems(read.problems)
          void setLimits(run.run, read.limits).then((done) => done && onClose())
        }}
      >
        <div className="new-run-fields">
          <LimitFields
            draft={draft}
            problems={problems}
            offers={offers}
            onChange={(next) => {
              setDraft(next)
              setProblems({})
            }}
          />
        </div>
        <footer className="new-run-foot hstack rigid">
          <span className="grow" />
          <button type="button" className="btn big edged" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="btn big primary">
            Set limits
          </button>
        </footer>
      </form>
    </Dialog>
  )
}

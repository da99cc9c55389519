import type { LiveRun, RunDialogue } from '#contract/live-runs.ts'
import { useLost } from '../../stores/app-store.ts'
import { useDialogue } from '../../stores/use-dialogue.ts'
import { keepFocus } from '../../ui/button.tsx'
import { Icon } from '../../ui/icons.tsx'

/** Ends the turn, or the run after it. */
export function RunControls({ run, dialogue }: { run: LiveRun; dialogue: RunDialogue }) {
  const { interrupt, finish } = useDialogue('interrupt', 'finish')
  const lost = useLost()
  const inTurn = dialogue.turn === 'working' || dialogue.turn === 'asking'
  return (
    <>
      <button
        type="button"
        className="btn"
        aria-disabled={!inTurn || lost}
        title={inTurn ? 'End this turn. The run goes on, and the queue is held.' : 'No turn is running'}
        onMouseDown={keepFocus}
        onClick={() => {
          if (inTurn && !lost) void interrupt(run.run)
        }}
      >
        <Icon name="interrupted" size={14} />
        {dialogue.turn === 'interrupting' ? 'Interrupting…' : 'Interrupt'}
      </button>
      <button
        type="button"
        className="btn"
        aria-disabled={lost}
        title="End the run. The agent gets no more input, and has 20 s to end. You can go on with the session later."
        onMouseDown={keepFocus}
        onClick={() => {
          if (!lost) void finish(run.run)
        }}
      >
        <Icon name="done" size={14} />
        Finish
      </button>
    </>
  )
}

import { type KeyboardEvent, useLayoutEffect, useRef } from 'react'
import { type Agent, type LiveRun, promptProblem, type RunDialogue } from '#contract/live-runs.ts'
import { focusTimeline } from '../../keyboard.ts'
import { useLost } from '../../stores/app-store.ts'
import { useDialogue } from '../../stores/use-dialogue.ts'
import { formatPlural } from '../../ui/format.ts'
import { IconButton } from '../../ui/button.tsx'
import { agentName } from '../live-runs/run-words.ts'

import { ModeChoice } from './mode-choice.tsx'
import { RunControls } from './run-controls.tsx'

const mostLines = 8
const lineHeight = 20

/** Where the next prompt is written. Enter sends it, or queues it while the agent works. */
export function PromptBox({
  run,
  dialogue,
  offers,
  onLimits
}: {
  run: LiveRun
  dialogue: RunDialogue
  offers: Agent['dialogue']
  onLimits: () => void
}) {
  const text = useDialogue(({ prompts }) => prompts.get(run.run) ?? '')
  const isSending = useDialogue(({ sending }) => sending.has(run.run))
  const { write, send } = useDialogue('write', 'send')
  const lost = useLost()
  const field = useRef<HTMLTextAreaElement>(null)
  useLayoutEffect(() => {
    const element = field.current
    if (element === null) return
    element.style.height = 'auto'
    element.style.height = `${Math.min(mostLines * lineHeight, element.scrollHeight)}px`
  }, [text])
  const goesAtOnce = dialogue.turn === 'idle' && !dialogue.held && dialogue.queue.length === 0
  const canJoin = offers?.promptsDuringTurn === true && (dialogue.turn === 'working' || dialogue.turn === 'asking')
  const problem = text.trim() === '' ? null : promptProblem(text)
  const cannot = text.trim() === '' || problem !== null || isSending || lost
  const submit = (when: 'queue' | 'now') => {
    if (!cannot) void send(run.run, when)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.stopPropagation()
      focusTimeline()
    }
    if (event.key !== 'Enter' || event.shiftKey || event.altKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    const isNow = event.ctrlKey || event.metaKey
    if (!isNow || canJoin || goesAtOnce) submit(isNow && canJoin ? 'now' : 'queue')
  }
  const waiting = dialogue.queue.length
  return (
    <form
      className="composer"
      aria-label="Prompt"
      onSubmit={(event) => {
        event.preventDefault()
        submit('queue')
      }}
    >
      <textarea
        ref={field}
        rows={1}
        aria-label={`Write to ${agentName(run)}`}
        placeholder={`Write to ${agentName(run)}`}
        value={text}
        onChange={(event) => write(run.run, event.target.value)}
        onKeyDown={onKeyDown}
      />
      <div className="hstack composer-buttons">
        {canJoin && (
          <button
            type="button"
            className="btn"
            disabled={cannot}
            title="The agent reads it during this turn  Ctrl Enter"
            onClick={() => submit('now')}
          >
            Send now
          </button>
        )}
        <button type="submit" className={goesAtOnce ? 'btn primary' : 'btn edged'} disabled={cannot}>
          {goesAtOnce ? 'Send' : waiting > 0 ? `Queue, ${waiting} waiting` : 'Queue'}
        </button>
      </div>
      {problem !== null && <p className="field-error composer-said">{problem}</p>}
      <div className="hstack composer-tools">
        <ModeChoice run={run} dialogue={dialogue} offers={offers} />
        <IconButton icon="gap" label="Limits of this run" onClick={onLimits} />
        <span className="grow" />
        <span className="caption t3 composer-keys">
          <kbd>Enter</kbd> {goesAtOnce ? 'sends' : 'queues'} · <kbd>Shift Enter</kbd> new line
          {canJoin && (
            <>
              {' '}
              · <kbd>Ctrl Enter</kbd> sends now
            </>
          )}{' '}
          · <kbd>Esc</kbd> to the timeline
        </span>
        <RunControls run={run} dialogue={dialogue} />
      </div>
      <span className="unseen" role="status">
        {waiting > 0 ? `${formatPlural(waiting, 'prompt')} in the queue` : ''}
      </span>
    </form>
  )
}

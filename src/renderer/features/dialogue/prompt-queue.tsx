import { type KeyboardEvent, memo, useEffect, useRef, useState } from 'react'
import type { LiveRun, QueuedPrompt, RunDialogue } from '#contract/live-runs.ts'
import { useDialogue } from '../../stores/use-dialogue.ts'
import { IconButton } from '../../ui/button.tsx'
import { displayText } from '../../ui/display-text.ts'
import { formatCount } from '../../ui/format.ts'
import { whenSent } from './dialogue-words.ts'

/** Prompts that wait for their turn. Alt with an arrow moves the one with the focus. */
export function PromptQueue({ run, dialogue, canChange }: { run: LiveRun; dialogue: RunDialogue; canChange: boolean }) {
  const dropped = useDialogue((state) => state.dropped.get(run.run))
  const { changeQueue, putBack } = useDialogue('changeQueue', 'putBack')
  const { queue, held } = dialogue
  if (queue.length === 0 && dropped === undefined) return null
  return (
    <div className="queue">
      {held && queue.length > 0 && (
        <p className="hstack queue-held">
          <span className="grow">The queue is held. Nothing is sent before you say so.</span>
          <button
            type="button"
            className="btn edged"
            disabled={!canChange}
            onClick={() => void changeQueue(run.run, { release: true })}
          >
            Go on with the queue
          </button>
        </p>
      )}
      <ol aria-label="Queued prompts">
        {queue.map((prompt, at) => (
          <Queued
            key={prompt.id}
            run={run.run}
            prompt={prompt}
            position={at}
            isLast={at === queue.length - 1}
            when={whenSent(at, dialogue)}
            canChange={canChange}
          />
        ))}
      </ol>
      {/* An agent that waits would get it at once. */}
      {dropped !== undefined && (
        <p className="caption t2 queue-dropped" role="status">
          Removed “{displayText(dropped.slice(0, 60))}”.{' '}
          <button
            type="button"
            className="link"
            disabled={!canChange}
            onClick={() => void putBack(run.run, dialogue.turn === 'idle' ? 'box' : 'queue')}
          >
            Put it back
          </button>
        </p>
      )}
    </div>
  )
}

/** Drawn again only if it changes itself: the queue may be long, and its run goes on. */
const Queued = memo(function Queued({
  run,
  prompt,
  position,
  isLast,
  when,
  canChange
}: {
  run: string
  prompt: QueuedPrompt
  position: number
  isLast: boolean
  when: string
  canChange: boolean
}) {
  const { changeQueue, drop, queuedText } = useDialogue('changeQueue', 'drop', 'queuedText')
  const [editing, setEditing] = useState<string | null>(null)
  const name = `prompt ${position + 1}`
  const move = (by: 1 | -1) => {
    if (by === -1 ? position > 0 : !isLast) void changeQueue(run, { move: prompt.id, to: position + by })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') || !canChange) return
    event.preventDefault()
    move(event.key === 'ArrowUp' ? -1 : 1)
  }
  if (editing !== null) {
    return <EditQueued run={run} prompt={prompt} text={editing} name={name} onClose={() => setEditing(null)} />
  }
  return (
    <li className="queued" onKeyDown={onKeyDown}>
      <span className="num t3">{formatCount(position + 1)}</span>
      <span className="cut" title={prompt.text.slice(0, 1000)}>
        {displayText(prompt.text.slice(0, 300))}
      </span>
      <span className="caption t3">{when}</span>
      {canChange && (
        <span className="queued-tools">
          {!(isLast && position === 0) && (
            <>
              <IconButton
                small
                icon="up"
                label={`Move ${name} up`}
                disabled={position === 0}
                onClick={() => move(-1)}
              />
              <IconButton small icon="down" label={`Move ${name} down`} disabled={isLast} onClick={() => move(1)} />
            </>
          )}
          <IconButton
            small
            icon="edit"
            label={`Edit ${name}`}
            onClick={() => void queuedText(run, prompt.id).then((text) => setEditing(text))}
          />
          <IconButton small icon="close" label={`Remove ${name}`} onClick={() => void drop(run, prompt.id)} />
        </span>
      )}
    </li>
  )
})

function EditQueued({
  run,
  prompt,
  text: before,
  name,
  onClose
}: {
  run: string
  prompt: QueuedPrompt
  text: string
  name: string
  onClose: () => void
}) {
  const changeQueue = useDialogue((state) => state.changeQueue)
  const [text, setText] = useState(before)
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => field.current?.focus(), [])
  return (
    <li className="queued-edit">
      <form
        className="vstack"
        aria-label={`Edit ${name}`}
        onSubmit={(event) => {
          event.preventDefault()
          if (text.trim() === '') return
          void changeQueue(run, { edit: prompt.id, text }).then((done) => done && onClose())
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') {
            event.stopPropagation()
            onClose()
          } else if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) {
            event.preventDefault()
            event.currentTarget.requestSubmit()
          }
        }}
      >
        <textarea
          ref={field}
          className="dialogue-text"
          rows={3}
          aria-label={name}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <div className="hstack ask-buttons">
          <button type="submit" className="btn edged" disabled={text.trim() === ''}>
            Save
          </button>
          <button type="button" className="btn" onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </li>
  )
}

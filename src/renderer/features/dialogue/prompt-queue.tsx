import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
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
  const list = useRef<HTMLOListElement>(null)
  if (queue.length === 0 && dropped === undefined) return null
  const move = (at: number, to: number) => {
    const prompt = queue[at]
    if (prompt !== undefined && to >= 0 && to < queue.length) void changeQueue(run.run, { move: prompt.id, to })
  }
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
      <ol ref={list} aria-label="Queued prompts">
        {queue.map((prompt, at) => (
          <Queued
            key={prompt.id}
            run={run}
            prompt={prompt}
            position={at}
            count={queue.length}
            when={whenSent(at, dialogue)}
            canChange={canChange}
            onMove={(by) => move(at, at + by)}
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

function Queued({
  run,
  prompt,
  position,
  count,
  when,
  canChange,
  onMove
}: {
  run: LiveRun
  prompt: QueuedPrompt
  position: number
  count: number
  when: string
  canChange: boolean
  onMove: (by: 1 | -1) => void
}) {
  const { drop, queuedText } = useDialogue('drop', 'queuedText')
  const [editing, setEditing] = useState<string | null>(null)
  const name = `prompt ${position + 1}`
  const onKeyDown = (event: KeyboardEvent) => {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') || !canChange) return
    event.preventDefault()
    onMove(event.key === 'ArrowUp' ? -1 : 1)
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
          {count > 1 && (
            <>
              <IconButton
                small
                icon="up"
                label={`Move ${name} up`}
                disabled={position === 0}
                onClick={() => onMove(-1)}
              />
              <IconButton
                small
                icon="down"
                label={`Move ${name} down`}
                disabled={position === count - 1}
                onClick={() => onMove(1)}
              />
            </>
          )}
          <IconButton
            small
            icon="edit"
            label={`Edit ${name}`}
            onClick={() => void queuedText(run.run, prompt.id).then((text) => setEditing(text))}
          />
          <IconButton small icon="close" label={`Remove ${name}`} onClick={() => void drop(run.run, prompt.id)} />
        </span>
      )}
    </li>
  )
}

function EditQueued({
  run,
  prompt,
  text: before,
  name,
  onClose
}: {
  run: LiveRun
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
          void changeQueue(run.run, { edit: prompt.id, text }).then((done) => done && onClose())
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

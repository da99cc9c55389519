import { type MouseEvent, useEffect, useId, useRef, useState } from 'react'
import type { Agent, LiveRun, OpenAsk } from '#contract/live-runs.ts'
import type { Answer } from '#core/dialogue/ask.ts'
import { runMode } from '#core/formats/agent-modes.ts'
import { useLost } from '../../stores/app-store.ts'
import { useDialogue } from '../../stores/use-dialogue.ts'
import { displayText } from '../../ui/display-text.ts'
import { formatCount } from '../../ui/format.ts'
import { Icon } from '../../ui/icons.tsx'
import { Fact, Facts } from '../inspector/facts.tsx'
import { agentName } from '../live-runs/run-words.ts'
import { AskInput } from './ask-input.tsx'
import { askSubject, askTitle, canTalk } from './dialogue-words.ts'
import { QuestionForm } from './question-form.tsx'
import { RefuseForm } from './refuse-form.tsx'
import { WaitingTime } from './waiting-time.tsx'

type Dialogue = NonNullable<Agent['dialogue']>

/** Of an agent that is not known yet: the least that can be offered. */
const leastRefusal: Dialogue['refusal'] = { tellsMessage: true, endsTurn: false }

/** A request that waits for a person: what it is, and the answers. Nothing is answered by a single key. */
export function AskCard({
  run,
  ask: told,
  place,
  dialogue
}: {
  run: LiveRun
  ask: OpenAsk
  /** Its number among the open ones, and how many there are. */
  place: readonly [number, number]
  dialogue: Dialogue | null
}) {
  const { answer, wholeAsk } = useDialogue('answer', 'wholeAsk')
  const isBusy = useDialogue(({ answering }) => answering.has(`${run.run} ${told.id}`))
  const lost = useLost()
  const [fetched, setFetched] = useState<OpenAsk | null>(null)
  const [reading, setReading] = useState(false)
  const ask = fetched ?? told
  const busy = isBusy || lost
  const id = useId()
  const give = (given: Answer) => void answer(run.run, ask.id, given)
  return (
    <section
      className="ask"
      role="group"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-subject`}
      tabIndex={-1}
      data-ask={ask.id}
    >
      <header className="hstack">
        <Icon name="asks" size={14} tone="s-violation" />
        <h3 id={`${id}-title`}>{askTitle(ask, agentName(run))}</h3>
        <span id={`${id}-subject`} className="cut t2 mono grow">
          {ask.kind === 'question' ? '' : askSubject(ask)}
        </span>
        <WaitingTime since={ask.since} />
        {place[1] > 1 && (
          <span className="num t2">
            {formatCount(place[0])} of {formatCount(place[1])}
          </span>
        )}
      </header>
      <div className="ask-body">
        {ask.reason !== null && <p className="t2">{displayText(ask.reason)}</p>}
        {(ask.folder !== null || ask.trackId !== null) && (
          <Facts>
            <Fact name="Folder" value={ask.folder ?? undefined} mono />
            <Fact name="Subagent" value={ask.trackId ?? undefined} mono />
          </Facts>
        )}
        {ask.kind !== 'question' && <AskInput ask={ask} agent={run.agent} />}
        {ask.kind === 'unknown' && <p className="t2">It can be refused, not allowed.</p>}
        {ask.cut && (
          <p>
            Too long to show at once.{' '}
            <button
              type="button"
              className="link"
              disabled={reading || lost}
              onClick={() => {
                setReading(true)
                void wholeAsk(run.run, ask.id).then((all) => {
                  setReading(false)
                  if (all !== null) setFetched(all)
                })
              }}
            >
              {reading ? 'Loading…' : 'Show all of it'}
            </button>{' '}
            <span className="t3">It can be allowed after that.</span>
          </p>
        )}
      </div>
      {!canTalk(run) ? (
        <p className="ask-foot t2">
          {run.own ? 'The run takes no more answers.' : 'Another Playhead started this run. Answer there.'}
        </p>
      ) : ask.kind === 'question' && !ask.cut ? (
        <div className="ask-foot">
          <QuestionForm
            questions={ask.questions}
            busy={busy}
            onAnswer={(answers) => give({ answers })}
            onRefuse={() => give({ refuse: '', endTurn: false })}
          />
        </div>
      ) : (
        <Decision agent={run.agent} ask={ask} busy={busy} dialogue={dialogue} onAnswer={give} />
      )}
    </section>
  )
}

/** Allow once, allow for this run after what it covers was said, or refuse. */
function Decision({
  agent,
  ask,
  busy,
  dialogue,
  onAnswer
}: {
  agent: LiveRun['agent']
  ask: OpenAsk
  busy: boolean
  dialogue: Dialogue | null
  onAnswer: (answer: Answer) => void
}) {
  const [step, setStep] = useState<'choose' | 'refuse' | 'for-run'>('choose')
  const [mode, setMode] = useState(ask.modes[0])
  const refuse = useRef<HTMLButtonElement>(null)
  const forRun = useRef<HTMLButtonElement>(null)
  const was = useRef(step)
  useEffect(() => {
    if (step === 'choose')
      (was.current === 'for-run' ? forRun : was.current === 'refuse' ? refuse : null)?.current?.focus()
    was.current = step
  }, [step])
  const canAllow = !ask.cut && ask.kind !== 'unknown'
  const titleOf = (each: string) =>
    (dialogue?.modes.find((known) => known.id === each) ?? runMode(agent, each, true))?.title ?? displayText(each)
  if (step === 'refuse') {
    return (
      <div className="ask-foot">
        <RefuseForm
          refusal={dialogue?.refusal ?? leastRefusal}
          busy={busy}
          onRefuse={(message, endTurn) => onAnswer({ refuse: message, endTurn })}
          onClose={() => setStep('choose')}
        />
      </div>
    )
  }
  if (step === 'for-run') {
    return (
      <div className="ask-foot">
        <ScopeConfirm
          scopes={ask.scopes}
          busy={busy}
          onAllow={() => onAnswer({ allow: 'run' })}
          onClose={() => setStep('choose')}
        />
      </div>
    )
  }
  return (
    <div className="ask-foot hstack ask-buttons">
      {canAllow && (
        <button
          type="button"
          className={ask.needsCare ? 'btn big edged' : 'btn big primary'}
          disabled={busy}
          onClick={(event) =>
            isFirstClick(event) &&
            onAnswer(ask.kind === 'plan' && mode !== undefined ? { allow: 'once', mode } : { allow: 'once' })
          }
        >
          {ask.kind === 'plan' ? 'Approve plan' : 'Allow once'}
        </button>
      )}
      {canAllow && ask.kind === 'plan' && ask.modes.length > 0 && (
        <label className="hstack">
          <span className="t2">and then</span>
          <span className="field big choice">
            <select value={mode} onChange={(event) => setMode(event.target.value)}>
              {ask.modes.map((each) => (
                <option key={each} value={each}>
                  {titleOf(each)}
                </option>
              ))}
            </select>
            <Icon name="down" size={12} tone="t2" />
          </span>
        </label>
      )}
      {canAllow && ask.scopes.length > 0 && (
        <button ref={forRun} type="button" className="btn big edged" disabled={busy} onClick={() => setStep('for-run')}>
          Allow for this run…
        </button>
      )}
      <span className="grow" />
      <button
        ref={refuse}
        type="button"
        className={ask.needsCare || !canAllow ? 'btn big primary' : 'btn big edged'}
        data-careful={ask.needsCare ? '' : undefined}
        disabled={busy}
        onClick={() => setStep('refuse')}
      >
        Refuse…
      </button>
    </div>
  )
}

/** The second of a double click may land on a button that has only just moved there. */
function isFirstClick({ detail }: MouseEvent): boolean {
  return detail < 2
}

/** What "Allow for this run" covers, before it is allowed. */
function ScopeConfirm({
  scopes,
  busy,
  onAllow,
  onClose
}: {
  scopes: readonly string[]
  busy: boolean
  onAllow: () => void
  onClose: () => void
}) {
  const back = useRef<HTMLButtonElement>(null)
  const id = useId()
  useEffect(() => back.current?.focus(), [])
  return (
    <div
      className="ask-more vstack"
      role="group"
      aria-label="Allow for this run"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        onClose()
      }}
    >
      <div id={id}>
        <p className="medium">Until this run ends, nobody is asked again for:</p>
        <ul className="ask-scopes">
          {scopes.map((scope) => (
            <li key={scope} className="mono">
              {displayText(scope)}
            </li>
          ))}
        </ul>
      </div>
      <div className="hstack ask-buttons">
        <button
          type="button"
          className="btn big primary"
          disabled={busy}
          aria-describedby={id}
          onClick={(event) => isFirstClick(event) && onAllow()}
        >
          Allow for this run
        </button>
        <span className="grow" />
        <button ref={back} type="button" className="btn big" onClick={onClose}>
          Back
        </button>
      </div>
    </div>
  )
}

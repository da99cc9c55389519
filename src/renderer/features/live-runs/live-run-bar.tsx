import './live-runs.css'
import { type RefObject, useLayoutEffect, useRef } from 'react'
import { deniedText, deniedTextWithTools } from '#core/bridge/denied-calls.ts'
import type { LiveRun } from '#contract/live-runs.ts'
import { useApp, useLost } from '../../stores/app-store.ts'
import { canGoOn } from '../../stores/going-on.ts'
import { isOngoing } from '../../stores/live-runs-store.ts'
import { useLiveRuns } from '../../stores/use-live-runs.ts'
import { Banner } from '../../ui/banner.tsx'
import { IconButton, keepFocus } from '../../ui/button.tsx'
import { formatBytes, formatDuration, formatElapsed, formatLarge } from '../../ui/format.ts'
import { Icon } from '../../ui/icons.tsx'
import { useTooltip } from '../../ui/shown-keys.ts'
import { Sourced } from '../../ui/provenance.tsx'
import { useElapsed } from './elapsed.ts'
import type { RunTab } from './run-drawer.tsx'
import { runBefore } from './run-before.ts'
import { RunCost, Silence } from '../dialogue/run-figures.tsx'
import { RunIcon } from './run-icon.tsx'
import { RunOrigin } from './run-origin.tsx'
import { agentName, exitText, runLook, runNote } from './run-words.ts'

/** The state of the run whose recording is shown, and its actions. Growing numbers do not move the layout. */
export function LiveRunBar({
  run,
  tab,
  onTab
}: {
  run: LiveRun
  /** The open tab of the drawer. */
  tab: RunTab | null
  onTab: (tab: RunTab | null) => void
}) {
  const { showRunForm, runAgain, goOn } = useApp('showRunForm', 'runAgain', 'goOn')
  const fill = useApp((app) => app.newRun.getState().fill)
  const fault = useLiveRuns((state) => (state.fault?.run === run.run ? state.fault.message : null))
  const bar = useRef<HTMLElement>(null)
  useFocusAtEnd(bar, run)
  const tooltip = useTooltip()
  const going = isOngoing(run)
  const lost = useLost()
  const look = runLook(run, lost)
  const exit = exitText(run)
  const note = runNote(run)
  const toggle = (next: RunTab) => onTab(tab === next ? null : next)
  return (
    <>
      <section
        ref={bar}
        className="run-bar panel-head hstack rigid"
        aria-label="Live run"
        tabIndex={-1}
        data-state={run.state}
        data-talks={run.dialogue === null ? undefined : ''}
      >
        <RunIcon run={run} />
        <span className={`medium run-bar-state ${look.tone}`}>{look.word}</span>
        <span className="unseen" role="status">
          {[`${agentName(run)}: ${look.word}`, ...(going || run.denied === null ? [] : [deniedText(run.denied)])].join(
            ', '
          )}
        </span>
        <Elapsed run={run} />
        <span className="t2 cut run-bar-agent" title={run.version ?? undefined}>
          {agentName(run)}
        </span>
        {run.dialogue !== null && going && <Silence dialogue={run.dialogue} />}
        {run.dialogue !== null && <RunCost run={run} dialogue={run.dialogue} />}
        {run.tokens !== null && <RunTokens tokens={run.tokens} />}
        {run.todo !== null && run.todo.total > 0 && (
          <span
            className="num run-bar-todo"
            role="img"
            aria-label={`${run.todo.completed} of ${run.todo.total} todos completed`}
            title={`${run.todo.completed} of ${run.todo.total} todos completed`}
          >
            <Icon name="todos" size={14} tone="k-todo" />
            {run.todo.completed}/{run.todo.total}
          </span>
        )}
        {!going && run.denied !== null && (
          <span className="num" title={deniedTextWithTools(run.denied)}>
            {deniedText(run.denied)}
          </span>
        )}
        {exit !== '' && !going && <span className="num t2 run-bar-exit">{exit}</span>}
        <span className="grow" />
        {going && !run.own && <span className="t3 cut">started by another Playhead</span>}
        <button
          type="button"
          className="btn run-bar-stderr"
          aria-label={`stderr, ${formatBytes(run.stderrBytes)}`}
          aria-pressed={tab === 'stderr'}
          title="Show standard error"
          onMouseDown={keepFocus}
          onClick={() => toggle('stderr')}
        >
          <Icon name="bash" size={14} />
          <span className="run-bar-word">stderr</span>
          <span className="num">{formatBytes(run.stderrBytes)}</span>
        </button>
        <IconButton
          icon="notice"
          label="About this run"
          pressed={tab === 'details'}
          onClick={() => toggle('details')}
        />
        {run.keepsChanges === true && (
          <IconButton
            icon="written"
            label="Changed by this run"
            pressed={tab === 'changes'}
            onClick={() => toggle('changes')}
          />
        )}
        <CompareRuns run={run} />
        {going ? (
          run.own && <StopButton key="stop" run={run} />
        ) : (
          <span key="again" className="run-bar-again">
            <IconButton
              icon="edit"
              label="Edit and run again"
              onClick={() => {
                fill(run)
                showRunForm()
              }}
            />
            {canGoOn(run.agent, run.sessionId) && (
              <button
                type="button"
                className="btn edged"
                title={tooltip('Go on with the session', 'R')}
                onMouseDown={keepFocus}
                onClick={() => void goOn(run.recording)}
              >
                <Icon name="go-on" size={14} />
                Go on…
              </button>
            )}
            <button type="button" className="btn edged" onMouseDown={keepFocus} onClick={() => void runAgain(run)}>
              <Icon name="again" size={14} />
              Run again
            </button>
          </span>
        )}
      </section>
      {run.resumes !== null && (
        <Banner severity="notice" icon="go-on">
          Goes on from <RunOrigin run={run} />
        </Banner>
      )}
      {fault !== null && (
        <Banner severity="malformed" icon="error">
          {fault}
        </Banner>
      )}
      {note !== null && (
        <Banner
          {...(look.tone === 's-malformed' ? { severity: 'malformed', icon: 'error' } : { severity: 'notice' })}
          role="note"
        >
          {note}
        </Banner>
      )}
    </>
  )
}

/** Compares the run, also while it goes, with the last one before it that was given the same work. */
function CompareRuns({ run }: { run: LiveRun }) {
  const compareLogs = useApp((app) => app.compareLogs)
  const before = useLiveRuns(({ runs }) => runBefore(runs, run))
  if (before === null) return null
  return (
    <button
      type="button"
      className="btn edged run-bar-compare"
      aria-label="Compare with the run before"
      title="Compare this run, step by step, with the last one with the same prompt and folder"
      onMouseDown={keepFocus}
      onClick={() => void compareLogs(before.recording, run.recording)}
    >
      <Icon name="swap" size={14} />
      <span className="run-bar-word">Compare with the run before</span>
    </button>
  )
}

function Elapsed({ run }: { run: LiveRun }) {
  const elapsed = useElapsed(run)
  if (elapsed === null) return null
  const left =
    isOngoing(run) && run.timeLimitMs !== null ? Math.max(0, run.timeLimitMs - elapsed + waitedMs(run)) : null
  return (
    <>
      <span className="num run-bar-elapsed" title="Elapsed time">
        {formatElapsed(elapsed)}
      </span>
      {left !== null && (
        <span className="num t2 run-bar-left" title={`Time limit: ${formatDuration(run.timeLimitMs ?? 0)}`}>
          {formatElapsed(left + 999)} left
        </span>
      )}
    </>
  )
}

/** The time limit stands still while somebody is asked. */
function waitedMs({ dialogue }: LiveRun): number {
  if (dialogue === null) return 0
  return dialogue.waitedMs + (dialogue.waitingSince === null ? 0 : Math.max(0, Date.now() - dialogue.waitingSince))
}

/** Keeps the focus while the run stops; a second press does nothing. */
function StopButton({ run }: { run: LiveRun }) {
  const stop = useLiveRuns((state) => state.stop)
  const stopping = run.state === 'stopping'
  const lost = useLost()
  return (
    <button
      type="button"
      className="btn edged run-bar-stop"
      aria-disabled={stopping || lost}
      title={lost ? 'Not connected' : stopping ? 'Stopping. It is killed if it does not exit.' : 'Stop this run'}
      onMouseDown={keepFocus}
      onClick={() => {
        if (!stopping && !lost) void stop(run.run)
      }}
    >
      <Icon name="stop" size={14} />
      {stopping && !lost ? 'Stopping…' : 'Stop'}
    </button>
  )
}

/** The stop button disappears when the run ends. Its focus moves to the bar, not to the button for a new run. */
function useFocusAtEnd(bar: RefObject<HTMLElement | null>, run: LiveRun): void {
  const going = isOngoing(run)
  const hadFocus = useRef(false)
  useLayoutEffect(() => {
    if (!going && hadFocus.current && document.activeElement === document.body) bar.current?.focus()
    hadFocus.current = false
    if (!going) return
    const element = bar.current
    const watch = () => {
      hadFocus.current = element?.querySelector('.run-bar-stop') === document.activeElement
    }
    document.addEventListener('focusin', watch)
    return () => document.removeEventListener('focusin', watch)
  }, [bar, going])
}

/** Tokens of all agents of the run. Output is unknown until a message is complete. */
function RunTokens({ tokens: { sent, received, atLeast } }: { tokens: NonNullable<LiveRun['tokens']> }) {
  return (
    <span className="num t2 run-bar-tokens" title="Tokens sent to and received from the model">
      {sent === null ? '?' : formatLarge(sent)}
      <span className="run-bar-word"> in</span> ·{' '}
      {received === null ? (
        '?'
      ) : atLeast ? (
        <Sourced source="understated" why="The agent has not reported all received tokens.">
          {formatLarge(received)}
        </Sourced>
      ) : (
        formatLarge(received)
      )}
      <span className="run-bar-word"> out</span>
    </span>
  )
}

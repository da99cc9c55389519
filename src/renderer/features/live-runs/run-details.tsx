import type { ReactNode } from 'react'
import type { LiveRun } from '#contract/live-runs.ts'
import { runMode } from '#core/formats/agent-modes.ts'
import { textOfWords } from '../../stores/argument-words.ts'
import { CopyButton } from '../../ui/button.tsx'
import { displayText } from '../../ui/display-text.ts'
import { formatBytes, formatCount, formatDuration, formatFullTime, formatPlural } from '../../ui/format.ts'
import { RunOrigin } from './run-origin.tsx'
import { agentName, exitText, runLook } from './run-words.ts'

/** What a run was started with, and where its recording is. */
export function RunDetails({ run }: { run: LiveRun }) {
  const { agent, dialogue } = run
  const modeId = dialogue?.mode ?? run.mode
  // An argument may have set another one than the default.
  const isKnown = modeId !== null || run.extraArguments.length === 0
  const mode = runMode(agent, modeId, dialogue !== null)?.title ?? displayText(modeId ?? '')
  const command = textOfWords(run.commandLine)
  const exit = exitText(run)
  return (
    <dl className="run-details fill">
      <Detail name="Prompt" copy={run.prompt}>
        <pre className="run-prompt">{displayText(run.prompt)}</pre>
      </Detail>
      <Detail name="Command" copy={command} mono>
        {displayText(command)}
      </Detail>
      <Detail name="Folder" copy={run.cwd} mono>
        {displayText(run.cwd)}
      </Detail>
      <Detail name="Recording" copy={run.recording} mono>
        {displayText(run.recording)} <span className="t3">{formatBytes(run.stdoutBytes)}</span>
      </Detail>
      {run.incomplete !== null && (
        <Detail name="Incomplete">
          The recording may be incomplete from byte {formatCount(run.incomplete.from)} on:{' '}
          {run.incomplete.reason === 'disk-full' ? 'the disk' : 'a write error on the disk'}{' '}
          <code>{displayText(run.incomplete.disk)}</code>
          {run.incomplete.reason === 'disk-full' && ' was full'}
        </Detail>
      )}
      {run.hookLost !== null && (
        <Detail name="Tool results">
          They are shown with the agent’s own lines, not at once: {displayText(run.hookLost)}
        </Detail>
      )}
      {run.denied !== null && (
        <Detail name="Denied">
          {formatPlural(run.denied.calls, 'call')}
          {run.denied.tools.length > 0 && `: ${run.denied.tools.map(displayText).join(', ')}`}
        </Detail>
      )}
      <Detail name="Agent">
        {agentName(run)} {run.version ?? ''}
      </Detail>
      {run.model !== null && <Detail name="Model">{displayText(run.model)}</Detail>}
      {isKnown && <Detail name="Permissions">{mode}</Detail>}
      {run.timeLimitMs !== null && <Detail name="Time limit">{formatDuration(run.timeLimitMs)}</Detail>}
      {run.sessionId !== null && (
        <Detail name="Session" copy={run.sessionId} mono>
          {displayText(run.sessionId)}
        </Detail>
      )}
      {run.resumes !== null && (
        <Detail name="Goes on from">
          <RunOrigin run={run} />
        </Detail>
      )}
      <Detail name="Started">{formatFullTime(run.startedAt)}</Detail>
      {run.endedAt !== null && (
        <Detail name="Ended">
          {formatFullTime(run.endedAt)}
          <span className="t2">
            {' '}
            {runLook(run, false).word}
            {exit !== '' && `, ${exit}`}
          </span>
        </Detail>
      )}
    </dl>
  )
}

function Detail({
  name,
  copy,
  mono = false,
  children
}: {
  name: string
  /** The text to copy. */
  copy?: string
  mono?: boolean
  children: ReactNode
}) {
  return (
    <div>
      <dt className="t3">{name}</dt>
      <dd className={mono ? 'mono' : undefined}>{children}</dd>
      {copy !== undefined && (
        <dd className="run-detail-copy">
          <CopyButton what={name.toLowerCase()} text={() => copy} />
        </dd>
      )}
    </div>
  )
}

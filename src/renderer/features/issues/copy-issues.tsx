import { useEffect, useState } from 'react'
import type { IssueSeverity } from '#core/formats/issue.ts'
import { useLog, useLogParts } from '../../stores/log-store.ts'
import { keepFocus } from '../../ui/button.tsx'
import { issuesText } from './issue-text.ts'

const words = {
  idle: 'Copy all',
  copying: 'Copying…',
  copied: 'Copied',
  failed: 'Copy failed'
} as const

/** Copies all issues of the shown severities, as `playhead check` prints them. */
export function CopyIssues({ shown, disabled }: { shown: ReadonlySet<IssueSeverity>; disabled: boolean }) {
  const { host, id } = useLogParts()
  const path = useLog((log) => log.status.path)
  const [state, setState] = useState<keyof typeof words>('idle')
  useEffect(() => {
    if (state === 'idle' || state === 'copying') return
    const timer = setTimeout(() => setState('idle'), 2000)
    return () => clearTimeout(timer)
  }, [state])
  const copy = async () => {
    setState('copying')
    try {
      const text = await issuesText({ host, log: id, path }, shown)
      await navigator.clipboard.writeText(text)
      setState('copied')
    } catch {
      setState('failed')
    }
  }
  return (
    <>
      <button
        type="button"
        className="btn small"
        title="One issue per line, as printed by playhead check"
        disabled={disabled || state === 'copying'}
        onMouseDown={keepFocus}
        onClick={() => void copy()}
      >
        {words[state]}
      </button>
      <span aria-live="polite" className="unseen">
        {state === 'copied' || state === 'failed' ? words[state] : ''}
      </span>
    </>
  )
}

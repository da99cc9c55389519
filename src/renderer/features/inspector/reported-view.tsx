import { useEffect, useState } from 'react'
import type { ToolResult } from '#contract/tasks.ts'
import type { ToolUse } from '#core/tools/tool-use.ts'
import { useLogParts } from '../../stores/log-store.ts'
import { Icon } from '../../ui/icons.tsx'
import { AnswerView } from './result-view.tsx'

const reporters: Record<ToolResult['source'], { readonly words: string; readonly title: string }> = {
  hook: { words: 'reported by the hook', title: 'Sent to Playhead by the agent’s PostToolUse hook.' },
  agent: { words: 'reported by the agent', title: 'The agent has printed this. The log is still being read.' }
}

/** A reported result of a call without a result in the log, which replaces it later. `row`: the row of the call. */
export function ReportedView({ reported, use, row }: { reported: ToolResult; use: ToolUse | null; row: number }) {
  const { content, is_error: failed, source, cut } = reported
  const { words, title } = reporters[source]
  return (
    <>
      <div className="result-head hstack t2" role="note">
        <Icon name={failed ? 'error' : 'result'} tone={failed ? 'k-error' : 'k-result'} />
        <h3 className="medium">{failed ? 'Error' : 'Result'}</h3>
        <span className="badge edged" title={title}>
          {words}
        </span>
        <span className="t3 cut">until the log holds the result</span>
      </div>
      <AnswerView
        of={{ row, path: null, text: content, length: content.length }}
        failed={failed}
        images={0}
        use={use}
      />
      {cut && <p className="t3">Only the beginning was kept. The log will hold the full result.</p>}
    </>
  )
}

/** The reported result of a call without one in the log; null if unknown. Loaded for live logs, and at each notice. */
export function useReportedResult(session: string, tool: string, live: boolean): ToolResult | null {
  const { host } = useLogParts()
  const [result, setResult] = useState<ToolResult | null>(null)
  useEffect(() => {
    let asked = 0
    const ask = async () => {
      const number = ++asked
      // Some hosts store no results.
      const answer = await host.call('tool.result', { session, tool }).catch(() => null)
      if (answer !== null && number === asked) setResult(answer.result)
    }
    if (live) void ask()
    const stop = host.on('tool.reported', (reported) => {
      if (reported.session === session && reported.tool === tool) void ask()
    })
    return () => {
      asked = -1
      stop()
    }
  }, [host, session, tool, live])
  return result?.tool_use_id === tool && result.session_id === session ? result : null
}

import { useEffect, useState } from 'react'
import type { ToolResult } from '#contract/tasks.ts'
import { useLogParts } from '../../stores/log-store.ts'

/**
 * What was reported of the result of a call that the log does not answer yet; null: nothing is known. Asked for at once where the log is live, and
 * whenever the host says that it was reported.
 */
export function useReportedResult(session: string, tool: string, live: boolean): ToolResult | null {
  const { host } = useLogParts()
  const [result, setResult] = useState<ToolResult | null>(null)
  useEffect(() => {
    let asked = 0
    const ask = async () => {
      const number = ++asked
      // A host that keeps no results has none of this call.
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

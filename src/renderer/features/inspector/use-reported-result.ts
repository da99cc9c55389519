import { useEffect, useState } from 'react'
import type { ToolResult } from '#contract/tasks.ts'
import { useLogParts } from '../../stores/log-store.ts'

/**
 * The reported result of a call without a result in the log; null if unknown. Loaded at once for a live log, and at
 * each notice of the host.
 */
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

import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { PassThrough } from 'node:stream'
import { run } from '#cli/run.ts'
import { environment, sink } from './command-line.ts'

interface Answer {
  readonly isError?: boolean
  readonly content: readonly { readonly text: string }[]
}

/** For what never ends: the default of the SDK is a minute, which a thousand answers may take on a busy machine. */
const limitMs = 300_000

/** A client of the official SDK beside `playhead mcp`, in this process. */
export async function mcpClient(...argv: string[]) {
  const [toServer, toClient] = [new PassThrough(), new PassThrough()]
  const err = sink()
  const ended = run(['mcp', ...argv], {
    ...environment({ stdin: toServer, stdout: toClient, stderr: err.stream }),
    untilStopped: async () => await new Promise(() => {})
  })
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(new StdioServerTransport(toClient, toServer))
  return {
    client,
    err,
    ask: async (name: string, given: Record<string, unknown> = {}) =>
      (await client.callTool({ name, arguments: given }, undefined, { timeout: limitMs })) as unknown as Answer,
    async end(): Promise<number> {
      toServer.end()
      return await ended
    }
  }
}

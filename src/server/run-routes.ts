import type { IncomingMessage, ServerResponse } from 'node:http'
import { GrowthWatch } from '#backend/live-runs/growth-watch.ts'
import type { LiveRuns } from '#backend/live-runs/live-runs.ts'
import { securityHeaders } from '#backend/page-files.ts'
import { HostError } from '#contract/host-error.ts'
import type { Handlers, Params, Result } from '#contract/methods.ts'
import { liveRunMethods } from '#contract/live-runs.ts'
import { taskMethods } from '#contract/tasks.ts'
import { EventStream, type FollowedStream, NoSuchEvent } from './event-stream.ts'
import { refuse } from './refuse.ts'

export interface RunRoutesOptions {
  readonly handlers: Pick<Handlers, 'run.list' | 'task.list'>
  /** Null or absent: no live runs. */
  readonly runs?: Pick<LiveRuns, 'stream' | 'onStreamed'> | null | undefined
}

/** Answers one request. */
type Answer = (request: IncomingMessage, response: ServerResponse, url: URL) => Promise<void>

const statuses: Readonly<Record<string, number>> = { 'bad-params': 400, 'not-found': 404, unavailable: 503 }

/** Live runs: `GET /api/runs`, `GET /api/runs/ID/stream`, `GET /api/tasks?session_id=ID`. Null for other paths. */
export function runRoute(options: RunRoutesOptions, pathname: string): Answer | null {
  const answer = routeOf(options, pathname)
  if (answer === null) return null
  return async (request, response, url) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return refuse(request, response, 405, 'Use GET.', { allow: 'GET, HEAD' })
    }
    try {
      await answer(request, response, url)
    } catch (error) {
      const status = error instanceof HostError ? statuses[error.code] : undefined
      if (!(error instanceof HostError) || status === undefined) throw error
      refuse(request, response, status, error.message)
    }
  }
}

function routeOf({ handlers, runs }: RunRoutesOptions, pathname: string): Answer | null {
  if (pathname === '/api/runs') {
    return async (request, response, url) => {
      const [before, count] = [url.searchParams.get('before'), url.searchParams.get('count')]
      const asked = { ...(before === null ? {} : { before }), ...(count === null ? {} : { count: Number(count) }) }
      const params = liveRunMethods['run.list'].params.safeParse(asked)
      if (!params.success) throw new HostError('bad-params', '"count" must be 1 to 500, and "before" the id of a run.')
      sendJson(request, response, await handlers['run.list'](params.data))
    }
  }
  if (pathname === '/api/tasks') {
    return async (request, response, url) => {
      const session = url.searchParams.get('session_id')
      const params = taskMethods['task.list'].params.safeParse({ session })
      if (!params.success) throw new HostError('bad-params', 'A session id is required: /api/tasks?session_id=ID')
      sendJson(request, response, await handlers['task.list'](params.data))
    }
  }
  const run = /^\/api\/runs\/([^/]+)\/stream$/.exec(pathname)?.[1]
  return run === undefined
    ? null
    : async (request, response, url) => await sendStream(runs, run, request, response, url)
}

function sendJson(
  request: IncomingMessage,
  response: ServerResponse,
  answer: Result<'run.list'> | Result<'task.list'>
): void {
  const bytes = Buffer.from(JSON.stringify(answer))
  const headers = { 'content-type': 'application/json; charset=utf-8', 'content-length': bytes.length }
  response.writeHead(200, { ...securityHeaders, ...headers })
  response.end(request.method === 'HEAD' ? undefined : bytes)
}

async function sendStream(
  runs: RunRoutesOptions['runs'],
  run: string,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL
): Promise<void> {
  if (!runs) throw new HostError('unavailable', 'Agents cannot be started here.')
  if (!isRunId(run)) throw new HostError('not-found', 'Run not found. GET /api/runs lists all runs.')
  const { file, open, own } = await runs.stream(run)
  const after = idAfter(request, url)
  if (request.method === 'HEAD') {
    response.writeHead(200, { ...securityHeaders, 'content-type': 'text/event-stream; charset=utf-8' }).end()
    return
  }
  const stream: FollowedStream = {
    open,
    // Also over once the run is removed.
    isOver: async () =>
      await runs.stream(run).then(
        (now) => now.isOver,
        () => true
      ),
    onGrowth: (listener) => {
      if (own) return runs.onStreamed(run, listener)
      const watch = new GrowthWatch([file], listener)
      return () => watch.close()
    }
  }
  try {
    await new EventStream(stream).sendTo(response, after)
  } catch (error) {
    if (!(error instanceof NoSuchEvent)) throw error
    throw badId()
  }
}

/** The id of the client's last event; the header of a reconnecting browser overrides the address. */
function idAfter({ headers }: IncomingMessage, url: URL): number {
  const given = headers['last-event-id'] || url.searchParams.get('last_event_id') || '0'
  if (typeof given !== 'string' || !/^\d{1,15}$/.test(given)) throw badId()
  return Number(given)
}

function badId(): HostError {
  const message = 'Unknown event id. Send an id from the stream, or none to start from the beginning.'
  return new HostError('bad-params', message)
}

function isRunId(run: string): run is Params<'run.stop'>['run'] {
  return liveRunMethods['run.stop'].params.safeParse({ run }).success
}

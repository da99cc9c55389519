import { arrayAt, isJsonObject, objectAt, stated, stringAt, type JsonObject } from '../../json.ts'
import { instantOf } from '../instant.ts'
import type { SessionFacts, SessionFormat } from '../log-store.ts'
import { isInjected, requestOf } from './user-prompt.ts'

/** Session facts of a rollout: docs/formats/codex-rollout.md#the-first-head-of-a-session-counts. */
export const rolloutSession: SessionFormat = {
  facts,
  isInjected,
  wordsOf: requestOf,
  titleMarkers: ['thread_name'],
  ends: 'unsaid'
}

/** `codex exec --json` prints the thread's id; before 0.44 also its configuration and the prompt. */
export const execSession: SessionFormat = {
  facts: () => null,
  isInjected,
  wordsOf: requestOf,
  lacks: ['project', 'prompt', 'model']
}

/** What `codex app-server` prints of its threads. */
export const appServerSession: SessionFormat = {
  facts: threadFacts,
  isInjected,
  wordsOf: requestOf,
  titleMarkers: ['thread/name/updated']
}

/** The thread that a notification or a response starts or goes on with; other responses have threads, too. */
export function threadIn(record: JsonObject): JsonObject | undefined {
  if (record['method'] === 'thread/started') return objectAt(objectAt(record, 'params') ?? {}, 'thread')
  const result = 'method' in record ? undefined : objectAt(record, 'result')
  return result === undefined || stringAt(result, 'cwd') === undefined ? undefined : objectAt(result, 'thread')
}

function threadFacts(record: JsonObject): SessionFacts | null {
  if (record['method'] === 'thread/name/updated') {
    const title = stringAt(objectAt(record, 'params') ?? {}, 'threadName')
    return title === undefined ? null : { title }
  }
  const thread = threadIn(record)
  // A subagent's is not that of the log.
  if (thread === undefined || stringAt(thread, 'parentThreadId') !== undefined) return null
  return stated({
    sessionId: stringAt(thread, 'id'),
    cwd: stringAt(thread, 'cwd'),
    model: stringAt(thread, 'model'),
    version: stringAt(thread, 'cliVersion'),
    branch: stringAt(objectAt(thread, 'gitInfo') ?? {}, 'branch'),
    forkedFrom: stringAt(thread, 'forkedFromId'),
    title: stringAt(thread, 'name')
  })
}

function facts(record: JsonObject): SessionFacts | null {
  const payload = objectAt(record, 'payload') ?? {}
  switch (record['type']) {
    case 'session_meta':
      return metaFacts(payload)
    case 'turn_context':
      return contextFacts(payload)
    case 'event_msg': {
      const title = payload['type'] === 'thread_name_updated' ? stringAt(payload, 'thread_name') : undefined
      return title === undefined ? null : { title }
    }
    case 'response_item':
      return environmentFacts(payload)
    case 'message':
      return environmentFacts(record)
    case undefined: {
      // The header of the old format, or of its document.
      const session = objectAt(record, 'session') ?? record
      return instantOf(session['timestamp']) === undefined ? null : metaFacts(session)
    }
    default:
      return null
  }
}

function metaFacts(meta: JsonObject): SessionFacts | null {
  const sessionId = stringAt(meta, 'id')
  if (sessionId === undefined) return null
  return stated({
    sessionId,
    cwd: stringAt(meta, 'cwd'),
    branch: stringAt(objectAt(meta, 'git') ?? {}, 'branch'),
    version: stringAt(meta, 'cli_version'),
    forkedFrom: stringAt(meta, 'forked_from_id'),
    parentSession: stringAt(threadSpawn(meta), 'parent_thread_id') ?? stringAt(meta, 'parent_thread_id')
  })
}

/** The origin of a spawned thread; empty for other threads. */
export function threadSpawn(meta: JsonObject): JsonObject {
  return objectAt(objectAt(objectAt(meta, 'source') ?? {}, 'subagent') ?? {}, 'thread_spawn') ?? {}
}

function contextFacts(context: JsonObject): SessionFacts | null {
  const facts = stated({ cwd: stringAt(context, 'cwd'), model: stringAt(context, 'model') })
  return Object.keys(facts).length === 0 ? null : facts
}

/** The old format has the folder only in the context: `<cwd>/x</cwd>`, earlier `Current working directory: /x`. */
function environmentFacts(item: JsonObject): SessionFacts | null {
  if (item['role'] !== 'user') return null
  for (const part of (arrayAt(item, 'content') ?? []).slice(0, 20)) {
    const text = isJsonObject(part) ? stringAt(part, 'text') : undefined
    if (text === undefined || !text.trimStart().startsWith('<environment_context>')) continue
    const start = text.slice(0, 4096)
    const cwd = (/<cwd>([^<\n]+)<\/cwd>/.exec(start) ?? /^Current working directory: (.+)$/m.exec(start))?.[1]
    if (cwd !== undefined) return { cwd: cwd.trim() }
  }
  return null
}

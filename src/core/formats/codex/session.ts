import { arrayAt, isJsonObject, objectAt, stringAt, type JsonObject } from '../../json.ts'
import { instantOf } from '../instant.ts'
import type { SessionFacts, SessionFormat } from '../log-store.ts'
import { isInjected, requestOf } from './user-prompt.ts'

/** What the lines of a rollout say of their session: docs/formats/codex-rollout.md#the-first-head-of-a-session-counts. */
export const rolloutSession: SessionFormat = {
  facts,
  isInjected,
  wordsOf: requestOf,
  titleMarkers: ['thread_name'],
  ends: 'unsaid'
}

/** `codex exec --json` prints the id of the thread; up to 0.44 also how it was set up, and the prompt. */
export const execSession: SessionFormat = {
  facts: () => null,
  isInjected,
  wordsOf: requestOf,
  lacks: ['project', 'prompt', 'model']
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
      // The header of the old format, and that of the document before it.
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
  const cwd = stringAt(meta, 'cwd')
  const branch = stringAt(objectAt(meta, 'git') ?? {}, 'branch')
  const version = stringAt(meta, 'cli_version')
  const forkedFrom = stringAt(meta, 'forked_from_id')
  const subagent = objectAt(objectAt(meta, 'source') ?? {}, 'subagent') ?? {}
  const parentSession =
    stringAt(objectAt(subagent, 'thread_spawn') ?? {}, 'parent_thread_id') ?? stringAt(meta, 'parent_thread_id')
  return {
    sessionId,
    ...(cwd === undefined ? undefined : { cwd }),
    ...(branch === undefined ? undefined : { branch }),
    ...(version === undefined ? undefined : { version }),
    ...(forkedFrom === undefined ? undefined : { forkedFrom }),
    ...(parentSession === undefined ? undefined : { parentSession })
  }
}

function contextFacts(context: JsonObject): SessionFacts | null {
  const cwd = stringAt(context, 'cwd')
  const model = stringAt(context, 'model')
  if (cwd === undefined && model === undefined) return null
  return { ...(cwd === undefined ? undefined : { cwd }), ...(model === undefined ? undefined : { model }) }
}

/** The old format says the folder nowhere but in what the model is told: `<cwd>/x</cwd>`, before that `Current working directory: /x`. */
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

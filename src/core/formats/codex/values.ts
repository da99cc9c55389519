import {
  all,
  count,
  each,
  inText,
  list,
  members,
  ms,
  role,
  type StatedValues,
  time,
  usage,
  where
} from '../stated-values.ts'

const roles = role('user', 'assistant', 'developer', 'system', 'tool')
const plan = where('name', ['update_plan'], members({ arguments: inText(members({ plan: list })) }))
const item = all(members({ role: roles }), plan, where('type', ['message'], members({ content: list })))
const duration = members({ secs: count, nanos: count })
const counted = members({ last_token_usage: usage, total_token_usage: usage, model_context_window: count })

/** Each line of a rollout: an item in an envelope, or, in old ones, the item alone. */
export const rolloutValues: StatedValues = all(
  item,
  members({
    timestamp: time,
    session: members({ timestamp: time }),
    payload: all(
      item,
      members({
        timestamp: time,
        duration,
        duration_ms: ms,
        time_to_first_token_ms: ms,
        started_at: time,
        started_at_ms: time,
        completed_at: time,
        completed_at_ms: time,
        occurred_at_ms: time,
        info: counted,
        usage,
        turn_token_usage: usage,
        thread_token_usage: usage,
        plan: list,
        replacement_history: each(members({ role: roles }))
      })
    )
  })
)

/** Each line of `exec --json`; `msg`: of the protocol before it. */
export const execValues: StatedValues = members({
  usage,
  item: members({ items: list, changes: list, duration_ms: ms }),
  msg: members({ info: counted, duration, duration_ms: ms, plan: list })
})

const turn = members({ startedAt: time, completedAt: time, durationMs: ms, items: list })
const thread = members({ createdAt: time, updatedAt: time, turns: each(turn) })

/** Each message of the app server, and of who speaks with it. */
export const appServerValues: StatedValues = members({
  at: time,
  emittedAtMs: time,
  result: members({ thread, turn }),
  params: members({
    thread,
    turn,
    startedAtMs: time,
    completedAtMs: time,
    item: members({ startedAtMs: time, completedAtMs: time, durationMs: ms, changes: list }),
    tokenUsage: members({ last: usage, total: usage, modelContextWindow: count }),
    plan: list
  })
})

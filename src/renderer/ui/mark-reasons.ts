import type { RowMark } from '#core/formats/log-format.ts'

/** Why a marked row does not count. The mark itself is its word in the timeline. */
export const markReasons: Record<RowMark, string> = {
  duplicate: 'A copy of an earlier line, written when a session is resumed or forked. Only the first one counts.',
  retracted: 'The agent retracted this. A later event replaces it.',
  abandoned: 'The user rewound to an earlier point. This is no longer part of the conversation.'
}

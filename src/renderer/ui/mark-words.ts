import type { RowMark } from '#core/formats/log-format.ts'

/** Why a marked row does not count, in a sentence. Its word in the timeline is the mark itself. */
export const markWords: Record<RowMark, string> = {
  duplicate:
    'A copy of an earlier line, as resuming or forking a session writes it. It counts once, where it stands first.',
  retracted: 'The agent took this back: something it said later stands in its place.',
  abandoned: 'The user went back to before this. What follows in the conversation does not know of it.'
}

import type { LongTexts } from '../log-format.ts'
import type { RolloutDecoded } from './rollout-decoded.ts'

/** Of rollouts: what is not read at all, and what an event says of the output of a tool. Other texts are compared with each other. */
export const rolloutLongTexts: LongTexts<RolloutDecoded> = {
  names: [
    ...['encrypted_content', 'image_url', 'user_instructions', 'developer_instructions'],
    ...['aggregated_output', 'formatted_output', 'stdout', 'stderr', 'unified_diff']
  ],
  wholeAt: '',
  // An answer of a shape that nobody knows becomes its JSON, and that is what copies of it are told by.
  readsMore: ({ steps }) => steps.some(({ kind }) => kind === 'result')
}

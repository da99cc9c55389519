/** How sure a line is, for people. */
export const confidences = ['seen', 'written', 'derived', 'stale'] as const
export type Confidence = (typeof confidences)[number]

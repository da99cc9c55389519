import type { ResultClass, StepClass } from '#core/compare/compare-sessions.ts'

export const stepSigns: Readonly<Record<StepClass, string>> = {
  same: '=',
  changed: '≠',
  'only-a': 'A',
  'only-b': 'B',
  moved: '↕'
}

export const stepWords: Readonly<Record<StepClass, string>> = {
  same: 'The same step',
  changed: 'Changed',
  'only-a': 'Only in A',
  'only-b': 'Only in B',
  moved: 'Moved: the other session has this step at another place'
}

export const resultWords: Readonly<Record<ResultClass, string>> = {
  same: 'the same result',
  differs: 'other output',
  'a-failed': 'failed in A only',
  'b-failed': 'failed in B only',
  'both-failed': 'failed in both',
  unknown: 'a result is missing'
}

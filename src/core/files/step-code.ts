import { fileChanges, type FileEffect } from '../formats/file-effect.ts'
import { commandEffects } from '../shell/command-effect.ts'

/** Why files may have changed, the least first. `rewind`: the person went back to an earlier prompt, which may restore files. */
export const doubtCauses = [...commandEffects, 'rewind'] as const
export type DoubtCause = (typeof doubtCauses)[number]

/** What a step of a file is, as one byte: an effect by its place in `fileChanges`, or one of these. */
const doubtCode = 200
/** `changed`, by an effect on another path that may be the same file. */
export const perhapsCode = doubtCode - 1
/** `written`, of a file that did not exist. */
export const createdCode = doubtCode - 2

const codes = new Map(fileChanges.map((what, code) => [what, code]))
const changing = new Set(
  (['replaced', 'written', 'appended', 'patched', 'changed', 'moved', 'deleted'] as const).map((what) => codeOf(what))
)

export function codeOf(what: FileEffect['what']): number {
  return codes.get(what) ?? 0
}

export function doubtCodeOf(effect: DoubtCause): number {
  return doubtCode + doubtCauses.indexOf(effect)
}

/** What a step did; null for a doubt. */
export function changeOf(code: number): FileEffect['what'] | null {
  return code === perhapsCode ? 'changed' : code === createdCode ? 'written' : (fileChanges[code] ?? null)
}

/** What a command may have done, for a doubt; else null. */
export function doubtOf(code: number): DoubtCause | null {
  return code < doubtCode ? null : (doubtCauses[code - doubtCode] ?? 'unknown')
}

/** Whether the step is an effect that the log states for this path. */
export function isStated(code: number): boolean {
  return code < perhapsCode
}

/** Whether a step changes the file. */
export function isChange(code: number): boolean {
  return code === createdCode || changing.has(code)
}

/** Whether a step deletes the file. */
export function isDeletion(code: number): boolean {
  return code === codeOf('deleted')
}

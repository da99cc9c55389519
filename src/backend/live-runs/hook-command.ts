import { existsSync } from 'node:fs'
import { findProgram, programPlaces } from './find-program.ts'

/** The command line, for `sh`, by which an agent hands tool results to Playhead: of the command line's script. */
export function hookCommand(node: string, script: string): string {
  return [node, script, 'hook'].map(quoted).join(' ')
}

/**
 * The same where Playhead itself is no program that Node runs: that of a checkout (`script`), else of a `playhead` that is
 * installed; null: there is neither. `script`: null where there is no checkout.
 */
export function foundHookCommand(variables: NodeJS.ProcessEnv, script: string | null): string | null {
  const places = programPlaces(variables)
  const node = findProgram('node', places)
  if (node !== null && script !== null && existsSync(script)) return hookCommand(node, script)
  const playhead = findProgram('playhead', places)
  return playhead === null ? null : `${quoted(playhead)} hook`
}

/** One word for `sh`, whatever it holds. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
}

import { existsSync } from 'node:fs'
import { findProgram, programPlaces } from './find-program.ts'

/** The shell command by which an agent passes tool results to Playhead. */
export function hookCommand(node: string, script: string): string {
  return [node, script, 'hook'].map(quoted).join(' ')
}

/** Outside Node: the checkout's script with a `node` on PATH, else an installed `playhead`; null: neither. */
export function foundHookCommand(variables: NodeJS.ProcessEnv, script: string | null): string | null {
  const places = programPlaces(variables)
  const node = findProgram('node', places)
  if (node !== null && script !== null && existsSync(script)) return hookCommand(node, script)
  const playhead = findProgram('playhead', places)
  return playhead === null ? null : `${quoted(playhead)} hook`
}

/** Quotes a word for `sh`. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
}

import { formatById } from '#core/formats/registry.ts'
import type { RunFiles } from './run-folder.ts'

/** Whether the recording of a run in this format is what the agent prints. Otherwise it is a copy of the agent's own log. */
function isPrintedFormat(format: string): boolean {
  return formatById(format)?.sessionLog === undefined
}

/** The default recording of a run in a format. */
export function recordingOf(format: string, { stdout, session }: Pick<RunFiles, 'stdout' | 'session'>): string {
  return isPrintedFormat(format) ? stdout : session
}

/** The file of the agent's standard output. */
export function printedOf(
  { format, recording }: { readonly format: string; readonly recording: string },
  { stdout }: Pick<RunFiles, 'stdout'>
): string {
  return isPrintedFormat(format) ? recording : stdout
}

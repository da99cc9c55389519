import { HostError } from '#contract/host-error.ts'

const diskFull = new Set<unknown>(['ENOSPC', 'EDQUOT'])

const reasons: Readonly<Record<string, string>> = {
  EIO: 'the disk reports an error (EIO)',
  EROFS: 'its disk is read-only',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  ENOENT: 'its folder does not exist'
}

/** The system's own code of an error, "ENOSPC", also of one that `writeFailure` has put into words; undefined: it has none. */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  if (error instanceof HostError) return systemCode(error.cause)
  return 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

/** Whether it failed because there is no room: the disk is full, or what this person may use of it is. */
export function isDiskFull(error: unknown): boolean {
  return diskFull.has(systemCode(error))
}

/** Why something could not be written, the end of a sentence: "the disk is full". */
export function whyNotWritten(error: unknown): string {
  if (isDiskFull(error)) return 'the disk is full'
  const code = systemCode(error)
  return (
    (code === undefined ? undefined : reasons[code]) ?? code ?? (error instanceof Error ? error.message : 'unknown')
  )
}

const refusals = new Set<unknown>(['EROFS', 'EACCES', 'EPERM'])

/**
 * As `writeFailure`, of a file in the state folder: where the system lets nobody write there, with how to name another folder. What a command cannot do
 * without it, it can do with another one.
 */
export function stateWriteFailure(state: string, file: string, error: unknown): HostError {
  const failure = writeFailure(file, error)
  if (!refusals.has(systemCode(error))) return failure
  return new HostError(failure.code, `${failure.message} ${otherStateFolder(state)}`, { cause: failure.cause ?? error })
}

/** How to go on where the state folder cannot be written. */
export function otherStateFolder(state: string): string {
  return `Playhead keeps its state in ${state}; set PLAYHEAD_STATE_DIR to a writable folder.`
}

/** What is told of a file that could not be written: a sentence with its name and the reason. The system's error is its `cause`. */
export function writeFailure(file: string, error: unknown): HostError {
  if (error instanceof HostError) return error
  return new HostError('unavailable', `${file} cannot be written: ${whyNotWritten(error)}.`, { cause: error })
}

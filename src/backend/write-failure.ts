import { HostError, messageOf, systemWords } from '#contract/host-error.ts'

const diskFull = new Set<unknown>(['ENOSPC', 'EDQUOT'])

/** The system's code of an error ("ENOSPC"), also of a `writeFailure`; undefined: it has none. */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  if (error instanceof HostError) return systemCode(error.cause)
  return 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

/** True for a full disk and for an exhausted quota. */
export function isDiskFull(error: unknown): boolean {
  return diskFull.has(systemCode(error))
}

/** Why a write failed, as the end of a sentence: "the disk is full". */
export function whyNotWritten(error: unknown): string {
  const code = systemCode(error)
  if (code === undefined) return messageOf(error)
  return code === 'ENOENT' ? 'its folder does not exist' : (systemWords[code] ?? code)
}

const refusals = new Set<unknown>(['EROFS', 'EACCES', 'EPERM'])

/** Like `writeFailure`, for a file in the state folder. If writing is not permitted, it says how to set another folder. */
export function stateWriteFailure(state: string, file: string, error: unknown): HostError {
  const failure = writeFailure(file, error)
  if (!refusals.has(systemCode(error))) return failure
  return new HostError(failure.code, `${failure.message} ${otherStateFolder(state)}`, { cause: failure.cause ?? error })
}

export function otherStateFolder(state: string): string {
  return `Playhead keeps its state in ${state}; set PLAYHEAD_STATE_DIR to a writable folder.`
}

/** A sentence with the file and the reason. The system's error is the `cause`. */
export function writeFailure(file: string, error: unknown): HostError {
  if (error instanceof HostError) return error
  return new HostError('unavailable', `${file} cannot be written: ${whyNotWritten(error)}.`, { cause: error })
}

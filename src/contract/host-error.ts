/** Why a call failed. Closed, so that the page can say what to do next. */
export const errorCodes = [
  'bad-params',
  'unknown-method',
  'not-found',
  'not-a-file',
  'no-permission',
  'not-open',
  'unavailable',
  'not-confirmed',
  'low-disk',
  'busy',
  'already-answered',
  'not-own',
  'not-offered',
  'held',
  'gone',
  'closed',
  'internal'
] as const
export type ErrorCode = (typeof errorCodes)[number]

interface HostErrorOptions extends ErrorOptions {
  /** The invalid param, if the user entered it. */
  readonly field?: string | undefined
}

/** A failure of a call. `message` is for the user: what happened, and what to do next. */
export class HostError extends Error {
  readonly code: ErrorCode
  readonly field: string | undefined
  constructor(code: ErrorCode, message: string, { field, ...options }: HostErrorOptions = {}) {
    super(message, options)
    this.name = 'HostError'
    this.code = code
    this.field = field
  }
}

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

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

/** Words for the system's codes, each the end of a sentence. */
export const systemWords: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk is full',
  EIO: 'the disk reports an error (EIO)',
  EROFS: 'its disk is read-only',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is not a folder',
  EEXIST: 'it exists already',
  EBUSY: 'it is in use',
  ECONNREFUSED: 'nothing answers at this address',
  ECONNRESET: 'the connection was cut',
  ENOTFOUND: 'no machine has this name',
  ETIMEDOUT: 'no answer in time'
}

/** Of anything that was thrown, for people: never what only developers read, such as the dump of a value. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error === 'string' && error !== '' ? error : 'the reason is not known'
  if ('syscall' in error && 'code' in error && typeof error.code === 'string') return systemMessage(error, error.code)
  if ('issues' in error && Array.isArray(error.issues)) return issueMessage(error.issues[0])
  return error.message === '' ? 'the reason is not known' : error.message
}

function systemMessage(error: Error, code: string): string {
  // As Node tells it: "ENAMETOOLONG: name too long, open 'a.jsonl'".
  const why = systemWords[code] ?? /^[A-Z]\w*: (.+?), \w+/.exec(error.message)?.[1] ?? error.message
  return 'path' in error && typeof error.path === 'string' ? `${error.path}: ${why}` : why
}

/** Of an error of zod, whose message is JSON. */
function issueMessage(issue: unknown): string {
  const { path, message } = issue as { readonly path?: readonly PropertyKey[]; readonly message?: string }
  return [path?.map(String).join('.') ?? '', message ?? 'not valid'].filter((part) => part !== '').join(': ')
}

import { closeSync, openSync } from 'node:fs'
import { access, constants, open, stat } from 'node:fs/promises'
import { devNull } from 'node:os'
import { isAbsolute } from 'node:path'
import { HostError, messageOf } from '#contract/host-error.ts'

const headBytes = 256
/** For a pipe, a check of the program and a process scan; doubled, as other code opens files meanwhile. */
const neededDescriptors = 12

/** Throws a `HostError` for the field `cwd` if an agent cannot work in the folder. */
export async function checkFolder(cwd: string): Promise<void> {
  const field = 'cwd'
  if (!isAbsolute(cwd))
    throw new HostError('bad-params', `${cwd} is not an absolute path. Enter the full path of the folder.`, { field })
  const stats = await stat(cwd).catch(() => null)
  if (stats === null)
    throw new HostError('bad-params', `The folder ${cwd} does not exist. Create it, or choose another one.`, { field })
  if (!stats.isDirectory())
    throw new HostError('bad-params', `${cwd} is a file. Choose a folder for the agent to work in.`, { field })
  await access(cwd, constants.X_OK).catch(() => {
    const message = `No access to the folder ${cwd}. Choose another one, or change its permissions.`
    throw new HostError('no-permission', message, { field })
  })
}

/** Throws a `HostError` for a text file without `#!`: libc would run it in a shell. */
export async function checkProgram(command: string): Promise<void> {
  if (process.platform === 'win32') return
  const head = await headOf(command)
  // An unreadable file may still be executable; a failed start reports the rest.
  if (head === null || head.subarray(0, 2).toString('latin1') === '#!' || head.includes(0)) return
  throw noProgram(command)
}

async function headOf(path: string): Promise<Buffer | null> {
  try {
    if (!(await stat(path)).isFile()) return null
    const file = await open(path)
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0)
      return buffer.subarray(0, bytesRead)
    } finally {
      await file.close()
    }
  } catch {
    return null
  }
}

/** Throws if too few descriptors are free for an agent and its watchdog: Node leaks one if creating a pipe fails. */
export function checkRoom(): void {
  const descriptors: number[] = []
  try {
    while (descriptors.length < neededDescriptors) descriptors.push(openSync(devNull, 'r'))
  } finally {
    for (const descriptor of descriptors) closeSync(descriptor)
  }
}

/** The message for a failed start. */
export async function startFailure(command: string, error: unknown): Promise<HostError> {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  const stats = await stat(command).catch(() => null)
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    if (stats === null)
      return new HostError('not-found', `The program ${command} was not found. Install the agent, or set its command.`)
    const head = await headOf(command)
    const [, interpreter] = /^#!\s*(\S+)/.exec(head?.toString('utf8') ?? '') ?? []
    const missing = interpreter ?? 'the library that loads it'
    return new HostError(
      'not-found',
      `${command} exists, but ${missing}, which runs it, does not. Reinstall the agent for this system.`
    )
  }
  if (code === 'EACCES' || code === 'EPERM') {
    if (stats?.isDirectory())
      return new HostError('no-permission', `${command} is a folder. Set the program in it as the agent's command.`)
    return new HostError(
      'no-permission',
      `${command} cannot be run. Make it executable (chmod +x), or reinstall the agent. Its disk may also be mounted with noexec.`
    )
  }
  if (code === 'ENOEXEC' || code === 'EFTYPE' || code === 'UNKNOWN') return noProgram(command)
  if (code === 'EINVAL' && process.platform === 'win32')
    return new HostError(
      'unavailable',
      `${command} is a script that needs a command interpreter. Set the program it starts as the agent's command.`
    )
  if (code === 'E2BIG')
    return new HostError(
      'bad-params',
      'The arguments and the environment are too long for this system. Use fewer or shorter arguments.'
    )
  if (code === 'ERR_INVALID_ARG_VALUE')
    return new HostError('bad-params', 'An argument, the command or the environment contains a zero byte. Remove it.')
  if (code === 'ETXTBSY')
    return new HostError('unavailable', `${command} is being written, perhaps by an update. Try again in a moment.`)
  if (code === 'EMFILE' || code === 'ENFILE')
    return new HostError(
      'unavailable',
      `${command} was not started: too many files are open. Close logs or stop runs, and start again.`
    )
  if (code === 'EAGAIN' || code === 'ENOMEM')
    return new HostError(
      'unavailable',
      `${command} was not started: the system cannot start more processes. End some, and try again.`
    )
  return new HostError('internal', `${command} was not started: ${messageOf(error)}`)
}

function noProgram(command: string): HostError {
  return new HostError(
    'unavailable',
    `${command} is not a program for this system, nor a script with a #! line. Reinstall the agent, or set another command.`
  )
}

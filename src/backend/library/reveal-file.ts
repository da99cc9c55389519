import { spawn } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { HostError } from '#contract/host-error.ts'
import { systemPath } from '../sources/system-path.ts'
import { systemCode } from '../write-failure.ts'

/** The program and arguments that show a file in the file manager, without a shell. */
export function fileManager(path: string, platform: string): { program: string; args: string[]; isVerbatim: boolean } {
  if (platform === 'darwin') return { program: 'open', args: ['-R', path], isVerbatim: false }
  // Explorer wants one argument with quotes inside. File names on Windows have no quotes.
  if (platform === 'win32') return { program: 'explorer.exe', args: [`/select,"${path}"`], isVerbatim: true }
  return { program: 'xdg-open', args: [dirname(path)], isVerbatim: false }
}

/** Shows a file in the system's file manager. Rejects with a `HostError` that names what is missing. */
export async function revealFile(path: string, platform: string = process.platform): Promise<void> {
  await stat(await systemPath(path)).catch(() => {
    throw new HostError('not-found', `${path} no longer exists.`)
  })
  const { program, args, isVerbatim } = fileManager(path, platform)
  await new Promise<void>((resolve, reject) => {
    const child = spawn(program, args, { stdio: 'ignore', detached: true, windowsVerbatimArguments: isVerbatim })
    child.once('error', (error) => {
      const why = systemCode(error) === 'ENOENT' ? `${program} is not installed` : String(systemCode(error))
      reject(new HostError('unavailable', `The file manager could not be started: ${why}. The file is ${path}.`))
    })
    child.once('spawn', () => {
      child.unref()
      resolve()
    })
  })
}

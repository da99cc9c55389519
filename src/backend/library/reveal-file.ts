import { spawn } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { HostError } from '#contract/host-error.ts'
import { systemPath } from '../sources/system-path.ts'
import { systemCode } from '../write-failure.ts'

/** How the system's file manager shows a file: a program and its arguments. No shell sees them. */
export function fileManager(path: string, platform: string): { program: string; args: string[]; isVerbatim: boolean } {
  if (platform === 'darwin') return { program: 'open', args: ['-R', path], isVerbatim: false }
  // Explorer takes the two as one word, quoted in its own way. A name has no quotes there.
  if (platform === 'win32') return { program: 'explorer.exe', args: [`/select,"${path}"`], isVerbatim: true }
  return { program: 'xdg-open', args: [dirname(path)], isVerbatim: false }
}

/** Shows a file in the system's file manager. Rejects with a `HostError` that says what is missing. */
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

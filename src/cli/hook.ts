import { messageOf } from '#contract/host-error.ts'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { toolHook } from '#core/formats/claude/tool-hook.ts'
import { hookCommand } from '#backend/live-runs/hook-command.ts'
import { type Command, exitFine, parseCommandLine, UsageError } from './command.ts'
import { type Environment, say } from './environment.ts'
import { installHook, uninstallHook } from './hook-settings.ts'
import { receiveHook } from './receive-hook.ts'

const options = {
  install: { type: 'boolean' },
  uninstall: { type: 'boolean' },
  project: { type: 'string' },
  user: { type: 'boolean' }
} as const

export const hook: Command = {
  usage: 'hook [--install | --uninstall] [--project DIR | --user]',
  summary: `receive tool results from the ${toolHook.event} hook of ${toolHook.agent}, on stdin`,
  details: [
    `--install       Add the hook to the settings of a project, for you alone (${toolHook.folder}/${toolHook.localSettings}).`,
    '--uninstall     Remove the hook.',
    '--project DIR   The project. Default: the current folder.',
    '--user          Use your own settings, which apply to all projects.'
  ],
  async run(args, environment) {
    const { values } = parseCommandLine({ args, options })
    const { install, uninstall, project, user } = values
    if (!install && !uninstall) {
      if (project !== undefined || user) throw new UsageError('--project and --user need --install or --uninstall')
      await receiveHook(environment).catch((error: unknown) => say(environment, messageOf(error)))
      return exitFine
    }
    if (install && uninstall) throw new UsageError('--install and --uninstall cannot be combined')
    if (project !== undefined && user) throw new UsageError('--project and --user cannot be combined')
    const folder = user ? userFolder(environment) : join(resolve(project ?? '.'), toolHook.folder)
    if (install) await installInto(folder, user ?? false, environment)
    else await uninstallFrom(folder, environment)
    return exitFine
  }
}

function userFolder({ variables }: Environment): string {
  return variables[toolHook.folderVariable] || join(homedir(), toolHook.folder)
}

/** Not in the settings that a team shares: the command contains paths of this machine. */
async function installInto(folder: string, isUser: boolean, environment: Environment): Promise<void> {
  const file = join(folder, isUser ? toolHook.settings : toolHook.localSettings)
  const command = hookCommand(process.execPath, join(environment.root, 'bin', 'playhead.js'))
  const { did, backup } = await installHook(file, command)
  const was = backup === null ? '' : `; backup: ${backup}`
  if (did === 'nothing') return say(environment, `the hook is already in ${file}`)
  say(environment, `${did === 'updated' ? 'the hook was updated' : 'the hook was added'} in ${file}${was}`)
  say(environment, `new sessions of ${toolHook.agent} report their todos and tool results to Playhead`)
  if (!isUser) say(environment, 'this file is for you alone: add it to .gitignore if it is not ignored yet')
}

/** From both files: a person may have added it to the shared one. */
async function uninstallFrom(folder: string, environment: Environment): Promise<void> {
  let found = false
  for (const name of [toolHook.localSettings, toolHook.settings]) {
    const file = join(folder, name)
    const { did, backup } = await uninstallHook(file)
    if (did === 'nothing') continue
    found = true
    if (did === 'removed-file') say(environment, `${file} contained only the hook and was deleted`)
    else say(environment, `the hook was removed from ${file}; backup: ${backup}`)
  }
  if (!found) say(environment, `no Playhead hook was found in ${folder}`)
}

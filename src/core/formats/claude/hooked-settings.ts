import { isJsonObject, type JsonObject, type JsonValue } from '../../json.ts'
import { hasOption, optionValues } from '../agent-options.ts'
import type { HookSetting } from '../agent-program.ts'
import { claudeOptions } from './options.ts'
import { toolHook } from './tool-hook.ts'

interface HookedSettings {
  /** For `--settings`; null: it is not given, or is among the others. */
  readonly settings: string | null
  /** The other arguments of the user. */
  readonly others: readonly string[]
  /** Why Playhead's hook is not in force; null: it is, or there is none. */
  readonly lost: string | null
}

/**
 * The settings of a run: those of the user with Playhead's hook. Of several `--settings`, Claude Code reads one: up to 2.1.168 the first, since
 * then the last (seen with 2.1.197). So there is one, with both.
 */
export function hookedSettings(args: readonly string[], hook: HookSetting | null): HookedSettings {
  if (hook === null) return { settings: null, others: args, lost: null }
  const without = ['--bare', '--safe-mode'].find((name) => hasOption(args, name, claudeOptions))
  if (without !== undefined) return { settings: null, others: args, lost: `${without} turns hooks off.` }
  const given = optionValues(args, '--settings')
  const [value] = given
  if (value === undefined) return { settings: JSON.stringify(withHook({}, hook.command)), others: args, lost: null }
  const merged = given.length > 1 ? 'There are several --settings.' : mergedSettings(value, hook)
  if (typeof merged === 'string') return { settings: null, others: args, lost: merged }
  const at = args.findIndex((argument) => argument === '--settings' || argument.startsWith('--settings='))
  return {
    settings: JSON.stringify(merged),
    others: args.toSpliced(at, args[at] === '--settings' ? 2 : 1),
    lost: merged['disableAllHooks'] === true ? 'The given --settings turn hooks off.' : null
  }
}

/** Or why they cannot be merged. */
function mergedSettings(value: string, { command, readSettings }: HookSetting): JsonObject | string {
  const isText = value.trim().startsWith('{')
  const read = isText ? { text: value } : readSettings(value)
  if ('why' in read) return read.why
  const settings = parsed(read.text)
  if (settings === null) return 'The given --settings are not JSON that Playhead understands.'
  if (isText) return withHook(settings, command)
  // Merged settings are on the command line, which other users may see.
  if (settings['env'] !== undefined) return 'The file of --settings has variables, which may be secret.'
  // Claude Code reads such paths from the folder of the file, and merged settings have no file.
  if (settings['sandbox'] !== undefined || /\(\/(?!\/)/.test(JSON.stringify(settings['permissions'] ?? null)))
    return 'The file of --settings has paths that are relative to it.'
  return withHook(settings, command)
}

function parsed(text: string): JsonObject | null {
  try {
    const value = JSON.parse(text.replace(/^\uFEFF/, '')) as JsonValue
    if (!isJsonObject(value)) return null
    const { hooks = {} } = value
    return isJsonObject(hooks) && Array.isArray(hooks[toolHook.event] ?? []) ? value : null
  } catch {
    return null
  }
}

function withHook(settings: JsonObject, command: string): JsonObject {
  const hooks = isJsonObject(settings['hooks']) ? settings['hooks'] : {}
  const before = hooks[toolHook.event]
  const own = { matcher: '*', hooks: [{ type: 'command', command, timeout: toolHook.timeoutSeconds }] }
  return {
    ...settings,
    hooks: { ...hooks, [toolHook.event]: [...(Array.isArray(before) ? (before as readonly JsonValue[]) : []), own] }
  }
}

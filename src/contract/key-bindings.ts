import { type CommandId, commands } from './commands.ts'

/** The keys of all commands, and the problems of keys that were set, as sentences for the user. */
export interface KeyBindings {
  readonly keysOf: ReadonlyMap<CommandId, readonly string[]>
  readonly commandOf: ReadonlyMap<string, CommandId>
  readonly problems: readonly string[]
}

/**
 * The keys of commands with those of `settings.json`, which replace the command's own. A key has one command: of two that set it the
 * first one in the table keeps it, and a command that only has it by default loses it. Each loss is a problem.
 */
export function bindKeys(chosen: Readonly<Record<string, readonly string[]>>): KeyBindings {
  const problems: string[] = []
  const commandOf = new Map<string, CommandId>()
  const keysOf = new Map<CommandId, string[]>()
  const nameOf = new Map<string, string>(commands.map(({ id, name }) => [id, name]))
  for (const id of Object.keys(chosen)) if (!nameOf.has(id)) problems.push(`keys: There is no command "${id}".`)

  const bind = (id: CommandId, key: string, isSet: boolean): void => {
    const owner = commandOf.get(key)
    if (owner === id) return
    if (owner !== undefined) {
      const both = isSet
        ? `is set for "${nameOf.get(owner)}" and "${nameOf.get(id)}"`
        : `was the key of "${nameOf.get(id)}"`
      problems.push(`keys: ${written(key)} ${both}. "${nameOf.get(owner)}" has it now.`)
      return
    }
    commandOf.set(key, id)
    keysOf.get(id)?.push(key)
  }

  for (const { id } of commands) {
    keysOf.set(id, [])
    for (const text of chosen[id] ?? []) {
      const key = keyOf(text)
      if (key === null)
        problems.push(
          `keys.${id}: "${text}" cannot be a key of a command. Write it as b, B, Mod+b, Alt+b, F2 or Shift+Home.`
        )
      else bind(id, key, true)
    }
  }
  for (const { id, key, alternative } of commands) {
    if (chosen[id] !== undefined) continue
    for (const each of [key, alternative]) if (each !== undefined) bind(id, each, false)
  }
  return { keysOf, commandOf, problems }
}

/** Enter, Tab and Escape belong to the focused part of the page, and these letters with Ctrl or Command to its texts. */
const namedKeys = /^(?:Arrow(?:Left|Right|Up|Down)|Home|End|PageUp|PageDown|Insert|Delete|Backspace|F(?:[1-9]|1[0-2]))$/
const alternate = /^(?:alt|option)\+([\da-z])$/i
const chord = /^(?:mod|ctrl|cmd)\+([^\sacvxyz])$/i

/** A key as the table of commands writes it, of a key as a person writes it. Null: none of a command. */
function keyOf(text: string): string | null {
  const [, letter] = chord.exec(text) ?? []
  if (letter !== undefined) return `Mod+${letter.toLowerCase()}`
  const [, alt] = alternate.exec(text) ?? []
  if (alt !== undefined) return `Alt+${alt.toLowerCase()}`
  const [, shifted] = /^shift\+(.+)$/i.exec(text) ?? []
  const key = shifted ?? text
  if (namedKeys.test(key)) return shifted === undefined ? key : `Shift+${key}`
  if (/^(?:space| )$/i.test(text)) return ' '
  if ([...key].length !== 1 || !/[\p{L}\p{N}\p{P}\p{S}]/u.test(key)) return null
  return shifted === undefined ? key : key.toUpperCase()
}

function written(key: string): string {
  return key === ' ' ? 'Space' : key
}

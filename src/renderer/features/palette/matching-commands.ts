import { type Command, commands } from '#contract/commands.ts'

/** The commands that contain each word of `text` in name, description or group; matches by name come first. */
export function matchingCommands(text: string, isThere: (command: Command) => boolean): readonly Command[] {
  const words = text.toLowerCase().split(/\s+/)
  const has = (said: string) => words.every((word) => said.toLowerCase().includes(word))
  const found = commands.filter(
    (command) => isThere(command) && has(`${command.name} ${command.what} ${command.group}`)
  )
  return [...found.filter(({ name }) => has(name)), ...found.filter(({ name }) => !has(name))]
}

/** Reads agents' arguments as far as needed to recognize dangerous ones. */

/** All values of an option: `--name value`, `--name=value`, and `-nvalue` of a short one. */
export function optionValues(args: readonly string[], name: string): string[] {
  const isShort = /^-[A-Za-z]$/.test(name)
  return args.flatMap((argument, i) => {
    if (argument === name) return [args[i + 1] ?? '']
    if (argument.startsWith(`${name}=`)) return [argument.slice(name.length + 1)]
    return isShort && argument.startsWith(name) ? [argument.slice(name.length)] : []
  })
}

/** Whether one of the options is set, in any spelling. */
export function setsOption(args: readonly string[], ...names: readonly string[]): boolean {
  return names.some((name) => optionValues(args, name).length > 0)
}

/** Options with "dangerously" in their name. */
export function declaredDangers(args: readonly string[]): string[] {
  return args.filter((argument) => /^--(?:allow-)?dangerously-/.test(argument))
}

/** Strips quotes of TOML or JSON, or of a word that was quoted twice. */
function plain(value: string): string {
  return value.trim().replaceAll(/^["']+|["']+$/g, '')
}

/** Values of options that `isDangerous` holds for, with the option's name. */
export function valuesThat(
  args: readonly string[],
  names: readonly string[],
  isDangerous: (value: string) => boolean
): string[] {
  return names.flatMap((name) =>
    optionValues(args, name)
      .filter((value) => isDangerous(plain(value)))
      .map((value) => `${name} ${value.trim()}`)
  )
}

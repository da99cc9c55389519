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
function declaredDangers(args: readonly string[]): string[] {
  return args.filter((argument) => /^--(?:allow-)?dangerously-/.test(argument))
}

/** Strips quotes of TOML or JSON, or of a word that was quoted twice. */
function plain(value: string): string {
  return value.trim().replaceAll(/^["']+|["']+$/g, '')
}

function valuesThat(
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

/** The dangerous arguments as written; empty: none. */
export function dangersOfClaude(args: readonly string[]): string[] {
  return [
    ...declaredDangers(args),
    ...valuesThat(args, ['--permission-mode'], (mode) => /^(?:bypassPermissions|auto)$/i.test(mode)),
    // A settings file cannot be read here; the mode that Playhead sets overrides it.
    ...valuesThat(args, ['--settings'], (settings) => settings.includes('bypassPermissions')),
    ...allowedTools(args)
      .filter((tool) => /^(?:\*|(?:Bash|PowerShell)(?:\(:?\*?\))?)$/i.test(tool))
      .map((tool) => `--allowedTools ${tool}`)
  ]
}

/** The names after `--allowedTools`, which takes all arguments up to the next option. */
function allowedTools(args: readonly string[]): string[] {
  const names = ['--allowedTools', '--allowed-tools']
  const lists = args.flatMap((argument, i) => {
    const [name = '', value] = argument.split(/=(.*)/s)
    if (!names.includes(name)) return []
    const rest = args.slice(i + 1)
    const end = rest.findIndex((next) => next.startsWith('-'))
    return [...(value === undefined ? [] : [value]), ...rest.slice(0, end < 0 ? undefined : end)]
  })
  // Commas and spaces separate names, except inside brackets.
  return lists.flatMap((list) => list.match(/(?:[^\s,()]|\([^)]*\)?)+/g) ?? [])
}

export function dangersOfCodex(args: readonly string[]): string[] {
  const isOpen = (mode: string): boolean => /danger|full-access/i.test(mode)
  return [
    ...declaredDangers(args),
    // A model approves instead of the user; settings of the folder may start any program.
    ...args.filter((argument) => /^--(?:yolo|approve-for-me|trust)(?:=|$)/.test(argument)),
    ...valuesThat(args, ['--sandbox', '-s'], isOpen),
    // `key=value`, the value in TOML: `sandbox_mode="danger-full-access"`, `profiles.x.sandbox_mode=…`, `permissions.…`.
    ...valuesThat(args, ['--config', '-c'], (pair) => /sandbox_mode|permission/i.test(pair) || isOpen(pair))
  ]
}

export function dangersOfGemini(args: readonly string[]): string[] {
  const modes = ['--approval-mode', '--approvalMode']
  const tools = ['--allowed-tools', '--allowedTools']
  return [
    ...declaredDangers(args),
    ...args.filter((argument) => /^--yolo(?:=(?!false$)|$)/i.test(argument)),
    // A trusted folder's settings may start any program. Gemini refuses folders that the user has not trusted.
    ...args.filter((argument) => /^--skip-?trust(?:=(?!false$)|$)/i.test(argument)),
    // Letters after one dash are separate options.
    ...args.filter((argument) => /^-[A-Za-z]*y[A-Za-z]*(?:=(?!false$)|$)/.test(argument)),
    // Without a terminal, "plan" executes its plan without approval.
    ...valuesThat(args, modes, (mode) => /^(?:yolo|plan)$/i.test(mode)),
    ...valuesThat(args, tools, (list) =>
      /(?:^|[\s,])(?:\*|run_shell_command|ShellTool)(?:\(\s*\))?(?=[\s,]|$)/.test(list)
    ),
    ...valuesThat(args, ['--policy', '--admin-policy', '--adminPolicy'], () => true)
  ]
}

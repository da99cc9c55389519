/** How the agents read their arguments, as far as it has to be known to tell which are dangerous. */

/** The values that an option is given, in all its spellings: `--name value`, `--name=value`, and of a short one also `-nvalue`. */
export function optionValues(args: readonly string[], name: string): string[] {
  const isShort = /^-[A-Za-z]$/.test(name)
  return args.flatMap((argument, i) => {
    if (argument === name) return [args[i + 1] ?? '']
    if (argument.startsWith(`${name}=`)) return [argument.slice(name.length + 1)]
    return isShort && argument.startsWith(name) ? [argument.slice(name.length)] : []
  })
}

/** Whether one of these options is among the arguments, in whatever spelling. */
export function setsOption(args: readonly string[], ...names: readonly string[]): boolean {
  return names.some((name) => optionValues(args, name).length > 0)
}

/** Those that say themselves that they are dangerous: no agent has one that is not. */
function outspoken(args: readonly string[]): string[] {
  return args.filter((argument) => /^--(?:allow-)?dangerously-/.test(argument))
}

/** The value is the same with quotes or without: of a TOML or JSON text, or of somebody who quoted once too often. */
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

/** As they are written; none: none is dangerous. */
export function dangersOfClaude(args: readonly string[]): string[] {
  return [
    ...outspoken(args),
    ...valuesThat(args, ['--permission-mode'], (mode) => /^(?:bypassPermissions|auto)$/i.test(mode)),
    // A file of settings is the person's own, and cannot be told from here; the mode that Playhead sets stands above it.
    ...valuesThat(args, ['--settings'], (settings) => settings.includes('bypassPermissions')),
    ...allowedTools(args)
      .filter((tool) => /^(?:\*|(?:Bash|PowerShell)(?:\(:?\*?\))?)$/i.test(tool))
      .map((tool) => `--allowedTools ${tool}`)
  ]
}

/** The names after `--allowedTools`, which takes as many arguments as there are up to the next option. */
function allowedTools(args: readonly string[]): string[] {
  const names = ['--allowedTools', '--allowed-tools']
  const lists = args.flatMap((argument, i) => {
    const [name = '', value] = argument.split(/=(.*)/s)
    if (!names.includes(name)) return []
    const rest = args.slice(i + 1)
    const end = rest.findIndex((next) => next.startsWith('-'))
    return [...(value === undefined ? [] : [value]), ...rest.slice(0, end < 0 ? undefined : end)]
  })
  // Commas and spaces part names, unless they stand in the brackets of one.
  return lists.flatMap((list) => list.match(/(?:[^\s,()]|\([^)]*\)?)+/g) ?? [])
}

export function dangersOfCodex(args: readonly string[]): string[] {
  const isOpen = (mode: string): boolean => /danger|full-access/i.test(mode)
  return [
    ...outspoken(args),
    // A model agrees in the person's place; settings of the folder may start any program.
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
    ...outspoken(args),
    ...args.filter((argument) => /^--yolo(?:=(?!false$)|$)/i.test(argument)),
    // Settings of the folder may start any program; Gemini refuses a folder that its person has not trusted.
    ...args.filter((argument) => /^--skip-?trust(?:=(?!false$)|$)/i.test(argument)),
    // Letters after one dash are options of their own.
    ...args.filter((argument) => /^-[A-Za-z]*y[A-Za-z]*(?:=(?!false$)|$)/.test(argument)),
    // With nobody there, "plan" carries its plan out unasked.
    ...valuesThat(args, modes, (mode) => /^(?:yolo|plan)$/i.test(mode)),
    ...valuesThat(args, tools, (list) =>
      /(?:^|[\s,])(?:\*|run_shell_command|ShellTool)(?:\(\s*\))?(?=[\s,]|$)/.test(list)
    ),
    ...valuesThat(args, ['--policy', '--admin-policy', '--adminPolicy'], () => true)
  ]
}

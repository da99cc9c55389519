import type { FileEffect } from '../formats/file-effect.ts'
import { pathIn } from '../paths/log-path.ts'
import { type CommandEffect, commandEffect, gitWords, largerEffect } from './command-effect.ts'
import type { ShellCommand } from './shell-commands.ts'
import type { Shell, ShellWord } from './shell-line.ts'

/** Lines of one file that a command line prints. */
export interface ShownFile {
  /** As in the line, in the folder of a `cd` before it. */
  readonly path: string
  /** The first line, from 1. */
  readonly first: number
  /** Lines asked for; null: to the end. */
  readonly count: number | null
  /** Line numbers stand before the lines. */
  readonly numbered: boolean
  /** A shell of Windows prints them, which may read other characters than those of ASCII wrongly, and adds a line end. */
  readonly byWindows?: true
}

/** What a command line does to files. */
export interface ChangedFiles {
  /** What is certain, if the line succeeded. */
  readonly effects: readonly FileEffect[]
  /** The most that the other commands may do; `read`: nothing. */
  readonly effect: CommandEffect
  /** The files that they may change; null: any. */
  readonly paths: readonly string[] | null
}

/** The folder after the `cd` commands at the start of a line, and what follows. Null: the folder is not stated. */
function afterFolder(
  commands: readonly ShellCommand[]
): { readonly folder: string | null; readonly rest: readonly ShellCommand[] } | null {
  let folder: string | null = null
  let at = 0
  for (; at < commands.length - 1; at++) {
    const command = commands[at]
    if (command === undefined || !isFolderChange(command) || !['&&', ';', '\n'].includes(command.operator)) break
    const word = command.words.at(-1)
    const isOnly =
      command.words.length === 2 || (command.words.length === 3 && /^\/d$/i.test(command.words[1]?.text ?? ''))
    if (word === undefined || !isOnly || !isPlain(word)) return null
    folder = pathIn(folder, word.text)
  }
  return { folder, rest: commands.slice(at) }
}

function isFolderChange({ name }: ShellCommand): boolean {
  return name === 'cd' || name === 'set-location'
}

/** A word that stands for itself. */
function isPlain({ text, quoted, expands }: ShellWord): boolean {
  return !expands && text !== '' && (quoted || !/[*?[{]/.test(text)) && !text.startsWith('~+') && !text.startsWith('-')
}

const lineNumber = /^\d{1,9}$/

/** The file that a line prints, if that is all it does: `cat F`, `sed -n 1,9p F`, `nl -ba F | head -5`. Null: none. */
export function shownFile(commands: readonly ShellCommand[], shell: Shell = 'sh'): ShownFile | null {
  const start = afterFolder(commands)
  if (start === null) return null
  const { folder, rest } = start
  const [first, second, third] = rest
  if (
    first === undefined ||
    third !== undefined ||
    rest.some(({ operator }, i) => operator !== (i === rest.length - 1 ? '' : '|'))
  )
    return null
  if (
    rest.some(
      ({ writes, here, assigned }) =>
        here !== null || assigned.length > 0 || writes.some((path) => path !== '/dev/null')
    )
  )
    return null
  const shown = printed(first, true) ?? printedByWindows(first, shell)
  if (shown === null || shown.path === null) return null
  const path = pathIn(folder, shown.path)
  if (second === undefined) return { ...shown, path }
  const part = printed(second, false)
  if (part === null || part.path !== null || shown.first !== 1 || shown.count !== null) return null
  return { ...shown, path, first: part.first, count: part.count, numbered: shown.numbered || part.numbered }
}

/** `Get-Content -TotalCount 9 F`, `type F`. Null: it prints no file, or it is not known which lines. */
function printedByWindows(
  { name, words }: ShellCommand,
  shell: Shell
): (Printed & Pick<ShownFile, 'byWindows'>) | null {
  // `type` of `sh` says what a command is.
  if (name !== 'get-content' && name !== 'gc' && (name !== 'type' || shell === 'sh')) return null
  const args = words.slice(1)
  const files: ShellWord[] = []
  let count: number | null = null
  for (let i = 0; i < args.length; i++) {
    const word = args[i]
    if (word === undefined || word.expands) return null
    const option = word.quoted ? undefined : /^-([a-z]+)$/i.exec(word.text)?.[1]?.toLowerCase()
    if (option === undefined) files.push(word)
    else if (name === 'type') return null
    else if (option === 'path' || option === 'literalpath') continue
    else if (option === 'encoding') i++
    else if (['totalcount', 'head', 'first'].includes(option)) {
      const stated = args[++i]?.text ?? ''
      if (!lineNumber.test(stated)) return null
      count = Number(stated)
    } else if (option !== 'raw') return null
  }
  const [file] = files
  if (files.length !== 1 || file === undefined || !isPlain(file)) return null
  return { path: file.text, first: 1, count, numbered: false, byWindows: true }
}

interface Printed {
  /** Null: its input. */
  readonly path: string | null
  readonly first: number
  readonly count: number | null
  readonly numbered: boolean
}

function printed({ name, words }: ShellCommand, hasFile: boolean): Printed | null {
  const args = words.slice(1)
  const files: ShellWord[] = []
  let [first, count, numbered]: [number, number | null, boolean] = [1, null, false]
  let isQuiet = name !== 'sed'
  let hasRange = false
  for (let i = 0; i < args.length; i++) {
    const word = args[i]
    const text = word?.text ?? ''
    if (word === undefined || word.expands) return null
    if (name === 'cat' && text === '--') continue
    if (name === 'cat' && text === '-n') numbered = true
    else if (name === 'nl' && (text === '-ba' || text === '-w1' || text === '-s ')) numbered ||= text === '-ba'
    else if (name === 'nl' && text === '-b' && args[i + 1]?.text === 'a') {
      numbered = true
      i++
    } else if (name === 'sed' && text === '-n') isQuiet = true
    else if (name === 'sed' && !hasRange) {
      const range = /^(\d{1,9})(?:,(\d{1,9}|\$))?p;?$/.exec(text)
      if (range === null) return null
      hasRange = true
      first = Number(range[1])
      count = range[2] === undefined ? 1 : range[2] === '$' ? null : Number(range[2]) - first + 1
      if (first < 1 || (count !== null && count < 1)) return null
    } else if (name === 'head' || name === 'tail') {
      const stated = /^-n?(\+?\d{1,9})$/.exec(text)?.[1] ?? (text === '-n' ? args[++i]?.text : undefined)
      if (stated === undefined) {
        if (text.startsWith('-')) return null
        files.push(word)
      } else if (name === 'head' && lineNumber.test(stated)) count = Number(stated)
      else if (name === 'tail' && /^\+\d{1,9}$/.test(stated)) first = Math.max(1, Number(stated))
      else return null
    } else if (text.startsWith('-')) return null
    else files.push(word)
  }
  if (!isQuiet || !['cat', 'nl', 'sed', 'head', 'tail'].includes(name)) return null
  if (name === 'sed' && !hasRange) return null
  if (name === 'head' && count === null) count = 10
  if (name === 'tail' && !args.some(({ text }) => /^(?:-n)?\+?\d/.test(text) && text.includes('+'))) return null
  if (name === 'nl' && !numbered) return null
  const [file] = files
  if (!hasFile) return files.length === 0 ? { path: null, first, count, numbered } : null
  return files.length === 1 && file !== undefined && isPlain(file) ? { path: file.text, first, count, numbered } : null
}

const nothing: ChangedFiles = { effects: [], effect: 'read', paths: [] }

/** What a line changes, and what it may have changed. `succeeded`: its exit status says so. */
export function changedByLine(commands: readonly ShellCommand[], succeeded: boolean): ChangedFiles {
  const effects: FileEffect[] = []
  let effect: CommandEffect = 'read'
  let paths: string[] | null = []
  let folder: string | null = null
  let isSure = succeeded
  /** The folder is not known. */
  let isLost = false
  for (const command of commands) {
    const { name, words, operator } = command
    if (isFolderChange(command)) {
      // `cd /d C:\work`
      const word = words[words.length === 3 && /^\/d$/i.test(words[1]?.text ?? '') ? 2 : 1]
      // In an unknown folder, any file may be meant.
      folder = word !== undefined && isPlain(word) ? pathIn(folder, word.text) : null
      isLost = word === undefined || !isPlain(word)
      isSure &&= !isLost
      continue
    }
    const own = commandEffect(command)
    const certain =
      isSure && (operator === '' || operator === '&&' || operator === '\n' || operator === ';')
        ? certainEffects(command)
        : null
    if (certain !== null) {
      for (const { path, ...change } of certain) {
        effects.push({
          ...(change.what === 'moved' ? { ...change, from: pathIn(folder, change.from) } : change),
          path: pathIn(folder, path)
        })
      }
      continue
    }
    // What follows `||` or `&` may not have run.
    if (operator === '||' || operator === '&' || name === 'if' || name === 'for' || name === 'while') isSure = false
    if (own === 'read') continue
    effect = largerEffect(effect, own)
    const targets = own === 'move' || own === 'write' ? targetsOf(command) : null
    if (targets === null || isLost || targets.some((path) => /[$`*?[{]/.test(path))) paths = null
    else {
      const here: string | null = folder
      paths?.push(...targets.map((path) => pathIn(here, path)))
    }
  }
  if (effect === 'read' && effects.length === 0) return nothing
  return { effects, effect, paths }
}

/** What a command does to files for certain; null: not known. */
function certainEffects(command: ShellCommand): readonly FileEffect[] | null {
  const { name, words, here, hereExpands, writes, appends, piped } = command
  const args = words.slice(1)
  if (here !== null && !hereExpands && !piped && (name === 'cat' || name === 'tee')) {
    const flags = args.filter(({ text }) => text.startsWith('-'))
    const files = name === 'tee' ? args.filter(({ text }) => !text.startsWith('-')).map(({ text }) => text) : []
    if (name === 'cat' && args.length > 0 && !(args.length === 1 && args[0]?.text === '-')) return null
    const isAppended = flags.some(({ text }) => text === '-a')
    const targets = [
      ...files.map((path) => ({ path, isAppended })),
      ...writes.map((path) => ({ path, isAppended: appends.includes(path) }))
    ].filter(({ path }) => path !== '/dev/null')
    if (targets.length === 0) return null
    if (targets.some(({ path }) => /[$`*?[{]/.test(path))) return null
    return targets.map(({ path, isAppended: added }) => ({ path, what: added ? 'appended' : 'written', text: here }))
  }
  if (writes.some((path) => path !== '/dev/null')) return null
  const verb = name === 'git' ? gitWords(words.map(({ text }) => text))[0] : name
  const own = name === 'git' ? args.slice(args.findIndex(({ text }) => text === verb) + 1) : args
  if (name === 'git' && args[0]?.text !== verb) return null
  const files = own.filter(({ text }) => !text.startsWith('-'))
  if (!files.every(isPlain) || files.length === 0) return null
  if ((verb === 'rm' || verb === 'del' || verb === 'remove-item') && own.every(({ text }) => !/^-\w*r|^--/.test(text)))
    return files.map(({ text }) => ({ path: text, what: 'deleted' }))
  const [from, to] = files
  if (
    (verb === 'mv' || verb === 'move' || verb === 'move-item') &&
    files.length === 2 &&
    from !== undefined &&
    to !== undefined &&
    hasEnding(to.text)
  )
    return [{ path: to.text, what: 'moved', from: from.text }]
  return null
}

/** It is the name of a file rather than of a folder. */
function hasEnding(path: string): boolean {
  return /\.\w{1,12}$/.test(path)
}

const moving = new Set([
  'mv',
  'cp',
  'rm',
  'rmdir',
  'ln',
  'del',
  'move',
  'copy',
  'move-item',
  'copy-item',
  'remove-item'
])
/** They make files, but change none. */
const harmless = new Set(['mkdir', 'touch', 'chmod', 'chown', 'new-item'])

/** The files that a command which moves or writes names; null: any. */
function targetsOf({ name, words, writes }: ShellCommand): readonly string[] | null {
  const args = words.slice(1)
  const files = args.filter(({ text }) => !text.startsWith('-'))
  const written = writes.filter((path) => !path.startsWith('/dev/'))
  if (harmless.has(name)) return written
  if (name === 'sed' || name === 'perl' || name === 'tee' || moving.has(name)) {
    const edits = name === 'sed' || name === 'perl'
    if (edits && !args.some(({ text }) => /^-\w*i|^--in-place/.test(text))) return written
    const named = edits ? editedFiles(args) : files
    return named.every(isPlain)
      ? [...named.map(({ text }) => text), ...(named.length === 0 ? ['*'] : []), ...written]
      : null
  }
  return commandEffect({ name, words, writes: [], ...noInput }) === 'read' ? written : null
}

/** The files of `sed -i SCRIPT FILE…`, of `sed -i -e SCRIPT FILE…` and `perl -pi -e SCRIPT FILE…`. */
function editedFiles(args: readonly ShellWord[]): readonly ShellWord[] {
  const hasOption = args.some(({ text }) => isScriptOption(text))
  const files = args.filter(
    ({ text }, i) => text !== '' && !text.startsWith('-') && !isScriptOption(args[i - 1]?.text ?? '')
  )
  return hasOption ? files : files.slice(1)
}

function isScriptOption(text: string): boolean {
  return /^-\w{0,8}[ef]$|^--expression$/.test(text)
}

const noInput = { assigned: [], appends: [], here: null, hereExpands: false, operator: '', piped: false } as const

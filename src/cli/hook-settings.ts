import { lstat, mkdir, readFile, readlink, realpath, rm, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { HostError } from '#contract/host-error.ts'
import { toolHook } from '#core/formats/claude/tool-hook.ts'
import { isJsonObject } from '#core/json.ts'
import { WholeFile, writeWhole } from '#backend/whole-file.ts'
import { systemCode, writeFailure } from '#backend/write-failure.ts'
import { appended, itemsOf, type JsonItem, type JsonNode, jsonTree, memberOf, replaced, without } from './json-edit.ts'

export interface SettingsChange {
  /** `removed-file`: only the hook was in it. */
  readonly did: 'added' | 'updated' | 'removed' | 'removed-file' | 'nothing'
  /** Path of a copy of the old file; null: there was none, or nothing changed. */
  readonly backup: string | null
}

const { event, timeoutSeconds: timeout } = toolHook
const maxBytes = 10 << 20
/** The agent may write the file at the same moment. */
const maxTries = 5

/** Adds the hook to a settings file of the agent or replaces an older command. Throws `unavailable` with what to do. */
export async function installHook(file: string, command: string): Promise<SettingsChange> {
  return await changed(file, (text) => withHook(text, command), false)
}

/** Removes only what `installHook` added. */
export async function uninstallHook(file: string): Promise<SettingsChange> {
  return await changed(file, withoutHook, true)
}

/** Null: nothing to change. */
type Edit = { readonly text: string; readonly did: 'added' | 'updated' | 'removed' } | null

function withHook(text: string, command: string): Edit {
  const root = jsonTree(text)
  const commands = hooksOf(text, root).map((path) => memberOf(path.at(-1)?.item.value, 'command'))
  if (commands.some((node) => node && valueOf(text, node) === command)) return null
  if (commands[0] !== undefined) return { text: replaced(text, commands[0], command), did: 'updated' }
  const group = { matcher: '*', hooks: [{ type: 'command', command, timeout }] }
  const hooks = memberOf(root, 'hooks')
  const groups = memberOf(hooks, event)
  if (hooks === undefined) return { text: appended(text, root, 'hooks', { [event]: [group] }), did: 'added' }
  if (groups === undefined) return { text: appended(text, hooks, event, [group]), did: 'added' }
  return { text: appended(text, groups, null, group), did: 'added' }
}

function withoutHook(text: string): Edit {
  let rest = text
  for (;;) {
    const [own] = hooksOf(rest, jsonTree(rest))
    if (own === undefined) break
    rest = withoutItem(rest, own)
  }
  return rest === text ? null : { text: rest, did: 'removed' }
}

interface Step {
  readonly container: JsonNode
  readonly item: JsonItem
}

/** Our hooks, each with its enclosing items, outermost first. */
function hooksOf(text: string, root: JsonNode): readonly (readonly Step[])[] {
  const hooks = stepTo(root, 'hooks')
  const groups = stepTo(hooks?.item.value, event)
  if (hooks === null || groups === null) return []
  return itemsOf(groups.item.value).flatMap((group) => {
    const list = memberOf(group.value, 'hooks')
    return itemsOf(list).flatMap((hook) => {
      if (list === undefined || !isOwn(text, hook.value)) return []
      return [[hooks, groups, { container: groups.item.value, item: group }, { container: list, item: hook }]]
    })
  })
}

function stepTo(container: JsonNode | undefined, key: string): Step | null {
  const item = itemsOf(container).findLast((each) => each.key === key)
  return container === undefined || item === undefined ? null : { container, item }
}

/** Also removes enclosing items that become empty. */
function withoutItem(text: string, path: readonly Step[]): string {
  const shared = path.findLastIndex(({ container }) => itemsOf(container).length > 1)
  const step = path[Math.max(0, shared)]
  return step === undefined ? text : without(text, step.container, step.item)
}

/** A word of `sh`: quoted, escaped or plain. */
const word = String.raw`(?:'[^']*'|"[^"]*"|\\'|\\(?!')|[^\s'"&|;<>()$\\])+`
/** `PROGRAM playhead.js hook`, or `playhead hook`. */
const ownCommand = new RegExp(`^\\s*(?:${word}\\s+(${word})|(${word}))\\s+hook\\s*$`)

/** The command is `playhead hook` and nothing else, wherever Playhead is installed. */
function isOwn(text: string, hook: JsonNode): boolean {
  const node = memberOf(hook, 'command')
  const command = node === undefined ? null : valueOf(text, node)
  const [, script, program] = typeof command === 'string' ? (ownCommand.exec(command) ?? []) : []
  return (
    /(?:^|[\\/'"])playhead\.js['"]?$/.test(script ?? '') || /(?:^|[\\/'"])playhead(?:\.cmd)?['"]?$/.test(program ?? '')
  )
}

function valueOf(text: string, { start, end }: JsonNode): unknown {
  return JSON.parse(text.slice(start, end))
}

async function changed(file: string, edit: (text: string) => Edit, isRemoval: boolean): Promise<SettingsChange> {
  const nothing: SettingsChange = { did: 'nothing', backup: null }
  try {
    const target = await targetOf(file)
    const backup = `${target}.playhead-backup`
    for (let tries = 0; tries < maxTries; tries++) {
      const before = await textOf(target)
      if (before === null && isRemoval) return nothing
      const text = settingsOf(before)
      checkSettings(text, file)
      const done = edit(text)
      if (done === null) return nothing
      const kept = isRemoval ? await textOf(backup) : null
      // Without a backup there was no file before the install.
      if (isRemoval && isEmpty(done.text) && kept === null) {
        await rm(target)
        return { did: 'removed-file', backup: null }
      }
      const after = kept !== null && isMadeOf(text, kept) ? kept : done.text
      if (before === null) await mkdir(dirname(target), { recursive: true })
      else await writeWhole(backup, await readFile(target), { mode: await modeOf(target) })
      if (await written(target, before, after)) return { did: done.did, backup: before === null ? null : backup }
    }
  } catch (error) {
    if (error instanceof HostError && systemCode(error) === undefined) throw error
    throw new HostError('unavailable', `${writeFailure(file, error).message} Nothing was changed.`)
  }
  throw new HostError('unavailable', `${file} is being written by another program. Nothing was changed; try again.`)
}

/**
 * True if `installHook` turned `before` into `text` and nothing changed since. Then uninstalling restores `before`
 * exactly: an edit alone cannot tell `{ }`, `{"hooks":{}}` and an empty file apart.
 */
function isMadeOf(text: string, before: string): boolean {
  const node = hooksOf(text, jsonTree(text)).map((path) => memberOf(path.at(-1)?.item.value, 'command'))[0]
  const command = node === undefined ? null : valueOf(text, node)
  try {
    const settings = settingsOf(before)
    checkSettings(settings, '')
    const edit = typeof command === 'string' ? withHook(settings, command) : null
    return edit?.did === 'added' && edit.text === text
  } catch {
    // The backup belongs to another version of the file.
    return false
  }
}

/** A missing or empty file has no settings. */
function settingsOf(text: string | null): string {
  return text === null || text.trim() === '' ? '{}\n' : text
}

function isEmpty(text: string): boolean {
  return itemsOf(jsonTree(text)).length === 0
}

/** Resolves links, so that the link itself stays. */
async function targetOf(file: string): Promise<string> {
  try {
    return await realpath(file)
  } catch {
    const isLink = await lstat(file).then(
      (found) => found.isSymbolicLink(),
      () => false
    )
    return isLink ? resolve(dirname(file), await readlink(file)) : file
  }
}

/** Null: no such file. */
async function textOf(file: string): Promise<string | null> {
  try {
    const { size } = await stat(file)
    if (size > maxBytes) throw new HostError('unavailable', `${file} is too large for settings. Nothing was changed.`)
    return await readFile(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

/** Throws for a file that the agent rejects or that has no place for the hook. */
function checkSettings(text: string, file: string): void {
  const refuse = (what: string): never => {
    throw new HostError('unavailable', `${file} ${what}. Nothing was changed. Fix the file and try again.`)
  }
  let settings: unknown
  try {
    settings = JSON.parse(stripped(text))
  } catch {
    return refuse('is not JSON')
  }
  if (!isJsonObject(settings)) return refuse('does not contain an object')
  const { hooks } = settings
  if (hooks === undefined) return
  if (!isJsonObject(hooks)) return refuse('has "hooks" that is not an object')
  if (hooks[event] !== undefined && !Array.isArray(hooks[event])) refuse(`has "${event}" that is not a list`)
}

/** Without the byte order mark of some editors. */
function stripped(text: string): string {
  return text.replace(/^\ufeff/, '')
}

/** False: the file changed meanwhile. */
async function written(file: string, before: string | null, text: string): Promise<boolean> {
  const settings = await WholeFile.open(file, { mode: before === null ? 0o666 : await modeOf(file) })
  await settings.write(Buffer.from(text))
  return await settings.finish(async () => (await textOf(file)) !== before)
}

async function modeOf(file: string): Promise<number> {
  return (await stat(file)).mode & 0o777
}

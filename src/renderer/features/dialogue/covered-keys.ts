import { type JsonObject, type JsonValue, stringAt } from '#core/json.ts'
import { maxFilesShown } from '#core/tools/file-edits.ts'
import type { ToolUse } from '#core/tools/tool-use.ts'

/** `use` with its command as the input has it. A view for reading leaves the shell away, which may be any program of that name. */
export function asSent(use: ToolUse, input: JsonObject): ToolUse {
  const text = use.what === 'command' ? stringAt(input, use.consumedKeys[0] ?? '') : undefined
  return use.what === 'command' && text !== undefined ? { ...use, command: { ...use.command, text } } : use
}

/**
 * The members of a call's input that its view shows to the last word. A view for reading leaves things away, such as the command around a
 * patch. Whoever allows a call has to see them too.
 */
export function coveredKeys(use: ToolUse, input: JsonObject): readonly string[] {
  const texts = new Set(textsOf(use))
  return use.consumedKeys.filter((key) => isShown(input[key] ?? null, texts))
}

/** What a change does: the view says it in other words. */
const kinds = ['add', 'update', 'delete']

function isShown(value: JsonValue, texts: ReadonlySet<string>): boolean {
  if (typeof value === 'string') return texts.has(value) || value === '' || kinds.includes(value)
  if (typeof value === 'object' && value !== null)
    return Object.values(value).every((member) => isShown(member ?? null, texts))
  return value === null || value === false
}

function textsOf(use: ToolUse): readonly string[] {
  switch (use.what) {
    case 'command':
      return [use.command.text]
    case 'script':
      return [use.script.text]
    case 'edits':
      return use.files.slice(0, maxFilesShown).flatMap(({ path, movedTo, edits }) => [
        ...[path, movedTo ?? ''],
        ...edits.flatMap((edit) => {
          if (edit.kind === 'replace') return [edit.before.text, edit.after.text]
          return [edit.kind === 'whole' ? edit.text.text : edit.patch.text]
        })
      ])
    case 'read':
      return [use.path]
    case 'agent':
      return [use.prompt.text]
    case 'plan':
      return [use.plan.text]
    case 'other':
      return []
  }
}

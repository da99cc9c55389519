import './keys-dialog.css'
import { type CommandId, type KeyGroup, keyGroups, type KeyLine } from '#contract/commands.ts'
import type { KeyBindings } from '#contract/key-bindings.ts'
import { useApp, useShared } from '../../stores/app-store.ts'
import { useLayout } from '../../stores/use-layout.ts'
import { useLibrary } from '../../stores/use-library.ts'
import { useSettings } from '../../stores/use-settings.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icons.tsx'
import { isCharacterKey, keyText } from '../../ui/shown-keys.ts'

/** All keyboard shortcuts. */
export function KeysDialog() {
  const open = useApp((app) => app.dialog === 'keys')
  const setDialog = useApp((app) => app.setDialog)
  const shared = useShared()
  const runs = useApp((app) => app.capabilities?.runs === true)
  const tasks = useApp((app) => app.capabilities?.tasks === true)
  const exports = useApp((app) => app.capabilities?.exports === true)
  const library = useLibrary(({ presence }) => presence === 'there')
  const { singleKeys, setSingleKeys } = useLayout('singleKeys', 'setSingleKeys')
  const { keys, file, problem } = useSettings('keys', 'file', 'problem')
  if (!open) return null
  // Keys of a focused part cannot be switched off.
  const isOff = ({ keys: own = [] }: KeyLine, key: string) =>
    singleKeys || own.includes(key) || !isCharacterKey(key) ? undefined : true
  const works = (line: KeyLine) =>
    (shared === null || line.ofFiles !== true) &&
    (runs || line.ofRuns !== true) &&
    (tasks || line.ofTasks !== true) &&
    (exports || line.ofExports !== true) &&
    (library || line.ofLibrary !== true)
  const groups = keyGroups
    .map(({ title, lines }: KeyGroup) => ({ title, lines: lines.filter(works) }))
    .filter(({ lines }) => lines.length > 0)
  return (
    <Dialog title="Keyboard shortcuts" className="keys-dialog" onClose={() => setDialog('none')}>
      <label className="keys-setting">
        <input type="checkbox" checked={singleKeys} onChange={() => setSingleKeys(!singleKeys)} />
        <span>
          Single-key shortcuts
          <span className="t3"> Turn them off if you dictate text. {keyText('Mod+k')} still opens all commands.</span>
        </span>
      </label>
      {(problem !== null || keys.problems.length > 0) && (
        <ul className="keys-problems" aria-label="Problems of the settings">
          {(problem === null ? keys.problems : [problem]).map((each) => (
            <li key={each} className="field-error">
              <Icon name="error" size={14} />
              <span>{each}</span>
            </li>
          ))}
        </ul>
      )}
      {/* In a low window the list scrolls, also with keys. */}
      <div className="keys-groups" role="group" aria-label="All keyboard shortcuts" tabIndex={0}>
        {groups.map(({ title, lines }) => (
          <section key={title} aria-label={title}>
            <h3 className="t3">{title}</h3>
            <dl>
              {lines.map((line) => (
                <div key={line.what}>
                  <dt>
                    {keysOf(line, keys).map((key) => (
                      <kbd key={key} data-off={isOff(line, key)}>
                        {keyText(key)}
                      </kbd>
                    ))}
                  </dt>
                  <dd>{line.what}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
        {file !== null && (
          <p className="t3">
            Other keys can be set in <span className="mono">{file}</span>.
          </p>
        )}
        <p className="t3">Arrow keys, Home and End move within a focused list, tree or tab bar.</p>
      </div>
    </Dialog>
  )
}

/** First keys of all commands, then further ones. */
function keysOf({ commands = [], keys = [] }: KeyLine, bindings: KeyBindings): readonly string[] {
  const all = commands.map(({ id }) => bindings.keysOf.get(id as CommandId) ?? [])
  return [...all.flatMap((each) => each.slice(0, 1)), ...all.flatMap((each) => each.slice(1)), ...keys]
}

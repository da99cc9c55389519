import './keys-dialog.css'
import { type KeyGroup, keyGroups, type KeyLine } from '#contract/commands.ts'
import { keyText } from '../../commands.ts'
import { useApp, useShared } from '../../stores/app-store.ts'
import { useLibrary } from '../../stores/use-library.ts'
import { Dialog } from '../../ui/dialog.tsx'

/** Every key there is. */
export function KeysDialog() {
  const open = useApp((app) => app.dialog === 'keys')
  const setDialog = useApp((app) => app.setDialog)
  const shared = useShared()
  const runs = useApp((app) => app.capabilities?.runs === true)
  const tasks = useApp((app) => app.capabilities?.tasks === true)
  const library = useLibrary(({ presence }) => presence === 'there')
  if (!open) return null
  const works = (line: KeyLine) =>
    (shared === null || line.ofFiles !== true) &&
    (runs || line.ofRuns !== true) &&
    (tasks || line.ofTasks !== true) &&
    (library || line.ofLibrary !== true)
  const groups = keyGroups
    .map(({ title, lines }: KeyGroup) => ({ title, lines: lines.filter(works) }))
    .filter(({ lines }) => lines.length > 0)
  return (
    <Dialog title="Keyboard shortcuts" className="keys-dialog" onClose={() => setDialog('none')}>
      {/* Where the window is low the list is scrolled, with the keys too. */}
      <div className="keys-groups" role="group" aria-label="All keyboard shortcuts" tabIndex={0}>
        {groups.map(({ title, lines }) => (
          <section key={title} aria-label={title}>
            <h3 className="t3">{title}</h3>
            <dl>
              {lines.map((line) => (
                <div key={line.what}>
                  <dt>
                    {keysOf(line).map((key) => (
                      <kbd key={key}>{keyText(key)}</kbd>
                    ))}
                  </dt>
                  <dd>{line.what}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
        <p className="t3">Arrow keys, Home and End move within a focused list, tree or tab bar.</p>
      </div>
    </Dialog>
  )
}

function keysOf({ commands = [], keys = [] }: KeyLine): readonly string[] {
  return [...commands.map(({ key }) => key), ...keys]
}

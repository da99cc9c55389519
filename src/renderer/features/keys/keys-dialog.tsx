import './keys-dialog.css'
import { useApp, useShared } from '../../stores/app-store.ts'
import { Dialog } from '../../ui/dialog.tsx'

const groups: readonly { title: string; keys: readonly (readonly [readonly string[], string])[] }[] = [
  {
    title: 'Playhead',
    keys: [
      [['←', '→'], 'Previous, next event'],
      [['Home', 'End'], 'First, last event'],
      [['f'], 'Follow the end of a log that grows'],
      [['[', ']'], 'Previous, next todo change'],
      [[',', '.'], 'Previous, next issue'],
      [['o'], 'Step over a subagent, or from a call to its result'],
      [['Space'], 'Play, pause']
    ]
  },
  {
    title: 'Find and go',
    keys: [
      [['/'], 'Find in the log'],
      [['n', 'N'], 'Next, previous hit'],
      [['F'], 'Filter rows; the keys then go through those shown'],
      [['g'], 'Go to a line, an event or a time']
    ]
  },
  {
    title: 'Scrubber, while it has the focus',
    keys: [
      [['+', '-'], 'Zoom in, out; so does the wheel over it'],
      [['0'], 'The whole run; so does a double click'],
      [['PgUp', 'PgDn'], 'Forward, back by a twentieth of what is shown']
    ]
  },
  {
    title: 'Window',
    keys: [
      [['Ctrl O'], 'Open a log'],
      [['?'], 'These keys'],
      [['Esc'], 'Close what is open, stop the search, forget its hits']
    ]
  }
]

/** Keys for what a page that holds its log cannot do. */
const keysOfFiles: readonly string[] = ['f', 'Ctrl O']

/** Every key there is. */
export function KeysDialog() {
  const open = useApp((app) => app.dialog === 'keys')
  const setDialog = useApp((app) => app.setDialog)
  const shared = useShared()
  if (!open) return null
  const works = ([keys]: readonly [readonly string[], string]) =>
    shared === null || !keys.some((key) => keysOfFiles.includes(key))
  return (
    <Dialog title="Keys" className="keys-dialog" onClose={() => setDialog('none')}>
      <div className="keys-groups">
        {groups.map((group) => (
          <section key={group.title} aria-label={group.title}>
            <h3 className="t3">{group.title}</h3>
            <dl>
              {group.keys.filter(works).map(([keys, what]) => (
                <div key={what}>
                  <dt>
                    {keys.map((key) => (
                      <kbd key={key}>{key}</kbd>
                    ))}
                  </dt>
                  <dd>{what}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
        <p className="t3">Lists, trees and tabs take the arrow keys, Home and End while the focus is in them.</p>
      </div>
    </Dialog>
  )
}

import './command-palette.css'
import { Fragment, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useApp } from '../../stores/app-store.ts'
import { useSettings } from '../../stores/use-settings.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icons.tsx'
import { keyText, useWorkingKeys } from '../../ui/shown-keys.ts'
import { type PaletteEntry, paletteGroups } from './palette-entries.ts'

/** Commands with their keys, places of the log, saved views and open sessions. */
export function CommandPalette() {
  const open = useApp((app) => app.dialog === 'palette')
  const setDialog = useApp((app) => app.setDialog)
  if (!open) return null
  return (
    <Dialog title="Command palette" className="palette" onClose={() => setDialog('none')}>
      <CommandSearch />
    </Dialog>
  )
}

function CommandSearch() {
  const app = useApp((state) => state)
  // The settings may arrive while it is open.
  useSettings('settings', 'history')
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState(0)
  const list = useRef<HTMLUListElement>(null)
  const id = useId()
  const groups = paletteGroups(text, app)
  const found = groups.flatMap(({ entries }) => entries)
  const shown = Math.min(chosen, found.length - 1)
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [shown, text])

  const run = (entry: PaletteEntry | undefined) => {
    if (entry === undefined || entry.run === null) return
    // Restore the focus before the command moves it.
    flushSync(() => app.setDialog('none'))
    entry.run()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (event.nativeEvent.isComposing || (step === 0 && event.key !== 'Enter')) return
    event.preventDefault()
    if (step === 0) run(found[shown])
    else if (found.length > 0) setChosen((shown + step + found.length) % found.length)
  }

  return (
    <>
      <div className="field big palette-field">
        <Icon name="search" tone="t3" />
        <input
          type="text"
          role="combobox"
          aria-label="Search commands"
          aria-expanded={found.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          {...(found.length > 0 && { 'aria-activedescendant': `${id}-${shown}` })}
          placeholder="Command, view, session, or a line, #event or time"
          spellCheck={false}
          autoComplete="off"
          value={text}
          onChange={(event) => {
            setText(event.target.value)
            setChosen(0)
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <ul ref={list} id={`${id}-list`} role="listbox" aria-label="Commands" className="palette-list">
        {groups.map(({ title, entries }) => (
          <Fragment key={title}>
            {groups.length > 1 && (
              <li role="presentation" className="palette-head t3 caption" aria-hidden="true">
                {title}
              </li>
            )}
            {entries.map((entry) => {
              const at = found.indexOf(entry)
              return (
                <EntryOption
                  key={entry.id}
                  id={`${id}-${at}`}
                  entry={entry}
                  selected={at === shown}
                  onRun={() => run(entry)}
                />
              )
            })}
          </Fragment>
        ))}
      </ul>
      <p className="t3 palette-none" role="status">
        {found.length === 0 && 'No matching commands.'}
      </p>
    </>
  )
}

interface EntryOptionProps {
  readonly id: string
  readonly entry: PaletteEntry
  readonly selected: boolean
  readonly onRun: () => void
}

function EntryOption({ id, entry: { name, note, keys, run }, selected, onRun }: EntryOptionProps) {
  const working = useWorkingKeys()
  return (
    <li
      id={id}
      role="option"
      className="hstack"
      aria-selected={selected}
      aria-disabled={run === null}
      // The field keeps the focus.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onRun}
    >
      <span className="cut">{name}</span>
      <span className="t3 caption cut grow">{run === null ? 'Not available here' : note}</span>
      {[...new Set(keys.flatMap(working))].map((key) => (
        <kbd key={key}>{keyText(key)}</kbd>
      ))}
    </li>
  )
}

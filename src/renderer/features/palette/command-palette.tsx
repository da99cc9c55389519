import './command-palette.css'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Command } from '#contract/commands.ts'
import { canRun, runCommand } from '../../commands.ts'
import { useApp, useAppStore } from '../../stores/app-store.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icons.tsx'
import { keyText, useKeyWorks } from '../../ui/shown-keys.ts'
import { matchingCommands } from './matching-commands.ts'

/** All available commands by name, with their keys. */
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
  const store = useAppStore()
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState(0)
  const list = useRef<HTMLUListElement>(null)
  const id = useId()
  const found = matchingCommands(text, (command) => canRun(store.getState(), command.id))
  const shown = Math.min(chosen, found.length - 1)
  useEffect(() => {
    list.current?.children[shown]?.scrollIntoView({ block: 'nearest' })
  }, [shown, text])

  const run = (command: Command | undefined) => {
    if (command === undefined) return
    // Restore the focus before the command moves it.
    flushSync(() => store.getState().setDialog('none'))
    runCommand(store.getState(), command.id)
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
          placeholder="Search commands"
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
        {found.map((command, at) => (
          <CommandOption
            key={command.id}
            id={`${id}-${at}`}
            command={command}
            selected={at === shown}
            onRun={() => run(command)}
          />
        ))}
      </ul>
      <p className="t3 palette-none" role="status">
        {found.length === 0 && 'No matching commands.'}
      </p>
    </>
  )
}

function CommandOption({
  id,
  command: { name, group, key, alternative },
  selected,
  onRun
}: {
  id: string
  command: Command
  selected: boolean
  onRun: () => void
}) {
  const works = useKeyWorks()
  const keys = [key, ...(alternative === undefined ? [] : [alternative])]
  return (
    <li
      id={id}
      role="option"
      className="hstack"
      aria-selected={selected}
      // The field keeps the focus.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onRun}
    >
      <span className="cut">{name}</span>
      <span className="t3 caption cut grow">{group}</span>
      {keys.filter(works).map((each) => (
        <kbd key={each}>{keyText(each)}</kbd>
      ))}
    </li>
  )
}

import './views-panel.css'
import { type FormEvent, useId, useRef, useState } from 'react'
import { isSameView, isViewOf, type SavedView, viewsText } from '#contract/settings.ts'
import type { QuerySubject } from '#core/query/query-keys.ts'
import { useSettings } from '../../stores/use-settings.ts'
import { IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icons.tsx'
import type { PanelProps } from './filter-toggle.tsx'
import { useClosing } from './use-closing.ts'

interface Note {
  readonly said: string
  /** Can be restored; null: nothing was removed. */
  readonly removed: SavedView | null
}

interface ViewsPanelProps extends PanelProps {
  readonly of: QuerySubject
  readonly text: string
  /** Whether the text is a query. */
  readonly isValid: boolean
  readonly onApply: (query: string) => void
}

/** Saves the filter as a view, and lists the saved ones. Escape or a click outside closes the panel. */
export function ViewsPanel({ place, onClose, of, text, isValid, onApply }: ViewsPanelProps) {
  const { settings, fault, problem, changeViews } = useSettings('settings', 'fault', 'problem', 'changeViews')
  const [{ said, removed }, setNote] = useState<Note>({ said: '', removed: null })
  const panel = useRef<HTMLDivElement>(null)
  useClosing(panel, place, onClose)
  const views = settings.views.filter(isViewOf(of))
  const query = text.trim()
  const setSaid = (text: string) => setNote({ said: text, removed: null })
  const remove = (view: SavedView) => {
    void changeViews({ remove: [view] }).then(
      (isRemoved) => isRemoved && setNote({ said: `"${view.name}" removed.`, removed: view })
    )
  }

  return (
    <div ref={panel} role="dialog" aria-label="Views" className="filter-panel views-panel vstack">
      {query !== '' && isValid && <SaveForm of={of} query={query} views={views} onSaved={setSaid} />}
      {views.length === 0 ? (
        <p className="views-none t2">
          {query === '' || !isValid ? 'No saved views. Type a filter first, then save it here.' : 'No saved views yet.'}
        </p>
      ) : (
        <ul className="views-list fill" aria-label="Saved views">
          {views.map((view) => (
            <li key={view.name} className="hstack">
              <button
                type="button"
                className="views-apply hstack grow"
                aria-current={view.query === query}
                onClick={() => {
                  onApply(view.query)
                  onClose()
                }}
              >
                <span className="cut">{view.name}</span>
                <span className="mono caption t2 cut grow">{view.query}</span>
                {view.query === query && <Icon name="check" size={12} label="Current filter" />}
              </button>
              <IconButton small icon="remove" label={`Remove ${view.name}`} onClick={() => remove(view)} />
            </li>
          ))}
        </ul>
      )}
      {(fault ?? problem) !== null && (
        <p className="views-said field-error" role="alert">
          <Icon name="error" size={14} />
          <span>{fault ?? problem}</span>
        </p>
      )}
      <p className="views-said t2" role="status">
        {fault === null && said}
        {fault === null && removed !== null && (
          <button
            type="button"
            className="btn edged"
            onClick={() => void changeViews({ add: [removed] }).then((isAdded) => isAdded && setSaid('View restored.'))}
          >
            Undo
          </button>
        )}
      </p>
      <div className="filter-foot hstack rigid">
        <ViewFiles views={settings.views} onSaid={setSaid} />
        <span className="grow" />
        <button type="button" className="btn edged" onClick={onClose}>
          Done
        </button>
      </div>
    </div>
  )
}

interface SaveFormProps {
  readonly of: QuerySubject
  readonly query: string
  readonly views: readonly SavedView[]
  readonly onSaved: (said: string) => void
}

function SaveForm({ of, query, views, onSaved }: SaveFormProps) {
  const changeViews = useSettings((settings) => settings.changeViews)
  const [name, setName] = useState('')
  const id = useId()
  const known = views.find((view) => isSameView(view, { name, of }))
  const save = (event: FormEvent) => {
    event.preventDefault()
    const wanted = name.trim()
    if (wanted === '') return
    void changeViews({ add: [{ name: wanted, query, ...(of === 'sessions' && { of }) }] }).then((isSaved) => {
      if (!isSaved) return
      setName('')
      onSaved(`Saved as "${wanted}".`)
    })
  }
  return (
    <form className="views-save" onSubmit={save}>
      <label htmlFor={id} className="t2 caption">
        Save this filter as a view
      </label>
      <code className="mono cut t2">{query}</code>
      <div className="hstack">
        <div className="field grow">
          <input
            id={id}
            type="text"
            placeholder="Name"
            maxLength={80}
            autoComplete="off"
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        </div>
        <button type="submit" className="btn edged" disabled={name.trim() === ''}>
          {known === undefined ? 'Save' : 'Replace'}
        </button>
      </div>
    </form>
  )
}

/** Writes the views to a file, and reads those of another machine. */
function ViewFiles({ views, onSaid }: { views: readonly SavedView[]; onSaid: (said: string) => void }) {
  const importViews = useSettings((settings) => settings.importViews)
  const file = useRef<HTMLInputElement>(null)
  const exportViews = () => {
    const address = URL.createObjectURL(new Blob([viewsText(views)], { type: 'application/json' }))
    const link = Object.assign(document.createElement('a'), { href: address, download: 'playhead-views.json' })
    link.click()
    URL.revokeObjectURL(address)
  }
  return (
    <>
      <button type="button" className="btn" disabled={views.length === 0} onClick={exportViews}>
        Export views
      </button>
      <button type="button" className="btn" onClick={() => file.current?.click()}>
        Import views
      </button>
      <input
        ref={file}
        type="file"
        hidden
        accept=".json,application/json"
        aria-label="File with views"
        onChange={({ target }) => {
          const [chosen] = target.files ?? []
          if (chosen !== undefined) void chosen.text().then(importViews).then(onSaid)
          target.value = ''
        }}
      />
    </>
  )
}

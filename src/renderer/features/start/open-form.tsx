import './start.css'
import { type ClipboardEvent, type FormEvent, useId, useRef, useState } from 'react'
import { type Capabilities, useApp } from '../../stores/app-store.ts'
import { useLibrary } from '../../stores/use-library.ts'
import { displayText } from '../../ui/display-text.ts'
import { formatWhen } from '../../ui/format.ts'
import { Icon } from '../../ui/icons.tsx'
import { chooseLogs } from './choose-logs.ts'

/** Opens a log by its path, by choosing a file, or by dropping or pasting one. An error stands under the field. */
export function OpenForm() {
  const openLog = useApp((app) => app.openLog)
  const openTyped = useApp((app) => app.openTyped)
  const openFiles = useApp((app) => app.openFiles)
  const library = useLibrary(({ presence }) => presence === 'there')
  const [now] = useState(() => Date.now())
  const meant = useApp((app) => app.meant)
  const opening = useApp((app) => app.opening)
  const error = useApp((app) => app.openError)
  const dismissTyped = useApp((app) => app.dismissTyped)
  const [path, setPath] = useState('')
  const id = useId()

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (path.trim() !== '') void openTyped(path.trim())
  }
  const paste = (event: ClipboardEvent) => {
    const files = [...event.clipboardData.files]
    if (files.length === 0) return
    event.preventDefault()
    void openFiles(files)
  }
  return (
    <form className="open-form" onSubmit={submit} onPaste={paste}>
      <label htmlFor={id} className="t2">
        {library ? 'Path of a log, a session id, or a project’s folder' : 'Path of a log'}
      </label>
      <div className="open-line">
        <div className={error === null ? 'field big' : 'field big bad'}>
          <input
            id={id}
            type="text"
            className="mono"
            autoFocus
            autoComplete="off"
            spellCheck={false}
            placeholder="/home/me/project/run.jsonl"
            value={path}
            aria-invalid={error !== null}
            aria-describedby={`${id}-said`}
            onChange={(event) => {
              setPath(event.target.value)
              if (error !== null || meant.length > 0) dismissTyped()
            }}
          />
        </div>
        <button type="submit" className="btn primary big" disabled={opening !== null || path.trim() === ''}>
          Open
        </button>
      </div>
      <div id={`${id}-said`} className="open-said" aria-live="polite">
        {opening !== null ? (
          <p className="t3">Opening {opening}…</p>
        ) : (
          error !== null && (
            <div className="field-error" data-code={error.code}>
              <Icon name="malformed" size={12} />
              <p>
                {error.message} <code className="t2">{error.code}</code>
              </p>
            </div>
          )
        )}
      </div>
      {meant.length > 0 && (
        <ul className="open-meant" aria-label="Suggestions">
          {meant.map(({ path: each, title, at }) => (
            <li key={each}>
              <button type="button" className="btn" title={each} onClick={() => void openLog(each)}>
                <Icon name="file" tone="t3" />
                <span className="cut">{displayText(title ?? each)}</span>
                <span className="grow" />
                {at !== null && <span className="num caption t3">{formatWhen(at, now)}</span>}
              </button>
            </li>
          ))}
        </ul>
      )}
      <DropZone />
    </form>
  )
}

function DropZone() {
  const capabilities = useApp((app) => app.capabilities)
  return (
    <div className="drop-zone">
      <Icon name="upload" tone="t2" />
      <div className="grow">
        <p className="medium">Drop logs anywhere in this window</p>
        <p className="t3">or paste a copied file or a path above.</p>
      </div>
      {capabilities !== null && <ChooseFile capabilities={capabilities} />}
    </div>
  )
}

/** The native dialog where the host has one; else the browser's, if files can be sent to the host. */
function ChooseFile({ capabilities }: { capabilities: Capabilities }) {
  const host = useApp((app) => app.host)
  const openLog = useApp((app) => app.openLog)
  const openFiles = useApp((app) => app.openFiles)
  const input = useRef<HTMLInputElement>(null)
  if (!capabilities.openDialog && !capabilities.dropUpload) return null
  return (
    <>
      <button
        type="button"
        className="btn edged big"
        onClick={() => (capabilities.openDialog ? void chooseLogs({ host, openLog }) : input.current?.click())}
      >
        <Icon name="open" />
        Choose files…
      </button>
      {!capabilities.openDialog && (
        <input
          ref={input}
          type="file"
          multiple
          hidden
          aria-label="Choose files"
          onChange={(event) => {
            void openFiles([...(event.target.files ?? [])])
            event.target.value = ''
          }}
        />
      )}
    </>
  )
}

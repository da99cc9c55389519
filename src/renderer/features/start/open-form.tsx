import './start.css'
import { type ClipboardEvent, type FormEvent, useId, useState } from 'react'
import { useApp } from '../../stores/app-store.ts'
import { givenIn } from '../../stores/given-files.ts'
import { useLibrary } from '../../stores/use-library.ts'
import { displayText } from '../../ui/display-text.ts'
import { formatBytes, formatCount, formatPlural, formatWhen } from '../../ui/format.ts'
import { Icon } from '../../ui/icons.tsx'
import { ChooseButton } from './choose-button.tsx'

/** Opens a log by its path, by choosing files or a folder, or by dropping or pasting them. An error stands under the field. */
export function OpenForm() {
  const openLog = useApp((app) => app.openLog)
  const openTyped = useApp((app) => app.openTyped)
  const openFiles = useApp((app) => app.openFiles)
  const library = useLibrary(({ presence }) => presence === 'there')
  const [now] = useState(() => Date.now())
  const meant = useApp((app) => app.meant)
  const moreMeant = useApp((app) => app.moreMeant)
  const opening = useApp((app) => app.opening)
  const sendingFiles = useApp((app) => app.sending?.files ?? null)
  const error = useApp((app) => app.openError)
  const dismissTyped = useApp((app) => app.dismissTyped)
  const [path, setPath] = useState('')
  const id = useId()

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (path.trim() !== '') void openTyped(path.trim())
  }
  const paste = (event: ClipboardEvent) => {
    if (event.clipboardData.files.length === 0) return
    event.preventDefault()
    void openFiles(givenIn(event.clipboardData))
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
        {sendingFiles !== null ? (
          <p className="t3">
            {sendingFiles === 0 ? 'Looking through the folder…' : `Sending ${formatPlural(sendingFiles, 'file')}…`}
          </p>
        ) : opening !== null ? (
          <p className="t3">Opening {displayText(opening)}…</p>
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
      <SendingLine />
      {meant.length > 1 && (
        <p className="t2">
          Choose the session to open.
          {moreMeant > 0 &&
            ` The latest ${formatCount(meant.length)} are listed, and ${formatCount(moreMeant)} are not.`}
        </p>
      )}
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

/** How far files are that are being sent; what is read out of it stands in the live region. */
function SendingLine() {
  const sending = useApp((app) => app.sending)
  const cancel = useApp((app) => app.cancelSending)
  if (sending === null) return null
  const { files, bytes, sentFiles, sentBytes } = sending
  return (
    <div className="open-sending">
      <progress aria-label="Upload" max={Math.max(1, bytes)} {...(files > 0 && { value: sentBytes })} />
      <span className="num t2">
        {formatCount(sentFiles)} of {formatPlural(files, 'file')}, {formatBytes(sentBytes)} of {formatBytes(bytes)}
      </span>
      <button type="button" className="btn edged" onClick={cancel}>
        Cancel
      </button>
    </div>
  )
}

function DropZone() {
  const capabilities = useApp((app) => app.capabilities)
  const openFiles = useApp((app) => app.openFiles)
  const chooseFiles = useApp((app) => app.chooseFiles)
  const chooses = capabilities?.openDialog === true || capabilities?.drops != null
  const native = capabilities?.openDialog === true ? chooseFiles : null
  return (
    <div className="drop-zone">
      <Icon name="upload" tone="t2" />
      <div className="grow">
        <p className="medium">Drop logs or a folder anywhere in this window</p>
        <p className="t3">or paste a copied file or a path above. A folder opens its sessions with their subagents.</p>
        {chooses && (
          <div className="drop-choices">
            {(['files', 'folder'] as const).map((what) => (
              <ChooseButton
                key={what}
                what={what}
                big
                native={native === null ? undefined : () => void native(what)}
                onGiven={(given) => void openFiles(given)}
              />
            ))}
          </div>
        )}
      </div>
    </div>
  )
}

import './start.css'
import { type ClipboardEvent, type FormEvent, type ReactNode, useState } from 'react'
import { useApp } from '../../stores/app-store.ts'
import { givenIn } from '../../stores/given-files.ts'
import { useLibrary } from '../../stores/use-library.ts'
import { displayText } from '../../ui/display-text.ts'
import { formatBytes, formatCount, formatPlural, formatWhen } from '../../ui/format.ts'
import { Icon } from '../../ui/icons.tsx'
import { LabelledField } from '../../ui/labelled-field.tsx'
import { ChooseButton } from './choose-button.tsx'

/** Opens a log by path, by choosing files or a folder, or by drop or paste. Errors are below the field. */
export function OpenForm() {
  const {
    openLog,
    openTyped,
    openFiles,
    candidates,
    moreCandidates,
    opening,
    openError: error,
    dismissTyped
  } = useApp(
    'openLog',
    'openTyped',
    'openFiles',
    'candidates',
    'moreCandidates',
    'opening',
    'openError',
    'dismissTyped'
  )
  const library = useLibrary(({ presence }) => presence === 'there')
  const [now] = useState(() => Date.now())
  const sendingFiles = useApp((app) => app.sending?.files ?? null)
  const [path, setPath] = useState('')

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
    <form className="open-form vstack" onSubmit={submit} onPaste={paste}>
      <LabelledField
        label={library ? 'Path of a log, a session id, or a project’s folder' : 'Path of a log'}
        placeholder="/home/me/project/run.jsonl"
        autoFocus
        value={path}
        error={
          error && (
            <>
              {error.message} <code className="t2">{error.code}</code>
            </>
          )
        }
        errorCode={error?.code}
        message={progressText(opening, sendingFiles)}
        action={
          <button type="submit" className="btn primary big" disabled={opening !== null || path.trim() === ''}>
            Open
          </button>
        }
        onChange={(typed) => {
          setPath(typed)
          if (error !== null || candidates.length > 0) dismissTyped()
        }}
      />
      <SendingLine />
      {candidates.length > 1 && (
        <p className="t2">
          Choose the session to open.
          {moreCandidates > 0 &&
            ` The latest ${formatCount(candidates.length)} are listed, and ${formatCount(moreCandidates)} are not.`}
        </p>
      )}
      {candidates.length > 0 && (
        <ul className="open-meant" aria-label="Suggestions">
          {candidates.map(({ path: each, title, at }) => (
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

/** What is being opened or sent; undefined for nothing. */
function progressText(opening: string | null, sendingFiles: number | null): ReactNode {
  if (sendingFiles === 0) return <p className="t3">Looking through the folder…</p>
  if (sendingFiles !== null) return <p className="t3">Sending {formatPlural(sendingFiles, 'file')}…</p>
  return opening === null ? undefined : <p className="t3">Opening {displayText(opening)}…</p>
}

/** The progress of files that are being sent. A live region announces a part of it. */
function SendingLine() {
  const { sending, cancelSending: cancel } = useApp('sending', 'cancelSending')
  if (sending === null) return null
  const { files, bytes, sentFiles, sentBytes } = sending
  return (
    <div className="open-sending hstack">
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
  const { capabilities, openFiles, chooseFiles } = useApp('capabilities', 'openFiles', 'chooseFiles')
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

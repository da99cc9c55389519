import './top-bar.css'
import type { ReactNode } from 'react'
import type { LogStatus } from '#contract/methods.ts'
import { useApp, useLost, useShared } from '../../stores/app-store.ts'
import { useLog, useLogParts } from '../../stores/log-store.ts'
import { IconButton } from '../../ui/button.tsx'
import { Icon, type Look, severityLook } from '../../ui/icons.tsx'
import { SharedNote } from '../shared/shared-note.tsx'
import { MissingLogs } from './missing-logs.tsx'

/** Messages about the whole log: an error, the state of its file, or an unknown format. Nothing if all is well. */
export function Banner() {
  return (
    <>
      <Failure />
      <SharedNote />
      <div aria-live="polite">
        <LostFile />
        <GenerationNote />
        <FormatNote />
        <MissingLogs />
      </div>
    </>
  )
}

/** Reading stopped, or rows failed to load. */
function Failure() {
  const error = useLog((log) => log.status.error)
  const loadError = useLog((log) => log.loadError)
  const { id, loading } = useLogParts()
  const reopenLog = useApp((app) => app.reopenLog)
  const shared = useShared()
  const lost = useLost()
  if (error !== null) {
    return (
      <div className="banner bad" role="alert">
        <Icon name="error" tone="s-malformed" />
        <span>{error.message} Rows read so far are shown.</span>
        <span className="grow" />
        <code className="t2">{error.code}</code>
        {shared === null && (
          <button type="button" className="btn edged" onClick={() => void reopenLog(id)}>
            Open again
          </button>
        )}
      </div>
    )
  }
  // The banner of a lost connection says more.
  if (loadError === null || lost) return null
  return (
    <div className="banner bad" role="alert">
      <Icon name="error" tone="s-malformed" />
      <span>The rest of the timeline could not be loaded: {loadError}</span>
      <span className="grow" />
      <button type="button" className="btn edged" onClick={() => loading.reload()}>
        Try again
      </button>
    </div>
  )
}

const lostFileTexts: Record<LogStatus['fileState'], string | null> = {
  there: null,
  gone: 'The file no longer exists. Rows read so far are kept. If the file was moved, open it at its new path.',
  unreadable:
    'The file can no longer be read. Rows read so far are kept. Check its permissions and the disk. Playhead keeps trying.'
}

function LostFile() {
  const text = useLog((log) => lostFileTexts[log.status.fileState])
  return text === null ? null : <Note look={{ icon: 'gone', tone: 's-violation' }} text={text} />
}

/** Why the log was read again, until it is closed. */
function GenerationNote() {
  const { resuming } = useLogParts()
  const note = useLog((log) => log.generationNote)
  if (note === null) return null
  return (
    <Note look={severityLook('notice')} text={note}>
      <span className="grow" />
      <IconButton small icon="close" label="Dismiss" onClick={() => resuming.dismissNote()} />
    </Note>
  )
}

function FormatNote() {
  const note = useLog((log) => log.status.formatNote)
  return note === null ? null : <Note look={severityLook('notice')} text={note} />
}

function Note({ look: { icon, tone }, text, children }: { look: Look; text: string; children?: ReactNode }) {
  return (
    <div className={tone === 's-violation' ? 'banner warning' : 'banner'} role="note">
      <Icon name={icon} tone={tone} />
      <span>{text}</span>
      {children}
    </div>
  )
}

import type { LogStatus } from '#contract/methods.ts'
import { useApp, useLost, useShared } from '../../stores/app-store.ts'
import { useLog, useLogParts } from '../../stores/log-store.ts'
import { Banner } from '../../ui/banner.tsx'
import { SharedNote } from '../shared/shared-note.tsx'
import { MissingLogs } from './missing-logs.tsx'

/** Messages about the whole log: an error, the state of its file, or an unknown format. Nothing if all is well. */
export function LogMessages() {
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
    const open = (
      <button type="button" className="btn edged" onClick={() => void reopenLog(id)}>
        Open again
      </button>
    )
    return (
      <Banner
        severity="malformed"
        icon="error"
        actions={
          <>
            <code className="t2">{error.code}</code>
            {shared === null && open}
          </>
        }
      >
        {error.message} Rows read so far are shown.
      </Banner>
    )
  }
  // The banner of a lost connection says more.
  if (loadError === null || lost) return null
  const reload = (
    <button type="button" className="btn edged" onClick={() => loading.reload()}>
      Try again
    </button>
  )
  return (
    <Banner severity="malformed" icon="error" actions={reload}>
      The rest of the timeline could not be loaded: {loadError}
    </Banner>
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
  if (text === null) return null
  return (
    <Banner severity="violation" icon="gone">
      {text}
    </Banner>
  )
}

/** Why the log was read again, until it is closed. */
function GenerationNote() {
  const { resuming } = useLogParts()
  const note = useLog((log) => log.generationNote)
  if (note === null) return null
  return (
    <Banner severity="notice" onDismiss={() => resuming.dismissNote()}>
      {note}
    </Banner>
  )
}

function FormatNote() {
  const note = useLog((log) => log.status.formatNote)
  return note === null ? null : <Banner severity="notice">{note}</Banner>
}

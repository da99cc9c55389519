import './export-dialog.css'
import { type FormEvent, useId, useMemo, useState } from 'react'
import type { ExportForm } from '#contract/exports.ts'
import { useApp } from '../../stores/app-store.ts'
import { type ExportPart, exportPart } from '../../stores/export-parts.ts'
import { useLog, useLogParts, useStatus } from '../../stores/log-store.ts'
import { fileNumber } from '../../stores/resume.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { formatPlural } from '../../ui/format.ts'
import { Icon } from '../../ui/icons.tsx'
import { useShowRows } from '../summary/show-rows.ts'
import { formNote, forms, hasBookmarks, isOfAnyFile } from './export-words.ts'
import { PartChoice } from './part-choice.tsx'
import { SecretList } from './secret-list.tsx'
import { useExport } from './use-export.ts'
import { usePreview } from './use-preview.ts'

/** Exports the log or a part of it: format, events and redaction. */
export function ExportDialog() {
  const open = useApp((app) => app.dialog === 'export' && app.capabilities?.exports === true)
  const setDialog = useApp((app) => app.setDialog)
  if (!open) return null
  const close = () => setDialog('none')
  return (
    <Dialog title="Export" className="export-dialog" onClose={close}>
      <ExportForm onClose={close} />
    </Dialog>
  )
}

function ExportForm({ onClose }: { onClose: () => void }) {
  const parts = useLogParts()
  const values = useLog('filter', 'find', 'row', 'review', 'version')
  const { review } = values
  const status = useStatus('format', 'files')
  const isKnown = status.format !== null
  const files = status.files.length
  const marks = review.bookmarks.length
  const [form, setForm] = useState<ExportForm>(isKnown ? 'jsonl' : 'raw')
  const [part, setPart] = useState<ExportPart>({ of: 'session' })
  const [redact, setRedact] = useState(true)
  const [bookmarks, setBookmarks] = useState(true)
  const [kept, setKept] = useState<ReadonlySet<string>>(new Set())
  const found = useMemo(() => exportPart({ ...parts, ...values }, part), [parts, values, part])
  const id = useId()
  // Compared as text: a growing log keeps the same events in most parts.
  const events = useMemo(() => found?.set?.toText() ?? null, [found])
  const asked = useMemo(
    () => ({ log: parts.id, form, events, redact, bookmarks }),
    [parts.id, form, events, redact, bookmarks]
  )
  const job = useExport(asked)
  const rows = useShowRows()
  const isEmpty = found === null || (found.events === 0 && found.set !== null)
  const preview = usePreview(redact && !isEmpty && job.state.kind !== 'going' ? asked : null)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (job.state.kind === 'going' || isEmpty) return
    void job.start({ ...asked, keep: redact ? [...kept] : [], preview: false })
  }
  const isGoing = job.state.kind === 'going'
  const note = formNote(form, { isPart: found?.set != null, files })
  return (
    <form className="export-form vstack" onSubmit={submit}>
      <fieldset className="export-fields vstack" disabled={isGoing}>
        <div className="export-forms" role="radiogroup" aria-label="Format">
          {forms.map(({ form: each, name, icon }) => (
            <label key={each} className="export-card choice-card hstack">
              <input
                type="radio"
                name={`${id}-form`}
                className="unseen"
                checked={form === each}
                disabled={!isKnown && !isOfAnyFile(each)}
                onChange={() => setForm(each)}
              />
              <Icon name={icon} />
              {name}
            </label>
          ))}
        </div>
        <p className="t2 export-note">{note}</p>
        <PartChoice part={part} onChange={setPart} />
        <label className="export-option hstack rigid" data-off={!hasBookmarks(form) || marks === 0 ? '' : undefined}>
          <input
            type="checkbox"
            checked={bookmarks && hasBookmarks(form) && marks > 0}
            disabled={!hasBookmarks(form) || marks === 0}
            onChange={(event) => setBookmarks(event.target.checked)}
          />
          Include bookmarks and notes
          <span className="t3">{marks === 0 ? 'none set' : formatPlural(marks, 'bookmark')}</span>
        </label>
        <label className="export-option hstack rigid">
          <input type="checkbox" checked={redact} onChange={(event) => setRedact(event.target.checked)} />
          Redact secrets
          {!redact && <span className="s-violation">Passwords and keys stay in the export.</span>}
        </label>
        {redact && (
          <SecretList
            preview={preview}
            kept={kept}
            onKeep={(secret, keep) => {
              const next = new Set(kept)
              if (keep) next.add(secret)
              else next.delete(secret)
              setKept(next)
            }}
            onShow={({ file, line }) => {
              rows.row(parts.columns.rowAtLine(line, fileNumber(status, file ?? undefined)))
              onClose()
            }}
          />
        )}
      </fieldset>
      <footer className="export-foot hstack rigid">
        <JobText state={job.state} />
        <span className="grow" />
        <button type="button" className="btn big edged" onClick={isGoing ? job.cancel : onClose}>
          {job.state.kind === 'done' ? 'Close' : 'Cancel'}
        </button>
        <button type="submit" className="btn big primary" data-first disabled={isGoing || isEmpty}>
          Export
        </button>
      </footer>
    </form>
  )
}

/** The progress or result of the export. */
function JobText({ state }: { state: ReturnType<typeof useExport>['state'] }) {
  return (
    <div className="export-said" role="status">
      {state.kind === 'going' && (
        <>
          <span>Exporting… {Math.floor(100 * state.part)}%</span>
          <div className="bar" aria-hidden="true">
            <i style={{ width: `${100 * state.part}%` }} />
          </div>
        </>
      )}
      {state.kind === 'cancelled' && <span>Export cancelled. Nothing was saved.</span>}
      {state.kind === 'done' && (
        <span>
          Saved {state.where}. {state.redacted === 0 ? '' : `${formatPlural(state.redacted, 'secret')} redacted. `}
          {state.notes.join(' ')}
        </span>
      )}
      {state.kind === 'failed' && (
        <span className="field-error">
          <Icon name="malformed" size={12} />
          {state.message}
        </span>
      )}
    </div>
  )
}

import { lastName } from '#core/paths/path-names.ts'
import { useState } from 'react'
import type { LogStatus } from '#contract/methods.ts'
import { formatBytes, formatCount, formatPlural } from '../../ui/format.ts'
import { Icon } from '../../ui/icons.tsx'

/** A session can have thousands of files; further ones are only counted. */
const firstFiles = 200

/** The files of a session with more than one file, and those left out. */
export function RunFiles({ log }: { log: LogStatus }) {
  const [open, setOpen] = useState(false)
  const { files, notes } = log
  return (
    <>
      {files.length > 0 && (
        <details className="run-files t3 caption" open={open} onToggle={(toggle) => setOpen(toggle.currentTarget.open)}>
          <summary className="hstack">
            <Icon name={open ? 'down' : 'right'} size={12} />
            {formatPlural(files.length + 1, 'file')}
          </summary>
          <ul aria-label="Files of this session">
            <RunFile name={log.name} bytes={log.bytes} lines={log.lines} />
            {files.slice(0, firstFiles).map((file) => (
              <RunFile key={file.name} {...file} />
            ))}
            {files.length > firstFiles && <li className="t3">and {formatCount(files.length - firstFiles)} more</li>}
          </ul>
        </details>
      )}
      {notes.map((note) => (
        <p key={note} className="run-note t3 caption">
          {note}
        </p>
      ))}
    </>
  )
}

function RunFile({ name, bytes, lines }: { name: string; bytes: number; lines: number }) {
  return (
    <li title={`${name}, ${formatPlural(lines, 'line')}`}>
      <span className="cut grow">{lastName(name)}</span>
      <span className="num">{formatBytes(bytes)}</span>
    </li>
  )
}

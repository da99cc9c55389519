import { readRawBytes } from '../../ui/raw-bytes.ts'

/** Bytes of a log as text. Invalid UTF-8 and invisible characters are shown as marks. */
export function RawRuns({ bytes }: { bytes: Uint8Array }) {
  return readRawBytes(bytes, false).runs.map((run, position) => {
    if (run.kind === 'text') return run.text
    const title = run.kind === 'invalid' ? 'Bytes that are not UTF-8' : 'Invisible character'
    return (
      <mark key={position} className={`raw-${run.kind}`} title={title}>
        {run.text}
      </mark>
    )
  })
}

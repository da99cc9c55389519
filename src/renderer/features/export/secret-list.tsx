import { formatCount, formatPlural } from '../../ui/format.ts'
import { Icon } from '../../ui/icons.tsx'
import type { Preview } from './use-preview.ts'

/** The secrets of the export, each with where it stands first. What is not ticked stays in the export. */
export function SecretList({
  preview,
  kept,
  onKeep
}: {
  preview: Preview
  /** By their ids. */
  kept: ReadonlySet<string>
  onKeep: (secret: string, keep: boolean) => void
}) {
  const { secrets, more } = preview
  const stays = secrets.filter(({ id }) => kept.has(id)).length
  return (
    <div className="export-secrets">
      <p className="export-secrets-head" role="status">
        <span>{headText(preview)}</span>
        {stays > 0 && <span className="s-violation">{formatPlural(stays, 'secret stays', 'secrets stay')}</span>}
      </p>
      {secrets.length > 0 && (
        <ul aria-label="Secrets" tabIndex={0}>
          {secrets.map(({ id, kind, masked, count, place }) => (
            <li key={id}>
              <label className="export-secret">
                <input
                  type="checkbox"
                  checked={!kept.has(id)}
                  onChange={(event) => onKeep(id, !event.target.checked)}
                />
                <span className="cut">{kind}</span>
                <code className="mono t2 cut">{masked}</code>
                <span className="num caption t3">
                  {count > 1 && `${formatCount(count)} × `}
                  {place !== null && `line ${formatCount(place.line)}`}
                  {place?.file != null && ` of ${place.file.slice(place.file.lastIndexOf('/') + 1)}`}
                </span>
              </label>
            </li>
          ))}
        </ul>
      )}
      {more > 0 && <p className="t3">{formatPlural(more, 'more secret')} redacted too.</p>}
      {preview.error !== null && (
        <p className="field-error">
          <Icon name="malformed" size={12} />
          {preview.error}
        </p>
      )}
    </div>
  )
}

function headText({ secrets, more, part, isDone, error }: Preview): string {
  const found = secrets.length + more
  const words = found === 0 ? 'No secrets found' : formatPlural(found, 'secret found', 'secrets found')
  if (error !== null) return words
  if (isDone) return `${words}.`
  return `${found === 0 ? 'Looking for secrets' : words}… ${Math.floor(100 * part)}%`
}

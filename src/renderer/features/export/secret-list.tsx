import { lastName } from '#core/paths/path-names.ts'
import type { SecretPlace } from '#core/export/redact.ts'
import { formatCount, formatPlural } from '../../ui/format.ts'
import { Icon } from '../../ui/icons.tsx'
import type { Preview } from './use-preview.ts'

/** The secrets of the export, each with its first place. An unticked one is not redacted. */
export function SecretList({
  preview,
  kept,
  onKeep,
  onShow
}: {
  preview: Preview
  /** By id. */
  kept: ReadonlySet<string>
  onKeep: (secret: string, keep: boolean) => void
  onShow: (place: SecretPlace) => void
}) {
  const { secrets, more } = preview
  const stays = secrets.filter(({ id }) => kept.has(id)).length
  return (
    <div className="export-secrets vstack">
      <p className="export-secrets-head" role="status">
        <span>{headText(preview)}</span>
        {stays > 0 && <span className="s-violation">{formatPlural(stays, 'secret stays', 'secrets stay')}</span>}
      </p>
      {secrets.length > 0 && (
        <ul aria-label="Secrets" tabIndex={0}>
          {secrets.map(({ id, kind, masked, count, place }) => (
            <li key={id} className="export-secret">
              <label>
                <input
                  type="checkbox"
                  checked={!kept.has(id)}
                  onChange={(event) => onKeep(id, !event.target.checked)}
                />
                <span className="cut">{kind}</span>
                <code className="mono t2 cut">{masked}</code>
              </label>
              <span className="num caption t3">
                {count > 1 && <span>{formatCount(count)} ×</span>}
                {place !== null && (
                  <button
                    type="button"
                    className="link cut"
                    title={`Show ${placeText(place)} in the timeline`}
                    onClick={() => onShow(place)}
                  >
                    {placeText(place)}
                  </button>
                )}
              </span>
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

function placeText({ file, line }: SecretPlace): string {
  const name = file === null || file === undefined ? undefined : lastName(file)
  return `line ${formatCount(line)}${name === undefined ? '' : ` of ${name}`}`
}

function headText({ secrets, more, part, isDone, error }: Preview): string {
  const found = secrets.length + more
  const words = found === 0 ? 'No secrets found' : formatPlural(found, 'secret found', 'secrets found')
  if (error !== null) return words
  if (isDone) return `${words}.`
  return `${found === 0 ? 'Looking for secrets' : words}… ${Math.floor(100 * part)}%`
}

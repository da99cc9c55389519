import type { Agent } from '#contract/live-runs.ts'
import type { LimitField, LimitsDraft } from '../../stores/limits-draft.ts'
import { FormField, LineInput } from '../new-run/form-field.tsx'

const shown: readonly {
  readonly field: LimitField
  readonly label: string
  readonly unit: string
  readonly note: string
}[] = [
  { field: 'askMinutes', label: 'Answer within', unit: 'min', note: 'Then the request is refused and the turn ends.' },
  { field: 'usd', label: 'Cost limit', unit: 'USD', note: 'The turn is interrupted, and you can raise it.' },
  { field: 'tokens', label: 'Token limit', unit: 'tokens', note: 'The turn is interrupted, and you can raise it.' },
  { field: 'idleMinutes', label: 'Idle limit', unit: 'min', note: 'The run is finished. You can go on with it later.' },
  { field: 'toolMinutes', label: 'Tool limit', unit: 'min', note: 'A call that takes longer is reported.' }
]

/** The limits of an interactive run. A limit that the agent does not state numbers for says so. */
export function LimitFields({
  draft,
  problems,
  offers,
  onChange
}: {
  draft: LimitsDraft
  problems: Readonly<Partial<Record<LimitField, string>>>
  offers: Agent['dialogue']
  onChange: (draft: LimitsDraft) => void
}) {
  return shown.map(({ field, label, unit, note }) => {
    const isUnstated = field === 'usd' && offers?.states.usd === false
    const isLate = field === 'tokens' && offers?.states.tokens === 'after-turns'
    const said = isUnstated
      ? 'This agent states no cost, so it cannot be limited.'
      : isLate
        ? 'This agent states tokens only after a turn.'
        : note
    return (
      <FormField key={field} label={label} problem={problems[field]} wide={false} note={<p className="t3">{said}</p>}>
        {(ids) => (
          <LineInput
            ids={ids}
            inputMode="decimal"
            maxLength={20}
            placeholder="none"
            value={draft[field]}
            onWrite={(text) => onChange({ ...draft, [field]: text })}
            beside={<span className="t3">{unit}</span>}
          />
        )}
      </FormField>
    )
  })
}

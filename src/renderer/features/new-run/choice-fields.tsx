import { useId, useMemo } from 'react'
import { argumentWords } from '../../stores/argument-words.ts'
import { useLiveRuns } from '../../stores/use-live-runs.ts'
import { modesOf } from '../../stores/new-run-store.ts'
import { useNewRun } from '../../stores/use-new-run.ts'
import { formatPlural } from '../../ui/format.ts'
import { Icon } from '../../ui/icons.tsx'
import { FormField, LineInput } from './form-field.tsx'
import { recentModels } from './recent-choices.ts'

const maxModels = 12

/** The permissions of the agent. */
export function ModeField() {
  const { agent, mode, interactive } = useNewRun((state) => state.draft)
  const change = useNewRun((state) => state.change)
  const agents = useLiveRuns((state) => state.agents)
  const known = agents?.find((each) => each.agent === agent)
  const modes = known === undefined ? [] : modesOf(known, interactive)
  const chosen = modes.find(({ id }) => id === mode) ?? modes[0]
  const isDangerous = chosen?.dangerous === true
  return (
    <FormField
      label="Permissions"
      note={
        chosen !== undefined && (
          <p className={isDangerous ? 's-violation' : 't3'}>
            {isDangerous && <Icon name="violation" size={12} label="Dangerous" />} {chosen.note}
          </p>
        )
      }
    >
      {(ids) => (
        <div className="field big choice">
          <select
            {...ids}
            disabled={modes.length === 0}
            value={chosen?.id ?? ''}
            onChange={(event) => change({ mode: event.target.value })}
          >
            {modes.map(({ id, title, dangerous }) => (
              <option key={id} value={id}>
                {dangerous ? `${title} (dangerous)` : title}
              </option>
            ))}
          </select>
          <Icon name="down" size={12} tone="t2" />
        </div>
      )}
    </FormField>
  )
}

/** In the agent's own names, which change with its versions. */
export function ModelField() {
  const { agent, model } = useNewRun((state) => state.draft)
  const problem = useNewRun(({ problems }) => problems.model)
  const change = useNewRun((state) => state.change)
  const runs = useLiveRuns((state) => state.runs)
  const known = useMemo(() => recentModels(runs, agent, maxModels), [runs, agent])
  const list = useId()
  return (
    <FormField label="Model" problem={problem} wide={false}>
      {(ids) => (
        <LineInput
          ids={ids}
          list={known.length > 0 ? list : undefined}
          maxLength={200}
          placeholder="agent default"
          value={model}
          onWrite={(text) => change({ model: text })}
          beside={
            <datalist id={list}>
              {known.map((name) => (
                <option key={name} value={name} />
              ))}
            </datalist>
          }
        />
      )}
    </FormField>
  )
}

export function TimeLimitField() {
  const minutes = useNewRun(({ draft }) => draft.minutes)
  const problem = useNewRun(({ problems }) => problems.minutes)
  const change = useNewRun((state) => state.change)
  return (
    <FormField label="Time limit" problem={problem} wide={false}>
      {(ids) => (
        <LineInput
          ids={ids}
          inputMode="decimal"
          maxLength={20}
          placeholder="none"
          value={minutes}
          onWrite={(text) => change({ minutes: text })}
          beside={<span className="t3">min</span>}
        />
      )}
    </FormField>
  )
}

/** Additional arguments, and how they are split: no shell reads them. */
export function ExtraField() {
  const extra = useNewRun(({ draft }) => draft.extra)
  const problem = useNewRun(({ problems }) => problems.extra)
  const change = useNewRun((state) => state.change)
  const words = useMemo(() => argumentWords(extra), [extra])
  const wrong = problem ?? (typeof words === 'string' ? words : undefined)
  return (
    <FormField
      label="Arguments"
      problem={wrong}
      note={
        typeof words !== 'string' &&
        words.length > 0 && (
          <div className="argument-words t3">
            <span>{formatPlural(words.length, 'argument')}:</span>
            {words.map((word, place) => (
              <code key={place} className="cut" title={word}>
                {word === '' ? ' ' : word}
              </code>
            ))}
          </div>
        )
      }
    >
      {(ids) => (
        <LineInput
          ids={ids}
          className="mono"
          placeholder="additional arguments (quote values with spaces)"
          value={extra}
          onWrite={(text) => change({ extra: text })}
        />
      )}
    </FormField>
  )
}

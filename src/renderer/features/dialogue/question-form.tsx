import { useId, useState } from 'react'
import type { Answer, AskQuestion } from '#core/dialogue/ask.ts'
import { displayText } from '../../ui/display-text.ts'

type Given = Extract<Answer, { answers: unknown }>['answers'][number]

/** Questions of an agent. Each has its choices and a text of the person's own. */
export function QuestionForm({
  questions,
  busy,
  onAnswer,
  onRefuse
}: {
  questions: readonly AskQuestion[]
  busy: boolean
  onAnswer: (answers: Given[]) => void
  onRefuse: () => void
}) {
  const [given, setGiven] = useState<ReadonlyMap<string, Given>>(new Map())
  const answers = questions.map(({ id }) => given.get(id) ?? { id, choices: [], text: null })
  const open = answers.filter(({ choices, text }) => choices.length === 0 && (text ?? '').trim() === '').length
  return (
    <form
      className="vstack questions"
      aria-label="Questions"
      onSubmit={(event) => {
        event.preventDefault()
        if (!busy && open === 0)
          onAnswer(
            answers.map((each, at) => ({ ...each, text: sentText(each.text, questions[at]?.isSecret === true) }))
          )
      }}
    >
      {questions.map((question, at) => (
        <Question
          key={question.id}
          question={question}
          given={answers[at] ?? { id: question.id, choices: [], text: null }}
          onChange={(answer) => setGiven(new Map(given).set(question.id, answer))}
        />
      ))}
      <div className="hstack ask-buttons">
        <button type="submit" className="btn big primary" disabled={busy || open > 0}>
          Answer
        </button>
        {open > 0 && questions.length > 1 && (
          <span className="t3">
            {open} of {questions.length} without an answer
          </span>
        )}
        <span className="grow" />
        <button type="button" className="btn big" disabled={busy} onClick={onRefuse}>
          Do not answer
        </button>
      </div>
    </form>
  )
}

/** A secret may begin or end with a space. */
function sentText(text: string | null, isSecret: boolean): string | null {
  return (isSecret ? text : text?.trim()) || null
}

function Question({
  question: { id, header, question, choices, severalChoices, isSecret },
  given,
  onChange
}: {
  question: AskQuestion
  given: Given
  onChange: (given: Given) => void
}) {
  const name = useId()
  const isOther = given.text !== null
  const choose = (label: string, on: boolean) => {
    if (!severalChoices) return onChange({ id, choices: [label], text: null })
    const others = given.choices.filter((each) => each !== label)
    onChange({ ...given, choices: on ? [...others, label] : others })
  }
  return (
    <fieldset className="question">
      <legend className="medium">
        {header !== null && <span className="badge edged">{displayText(header)}</span>} {displayText(question)}
      </legend>
      {choices.map(({ label, note }) => (
        <label key={label} className="option" data-on={given.choices.includes(label) ? '' : undefined}>
          <input
            type={severalChoices ? 'checkbox' : 'radio'}
            name={name}
            checked={given.choices.includes(label)}
            onChange={(event) => choose(label, event.target.checked)}
          />
          <span>{displayText(label)}</span>
          {note !== null && <small>{displayText(note)}</small>}
        </label>
      ))}
      {choices.length > 0 && (
        <label className="option" data-on={isOther ? '' : undefined}>
          <input
            type={severalChoices ? 'checkbox' : 'radio'}
            name={name}
            checked={isOther}
            onChange={(event) =>
              onChange({
                id,
                choices: severalChoices ? given.choices : [],
                text: event.target.checked ? '' : null
              })
            }
          />
          <span>Something else</span>
        </label>
      )}
      {(isOther || choices.length === 0) && (
        <input
          type={isSecret ? 'password' : 'text'}
          className="dialogue-text"
          aria-label={`Your answer to: ${displayText(question)}`}
          autoComplete="off"
          value={given.text ?? ''}
          onChange={(event) => onChange({ ...given, text: event.target.value })}
        />
      )}
      {isSecret && <p className="t3">The answer goes to the agent and is not recorded.</p>}
    </fieldset>
  )
}

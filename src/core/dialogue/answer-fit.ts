import type { Answer, Ask } from './ask.ts'

/** Why an answer does not fit an ask, a sentence for people; null: it does. */
export function unfitAnswer(ask: Ask, answer: Answer): string | null {
  if ('refuse' in answer) return null
  if (ask.kind === 'unknown') return 'Playhead does not understand this request. It can only be refused.'
  if ('answers' in answer) {
    if (ask.kind !== 'question') return 'This is no question. Allow or refuse it.'
    return unfitAnswers(ask, answer.answers)
  }
  if (ask.kind === 'question') return 'This is a question. Answer or refuse it.'
  if (answer.allow === 'run' && ask.scopes.length === 0) return 'This can only be allowed once.'
  if (answer.mode !== undefined && !ask.modes.includes(answer.mode))
    return ask.modes.length === 0
      ? 'Allowing this changes no mode.'
      : `A plan can be accepted with these modes: ${ask.modes.join(', ')}.`
  return null
}

type Answers = Extract<Answer, { answers: unknown }>['answers']

function unfitAnswers(ask: Ask, answers: Answers): string | null {
  for (const [i, { id, choices, text }] of answers.entries()) {
    const question = ask.questions.find((asked) => asked.id === id)
    if (question === undefined || answers.findIndex((other) => other.id === id) !== i)
      return 'Each answer names one of the questions.'
    if (choices.some((choice) => !question.choices.some(({ label }) => label === choice)))
      return `“${question.question}” offers other choices.`
    const given = new Set(choices).size + (text === null || text === '' ? 0 : 1)
    if (given === 0 || new Set(choices).size !== choices.length) return `“${question.question}” has no answer.`
    if (given > 1 && !question.severalChoices) return `“${question.question}” takes one answer.`
  }
  const missing = ask.questions.find(({ id }) => !answers.some((answer) => answer.id === id))
  return missing === undefined ? null : `“${missing.question}” has no answer.`
}

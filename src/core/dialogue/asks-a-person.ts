/** Whether a request of this name wants a decision of a person, also one that nobody here has heard of. */
export function asksAPerson(name: string): boolean {
  return /ask_|permission|approv|elicit|dialog|question|user_?input|confirm/i.test(name)
}

/** The answer to a request that no person has to decide and that Playhead does not know. The name is the agent's, of any length. */
export function notOffered(name: string): string {
  return `Playhead does not offer ${name.slice(0, 200)}.`
}

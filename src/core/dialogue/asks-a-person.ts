/** Whether a request of this name wants a decision of a person, also one that nobody here has heard of. */
export function asksAPerson(name: string): boolean {
  return /ask_|permission|approv|elicit|dialog|question|user_?input|confirm/i.test(name)
}

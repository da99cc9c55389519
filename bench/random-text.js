const words =
  'the run reads a file, größer 世界 "quoted" \\path\\to and writes\n\tit again; tests pass 🌍 or fail'.split(' ')

/** Numbers in [0, 1) that are the same in every run: the logs have to be. */
export function numbers(seed) {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

/** Text of `length` characters or a few more. */
export function textOf(random, length) {
  let said = ''
  while (said.length < length) said += `${words[Math.floor(random() * words.length)]} `
  return said
}

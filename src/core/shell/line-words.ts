import { checkWords } from './command-effect.ts'
import { destructiveWords } from './destructive.ts'

/** What a line may do by its words, as bits of `lineWords`. */
export const mayCheck = 1
export const mayAnswerNo = 2
/** The first of the bits of `destructiveWords`. */
const firstDestructive = 2
/** All bits: for a line that cannot be read as a text. */
export const anyWords = -1 >>> 1

/** Pieces of the commands whose exit status may be an answer (`saysNo`). */
const answering = 'grep egrep fgrep rg diff cmp test which pgrep ag ack ignore merge parse checks'.split(' ')

const bits = new Map<string, number>()
const addWord = (word: string, bit: number): unknown => bits.set(word, (bits.get(word) ?? 0) | bit)
for (const word of checkWords) addWord(word, mayCheck)
for (const word of answering) addWord(word, mayAnswerNo)
for (const [i, [word]] of destructiveWords.entries()) addWord(word, 1 << (firstDestructive + i))

/** Whether a line with these words (`lineWords`) may be destructive. */
export function mayDestroy(words: number, line: string): boolean {
  if (words >> firstDestructive === 0) return false
  return destructiveWords.some(([, beside], i) => (words & (1 << (firstDestructive + i))) !== 0 && beside.test(line))
}

/** By ASCII code, the lower-case code of a letter or digit; 0 for other characters, which part words. */
const lowerCodes = Uint8Array.from({ length: 128 }, (_, code) =>
  /[A-Za-z0-9]/.test(String.fromCharCode(code)) ? String.fromCharCode(code).toLowerCase().charCodeAt(0) : 0
)
const bracket = '['.charCodeAt(0)
const hashBits = 12
/** By hash of a word: 1 if a word of `bits` has it. */
const known = new Uint8Array(1 << hashBits)
for (const word of bits.keys()) {
  let hash = 0
  for (let i = 0; i < word.length; i++) hash = (Math.imul(hash, 31) + word.charCodeAt(i)) | 0
  known[hash & (known.length - 1)] = 1
}

/**
 * What a command line may do, by the words in it, wherever they stand: never less than what the line does when a shell reads
 * it. So a line without a bit need not be read as a shell reads it, which takes ten times as long. Words in pieces
 * (`r''m`) are not put together.
 */
export function lineWords(line: string): number {
  let found = 0
  let hash = 0
  let start = -1
  const { length } = line
  for (let i = 0; i <= length; i++) {
    const code = i < length ? line.charCodeAt(i) : 0
    const lower = code < 128 ? (lowerCodes[code] ?? 0) : 0
    if (lower !== 0) {
      if (start < 0) {
        start = i
        hash = 0
      }
      hash = (Math.imul(hash, 31) + lower) | 0
      continue
    }
    if (start >= 0) {
      if (known[hash & (known.length - 1)] === 1) found |= bits.get(line.slice(start, i).toLowerCase()) ?? 0
      start = -1
    }
    // `[` and `[[` are programs.
    if (code === bracket) found |= mayAnswerNo
  }
  return found
}

/** A log in pieces: records and what damage left between them. */
export interface DamagedLog {
  readonly bytes: Uint8Array
  /** Where the records are that are still whole, in order. */
  readonly whole: readonly { readonly offset: number; readonly length: number }[]
  /** What was done, for the message of a failed test. */
  readonly damages: readonly string[]
}

interface Piece {
  bytes: Uint8Array
  isWhole: boolean
  /** Whether a line end follows. */
  hasEnd: boolean
}

type Random = () => number

/** The records of a log, each with its line end, after 1 to 4 random damages. */
export function damage(records: readonly Uint8Array[], random: Random): DamagedLog {
  const pieces: Piece[] = records.map((bytes) => ({ bytes, isWhole: true, hasEnd: true }))
  const damages = Array.from({ length: 1 + below(4, random) }, () => {
    const [name, change] = pick(Object.entries(kinds), random)
    change(pieces, below(pieces.length, random), random)
    return name
  })
  const whole: { offset: number; length: number }[] = []
  let length = 0
  const parts = pieces.flatMap(({ bytes, isWhole, hasEnd }) => {
    if (isWhole) whole.push({ offset: length, length: bytes.length })
    length += bytes.length + Number(hasEnd)
    return hasEnd ? [bytes, lineEnd] : [bytes]
  })
  const all = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return { bytes: all, whole, damages }
}

const lineEnd = Uint8Array.of(0x0a)

/** What agents, disks and programs that share a file do to a log. `at`: a piece. */
const kinds: Readonly<Record<string, (pieces: Piece[], at: number, random: Random) => void>> = {
  'zeros before a record'(pieces, at, random) {
    pieces.splice(at, 0, rest(new Uint8Array(1 + below(3000, random))))
  },
  'zeros inside a record'(pieces, at, random) {
    const { from, to } = rangeIn(pieces[at], random)
    change(pieces[at], (bytes) => bytes.slice().fill(0, from, to))
  },
  'a lost line end'(pieces, at) {
    end(pieces[at], false)
  },
  'a cut record'(pieces, at, random) {
    const length = below(pieces[at]?.bytes.length ?? 0, random)
    change(pieces[at], (bytes) => bytes.slice(0, length))
  },
  'a cut record with the next one after it'(pieces, at, random) {
    kinds['a cut record']?.(pieces, at, random)
    end(pieces[at], false)
  },
  'a record without its start'(pieces, at, random) {
    const from = 1 + below(pieces[at]?.bytes.length ?? 0, random)
    change(pieces[at], (bytes) => bytes.slice(from))
    if (random() < 0.5) end(pieces[at - 1], false)
  },
  'lost bytes across records'(pieces, at, random) {
    const last = Math.min(pieces.length - 1, at + below(3, random))
    if (last === at) return
    kinds['a cut record with the next one after it']?.(pieces, at, random)
    const from = 1 + below(pieces[last]?.bytes.length ?? 0, random)
    change(pieces[last], (bytes) => bytes.slice(from))
    pieces.splice(at + 1, last - at - 1)
  },
  'a record written twice, first in part'(pieces, at, random) {
    const record = pieces[at]
    if (record === undefined) return
    pieces.splice(at, 0, rest(record.bytes.slice(0, below(record.bytes.length, random))))
  },
  'output of a program without a line end'(pieces, at, random) {
    pieces.splice(at, 0, rest(new TextEncoder().encode(pick(outputs, random))))
  }
}

const outputs = [
  'Warning: no depth given',
  'npm notice {new version}',
  '(node:7) [DEP0040] ',
  '\u001b[2K\r',
  'Größe 12 %',
  '{'
]

function rest(bytes: Uint8Array): Piece {
  return { bytes, isWhole: false, hasEnd: false }
}

function change(piece: Piece | undefined, to: (bytes: Uint8Array) => Uint8Array): void {
  if (piece === undefined) return
  const bytes = to(piece.bytes)
  piece.isWhole &&= bytes.length === piece.bytes.length && bytes.every((byte, at) => byte === piece.bytes[at])
  piece.bytes = bytes
}

function end(piece: Piece | undefined, hasEnd: boolean): void {
  if (piece !== undefined) piece.hasEnd = hasEnd
}

function rangeIn(piece: Piece | undefined, random: Random): { from: number; to: number } {
  const length = piece?.bytes.length ?? 0
  const from = below(length, random)
  return { from, to: from + 1 + below(length - from, random) }
}

function below(limit: number, random: Random): number {
  return Math.floor(random() * limit)
}

function pick<T>(from: readonly T[], random: Random): T {
  const one = from[below(from.length, random)]
  if (one === undefined) throw new Error('nothing to pick from')
  return one
}

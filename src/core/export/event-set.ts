const digits = '0123456789abcdefghijklmnopqrstuv'
/** Bits per digit. */
const bits = 5

/** A set of event numbers (`seq`), serialized as text: one bit a number, five bits a digit. */
export class EventSet {
  private readonly places: Uint8Array
  private members = 0

  constructor(events: number) {
    this.places = new Uint8Array(Math.ceil(events / bits))
  }

  /** Parses `toText`. An invalid digit has no members. */
  static of(text: string): EventSet {
    const set = new EventSet(text.length * bits)
    for (let digit = 0; digit < text.length; digit++) {
      const value = digits.indexOf(text.charAt(digit))
      for (let bit = 0; bit < bits; bit++) if (value > 0 && value & (1 << bit)) set.add(digit * bits + bit)
    }
    return set
  }

  get size(): number {
    return this.members
  }

  add(seq: number): void {
    const digit = Math.floor(seq / bits)
    const bit = 1 << (seq % bits)
    const before = this.places[digit]
    if (before === undefined || (before & bit) !== 0) return
    this.places[digit] = before | bit
    this.members++
  }

  has(seq: number): boolean {
    return ((this.places[Math.floor(seq / bits)] ?? 0) & (1 << (seq % bits))) !== 0
  }

  /** Equal sets have equal texts. */
  toText(): string {
    const pieces: string[] = []
    for (let at = 0; at < this.places.length; at += 8192)
      pieces.push(Array.from(this.places.subarray(at, at + 8192), (value) => digits.charAt(value)).join(''))
    return pieces.join('').replace(/0+$/, '')
  }
}

import Anser from 'anser'

/** A terminal style. Colors are names of the eight colors ("red", "bright-red") or "r, g, b"; null: the default. */
export interface TerminalStyle {
  readonly fg: string | null
  readonly bg: string | null
  readonly bold: boolean
  readonly dim: boolean
  readonly italic: boolean
  readonly underline: boolean
  readonly inverse: boolean
  readonly struck: boolean
}

export const plainStyle: TerminalStyle = {
  fg: null,
  bg: null,
  bold: false,
  dim: false,
  italic: false,
  underline: false,
  inverse: false,
  struck: false
}

/** The first 16 of the 256 colors. */
const names = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white']
/** The steps of the color cube, 16 to 231. */
const steps = [0, 95, 135, 175, 215, 255]

/** Reads a series of SGR sequences (colors and weights). */
export class StyleReader {
  private readonly anser = new Anser()
  style: TerminalStyle

  constructor(style: TerminalStyle) {
    this.style = style
    // Anser keeps its own state, so an initial style is set by sequences.
    for (const codes of codesOf(style)) this.read(codes)
    this.style = style
  }

  /** `codes`: the text between "ESC [" and "m", "1;31". */
  read(codes: string): void {
    if (codes === '' || codes === '0') {
      this.anser.processChunkJson('0m', { use_classes: true }, true)
      this.style = plainStyle
      return
    }
    // "4:3" is a styled underline, "38:2::1:2:3" a color; Anser only knows them with semicolons.
    const known = codes.replace(/\b4:(\d)/g, (_, shape: string) => (shape === '0' ? '24' : '4')).replace(/2::/g, '2:')
    const { fg, bg, fg_truecolor, bg_truecolor, decorations } = this.anser.processChunkJson(
      `${known.replaceAll(':', ';')}m`,
      { use_classes: true },
      true
    )
    const has = new Set(decorations)
    // Anser adds the same decoration repeatedly; this limits the list.
    if (decorations.length > has.size) decorations.splice(0, Infinity, ...has)
    this.style = {
      fg: colourOf(fg, fg_truecolor),
      bg: colourOf(bg, bg_truecolor),
      bold: has.has('bold'),
      dim: has.has('dim'),
      italic: has.has('italic'),
      underline: has.has('underline'),
      inverse: has.has('reverse'),
      struck: has.has('strikethrough')
    }
  }
}

/** `name`: a class of Anser's, with its RGB color if it has one. */
function colourOf(name: string | null, trueColour: string | null): string | null {
  if (name === null) return null
  if (name === 'ansi-truecolor') return trueColour
  const place = /^ansi-palette-(\d+)$/.exec(name)?.[1]
  return place === undefined ? name.replace(/^ansi-/, '') : paletteColour(Number(place))
}

/** The colors 16 to 255: a cube, then grays. */
function paletteColour(place: number): string {
  if (place >= 232)
    return Array(3)
      .fill(8 + (place - 232) * 10)
      .join(', ')
  const at = place - 16
  return [Math.floor(at / 36), Math.floor(at / 6) % 6, at % 6].map((step) => steps[step] ?? 0).join(', ')
}

/** The sequences that change the default style to `style`. */
function codesOf(style: TerminalStyle): string[] {
  return [
    ...(style.bold ? ['1'] : []),
    ...(style.dim ? ['2'] : []),
    ...(style.italic ? ['3'] : []),
    ...(style.underline ? ['4'] : []),
    ...(style.inverse ? ['7'] : []),
    ...(style.struck ? ['9'] : []),
    ...(style.fg === null ? [] : [colourCode(style.fg, 30)]),
    ...(style.bg === null ? [] : [colourCode(style.bg, 40)])
  ]
}

/** `first`: 30 for the text color, 40 for the background. */
function colourCode(colour: string, first: 30 | 40): string {
  if (colour.includes(',')) return `${first + 8};2;${colour.replaceAll(', ', ';')}`
  const bright = colour.startsWith('bright-')
  return String(first + (bright ? 60 : 0) + names.indexOf(colour.replace('bright-', '')))
}

export function sameStyle(a: TerminalStyle, b: TerminalStyle): boolean {
  return (
    a === b ||
    (a.fg === b.fg &&
      a.bg === b.bg &&
      a.bold === b.bold &&
      a.dim === b.dim &&
      a.italic === b.italic &&
      a.underline === b.underline &&
      a.inverse === b.inverse &&
      a.struck === b.struck)
  )
}

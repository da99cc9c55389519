import { crc32, deflateSync, inflateSync } from 'node:zlib'

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const mostColours = 256

/** A screenshot of Chromium (8 bits a channel, not interlaced) with at most 256 colours: about a third of its bytes. */
export function smallPng(png) {
  const { width, height, channels, pixels } = decoded(png)
  const counts = new Map()
  const colours = new Uint32Array(width * height)
  for (let i = 0; i < colours.length; i++) {
    const at = i * channels
    colours[i] = (pixels[at] << 16) | (pixels[at + 1] << 8) | pixels[at + 2]
    counts.set(colours[i], (counts.get(colours[i]) ?? 0) + 1)
  }
  const palette = [...counts]
    .toSorted((a, b) => b[1] - a[1])
    .slice(0, mostColours)
    .map(([colour]) => colour)
  const places = new Map(palette.map((colour, place) => [colour, place]))
  for (const colour of counts.keys()) if (!places.has(colour)) places.set(colour, nearest(palette, colour))
  // Each line begins with its filter: none.
  const lines = Buffer.alloc(height * (width + 1))
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) lines[y * (width + 1) + 1 + x] = places.get(colours[y * width + x])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // 8 bits a pixel, which is a place in the palette.
  header.set([8, 3, 0, 0, 0], 8)
  const parts = [
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flatMap(channelsOf))),
    chunk('IDAT', deflateSync(lines, { level: 9 })),
    chunk('IEND', Buffer.alloc(0))
  ]
  return Buffer.concat([signature, ...parts])
}

function decoded(png) {
  const data = []
  let header = null
  for (let at = signature.length; at < png.length;) {
    const length = png.readUInt32BE(at)
    const body = png.subarray(at + 8, at + 8 + length)
    const type = png.toString('latin1', at + 4, at + 8)
    if (type === 'IHDR') header = body
    if (type === 'IDAT') data.push(body)
    at += length + 12
  }
  const [width, height, channels] = [header.readUInt32BE(0), header.readUInt32BE(4), header[9] === 6 ? 4 : 3]
  return {
    width,
    height,
    channels,
    pixels: unfiltered(inflateSync(Buffer.concat(data)), width * channels, height, channels)
  }
}

/** Undoes the filter of each line: a byte is stated as what it adds to the bytes at its left, above it, or both. */
function unfiltered(bytes, lineLength, height, channels) {
  const out = Buffer.alloc(lineLength * height)
  for (let y = 0; y < height; y++) {
    const filter = bytes[y * (lineLength + 1)]
    for (let x = 0; x < lineLength; x++) {
      const at = y * lineLength + x
      const left = x < channels ? 0 : out[at - channels]
      const up = y === 0 ? 0 : out[at - lineLength]
      const corner = x < channels || y === 0 ? 0 : out[at - lineLength - channels]
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter]
      out[at] = bytes[y * (lineLength + 1) + 1 + x] + guess
    }
  }
  return out
}

function paeth(left, up, corner) {
  const guess = left + up - corner
  const [toLeft, toUp, toCorner] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)]
  if (toLeft <= toUp && toLeft <= toCorner) return left
  return toUp <= toCorner ? up : corner
}

function nearest(palette, colour) {
  const wanted = channelsOf(colour)
  const distance = (other) => channelsOf(other).reduce((sum, value, i) => sum + (value - wanted[i]) ** 2, 0)
  let best = 0
  for (let place = 1; place < palette.length; place++) {
    if (distance(palette[place]) < distance(palette[best])) best = place
  }
  return best
}

function channelsOf(colour) {
  return [colour >> 16, (colour >> 8) & 255, colour & 255]
}

function chunk(type, body) {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), body])
  const out = Buffer.alloc(named.length + 8)
  out.writeUInt32BE(body.length, 0)
  named.copy(out, 4)
  out.writeUInt32BE(crc32(named), named.length + 4)
  return out
}

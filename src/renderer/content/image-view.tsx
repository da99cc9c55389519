import './image-view.css'
import { useCallback, useState } from 'react'
import { displayText } from '../ui/display-text.ts'
import { formatBytes, formatCount } from '../ui/format.ts'
import { imageTypeOf } from '#core/media/image-type.ts'

/** In bytes. A larger image could use too much memory when decoded. */
const maxBytes = 32_000_000
const maxPixels = 100_000_000

/** A PNG, JPEG, GIF or WebP, detected from its bytes. Other types, SVG too, are only named. A click enlarges it. */
export function ImageView({
  bytes,
  mediaType,
  alt
}: {
  bytes: Uint8Array<ArrayBuffer>
  /** The type that the log states. */
  mediaType?: string | undefined
  alt: string
}) {
  const type = imageTypeOf(bytes)
  const [size, setSize] = useState<{ width: number; height: number } | null>(null)
  const [failed, setFailed] = useState(false)
  const [whole, setWhole] = useState(false)
  const draw = useCallback(
    (image: HTMLImageElement) => {
      const url = URL.createObjectURL(new Blob([bytes], { type: imageTypeOf(bytes) ?? '' }))
      image.src = url
      return () => URL.revokeObjectURL(url)
    },
    [bytes]
  )
  const refusal =
    refusalOf(bytes, type, mediaType, size) ?? (failed ? 'The image cannot be shown. It is damaged or cut.' : null)
  const facts = [
    type ?? displayText(mediaType ?? 'unknown type'),
    size === null ? null : `${formatCount(size.width)} × ${formatCount(size.height)}`,
    formatBytes(bytes.length)
  ]
  return (
    <figure className="image-view vstack">
      {refusal !== null ? (
        <p className="t2">{refusal}</p>
      ) : (
        <button
          type="button"
          className="image-frame"
          aria-pressed={whole}
          aria-label={`${alt}: show full size`}
          title={whole ? 'Fit to panel' : 'Show full size'}
          onClick={() => setWhole(!whole)}
        >
          <img
            ref={draw}
            alt={alt}
            decoding="async"
            onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) => setSize({ width, height })}
            onError={() => setFailed(true)}
          />
        </button>
      )}
      <figcaption>{facts.filter((fact) => fact !== null).join(' · ')}</figcaption>
    </figure>
  )
}

/** Why an image is not shown; null if it is. */
function refusalOf(
  bytes: Uint8Array,
  type: string | null,
  mediaType: string | undefined,
  size: { width: number; height: number } | null
): string | null {
  if (type === null) {
    const subject =
      mediaType === undefined ? 'These bytes are' : `The log says ${displayText(mediaType)}; the bytes are`
    return `${subject} not PNG, JPEG, GIF or WebP. Other images are not shown.`
  }
  if (bytes.length > maxBytes) return `The image has ${formatBytes(bytes.length)}, which is too large to show.`
  if (size !== null && size.width * size.height > maxPixels) return 'The image has too many pixels to show.'
  return null
}

import { useEffect, useState } from 'react'
import { messageOf } from '#contract/host-error.ts'
import type { Result } from '#contract/methods.ts'
import { ImageView } from '../../content/image-view.tsx'
import { useLogParts } from '../../stores/log-store.ts'
import { displayText } from '../../ui/display-text.ts'
import { Failed } from './failed.tsx'
import { Loading } from './loading.tsx'

type Images = Result<'log.images'>

/** The images of a row's record that belong to its event. */
export function ImagesView({ row }: { row: number }) {
  const { host, id } = useLogParts()
  const [state, setState] = useState<{ readonly row: number; readonly found: Images | string } | null>(null)
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    let wanted = true
    host
      .call('log.images', { log: id, row })
      .then((found) => wanted && setState({ row, found }))
      .catch((error: unknown) => {
        if (wanted) setState({ row, found: messageOf(error) })
      })
    return () => {
      wanted = false
    }
  }, [host, id, row, attempt])
  if (state?.row !== row) return <Loading />
  if (typeof state.found === 'string')
    return <Failed what="The images" message={state.found} onRetry={() => setAttempt(attempt + 1)} />
  const { images, bytes } = state.found
  return images.map((image, position) => {
    const name = images.length === 1 ? 'Image' : `Image ${position + 1} of ${images.length}`
    return (
      <section key={image.path} className="block" aria-label={name}>
        <header className="hstack t2 caption">
          <span title={image.path}>{name}</span>
        </header>
        {image.problem === null ? (
          <LogImage bytes={bytes} image={image} name={name} />
        ) : (
          <p className="text t2">
            {displayText(image.declared)}: not shown. {image.problem}
          </p>
        )}
      </section>
    )
  })
}

function LogImage({ bytes, image, name }: { bytes: ArrayBuffer; image: Images['images'][number]; name: string }) {
  const [own] = useState(() => new Uint8Array(bytes, image.offset, image.length))
  return <ImageView bytes={own} mediaType={image.declared} alt={name} />
}

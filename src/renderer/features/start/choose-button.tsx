import { useRef } from 'react'
import { type Given, givenFiles, givenFolder } from '../../stores/given-files.ts'
import { Icon } from '../../ui/icons.tsx'

const words = {
  files: { icon: 'open', text: 'Choose files…', label: 'Choose files' },
  folder: { icon: 'folder', text: 'Choose folder…', label: 'Choose folder' }
} as const

/** Opens a file dialog: the system's if `native` can show it, else the browser's, which returns the files. */
export function ChooseButton({
  what,
  native,
  big = false,
  onGiven
}: {
  what: keyof typeof words
  native?: (() => void) | undefined
  big?: boolean
  onGiven: (given: Given) => void
}) {
  const input = useRef<HTMLInputElement | null>(null)
  const { icon, text, label } = words[what]
  return (
    <>
      <button
        type="button"
        className={big ? 'btn edged big' : 'btn edged'}
        onClick={() => (native === undefined ? input.current?.click() : native())}
      >
        <Icon name={icon} />
        {text}
      </button>
      {native === undefined && (
        <input
          ref={(element) => {
            input.current = element
            if (element !== null) element.webkitdirectory = what === 'folder'
          }}
          type="file"
          multiple
          hidden
          aria-label={label}
          onChange={({ target }) => {
            const list = target.files ?? []
            if (list.length > 0) onGiven(what === 'files' ? givenFiles(list) : givenFolder(list))
            target.value = ''
          }}
        />
      )}
    </>
  )
}

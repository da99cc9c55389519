import { readdirSync, readFileSync } from 'node:fs'

/** A case of `test/fixtures/formats/<format id>/<case>/`. */
export interface Fixture {
  readonly formatId: string
  readonly name: string
  readonly folder: URL
  /** The one file `input.*`; what follows the dot is how the log is stored. */
  readonly input: URL
}

const root = new URL('../fixtures/formats/', import.meta.url)

function foldersIn(at: URL): string[] {
  return readdirSync(at, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
}

/** All cases of all formats, in the order of their names. Throws where a folder has not exactly one input. */
export function allFixtures(): Fixture[] {
  return foldersIn(root).flatMap((formatId) =>
    foldersIn(new URL(`${formatId}/`, root)).map((name) => {
      const folder = new URL(`${formatId}/${name}/`, root)
      const inputs = readdirSync(folder).filter((file) => file.startsWith('input.'))
      const [input] = inputs
      if (input === undefined || inputs.length > 1) {
        throw new Error(`${formatId}/${name} has ${inputs.length} files input.*; it has to have one`)
      }
      return { formatId, name, folder, input: new URL(input, folder) }
    })
  )
}

/** The log of a fixture as it is. */
export function bytesOfFixture({ input }: Fixture): Uint8Array {
  return new Uint8Array(readFileSync(input))
}

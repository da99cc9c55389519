import { librarySize } from './library-home.js'
import { longLists, runLogName, sizes } from './logs.js'

const minute = 60_000
const gb = (mb) => `${(mb / 1024).toFixed(1)} GB`

/**
 * What `npm run bench` measures, by the name of its module in `parts/`. `flag`: given on the command line it is measured; null: without any
 * flag. `limitMs`: a part that takes longer has hung.
 */
export const parts = [
  { name: 'index', flag: null, title: `Index of ${sizes.mixedMb} MB of ${runLogName}`, limitMs: 10 * minute },
  { name: 'short-rows', flag: null, title: `${sizes.shortRows} short rows`, limitMs: 10 * minute },
  { name: 'commands', flag: null, title: `Commands on ${sizes.mixedMb} MB`, limitMs: 10 * minute },
  { name: 'content', flag: '--content', title: 'What the inspector draws', limitMs: 10 * minute },
  { name: 'drag', flag: '--drag', title: `Drag over ${sizes.shortRows} rows`, limitMs: 5 * minute },
  {
    name: 'evolution',
    flag: '--drag',
    title: `Lanes of ${longLists.items} todo items over ${longLists.lists} lists`,
    limitMs: 5 * minute
  },
  { name: 'huge', flag: '--huge', title: `${gb(sizes.hugeMb)} with a line of 12 MB`, limitMs: 20 * minute },
  { name: 'appends', flag: '--appends', title: 'Appends to an open log', limitMs: 15 * minute },
  { name: 'analysis', flag: '--analysis', title: `Analysis of ${sizes.shortRows} rows`, limitMs: 5 * minute },
  {
    name: 'findings',
    flag: '--findings',
    title: `Findings of ${sizes.mixedMb} MB of ${runLogName}`,
    limitMs: 10 * minute
  },
  { name: 'waterfall', flag: '--analysis', title: `Waterfall of ${sizes.shortRows} events`, limitMs: 10 * minute },
  { name: 'compare', flag: '--compare', title: `Comparing two logs of ${sizes.mixedMb} MB`, limitMs: 10 * minute },
  { name: 'files', flag: '--files', title: `Files of ${sizes.shortRows} events`, limitMs: 10 * minute },
  { name: 'queries', flag: '--queries', title: `Queries of ${sizes.shortRows} rows`, limitMs: 10 * minute },
  { name: 'find', flag: '--find', title: `Find in ${gb(sizes.gigabyteMb)}`, limitMs: 15 * minute },
  {
    name: 'library-search',
    flag: '--library-search',
    title: `Search in a library of ${gb(sizes.gigabyteMb)}`,
    limitMs: 15 * minute
  },
  {
    name: 'library',
    flag: '--library',
    title: `Library of ${librarySize.sessions} sessions, ${gb(librarySize.mb)}`,
    limitMs: 30 * minute
  },
  {
    name: 'library-frames',
    flag: '--library',
    title: `An open session while ${librarySize.sessions} sessions are counted`,
    limitMs: 10 * minute
  },
  { name: 'dialogue', flag: '--dialogue', title: 'Interactive runs', limitMs: 10 * minute },
  { name: 'formats', flag: '--formats', title: 'Reading by format', limitMs: 10 * minute }
]

/** The module of a part: `run()` gives what it found, `print(title, found)` shows it where that is not a list of figures. */
export async function partModule(name) {
  return await import(new URL(`./parts/${name}.js`, import.meta.url).href)
}

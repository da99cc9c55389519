/**
 * Paths as logs write them, and what each is (docs/files.md). One table for all that shows, compares or writes paths of a log.
 */
export interface PathCase {
  /** The folder that the session states. */
  readonly folder: string
  /** The path as a tool of the session is given it. */
  readonly logged: string
  /** In a patch, and wherever paths within the session's folder are shown; null: it is outside. */
  readonly inside: string | null
  /** Of the list of files. */
  readonly shown: string
  /** Below the folder of `files -o`. */
  readonly onDisk: string
}

const tide = String.raw`C:\Users\Ada\tide`
const main = String.raw`C:\Users\Ada\tide\src\Main.ts`

/** Of a file inside: name and place on disk are the same, unless `onDisk` says otherwise. */
function inside(folder: string, logged: string, name: string, shown: string, onDisk = name): PathCase {
  return { folder, logged, inside: name, shown, onDisk }
}

function outside(folder: string, logged: string, shown: string, onDisk: string): PathCase {
  return { folder, logged, inside: null, shown, onDisk: `_outside/${onDisk}` }
}

const r = String.raw
const nas = r`\\nas\work\tide`
const ubuntu = r`\\wsl.localhost\Ubuntu\home\ada\tide`

export const pathCases: readonly PathCase[] = [
  // A session of a drive.
  inside(tide, main, 'src/Main.ts', main),
  inside(tide, 'C:/Users/Ada/tide/src/Main.ts', 'src/Main.ts', main),
  inside(tide, r`C:\Users\Ada/tide\src/Main.ts`, 'src/Main.ts', main),
  inside(tide, r`c:\users\ada\TIDE\src\Main.ts`, 'src/Main.ts', r`c:\users\ada\TIDE\src\Main.ts`),
  inside(tide, r`src\Main.ts`, 'src/Main.ts', main),
  inside(tide, 'src/Main.ts', 'src/Main.ts', main),
  inside(tide, r`.\src\Main.ts`, 'src/Main.ts', main),
  inside(tide, r`src\..\src\.\Main.ts`, 'src/Main.ts', main),
  inside(tide, r`C:\Users\Ada\tide\\src\\Main.ts`, 'src/Main.ts', main),
  inside(tide, r`C:\Users\Ada\other\..\tide\src\Main.ts`, 'src/Main.ts', main),
  inside(tide, r`\\?\C:\Users\Ada\tide\src\Main.ts`, 'src/Main.ts', main),
  inside(tide, r`\\.\C:\Users\Ada\tide\src\Main.ts`, 'src/Main.ts', main),
  inside(tide, '//?/C:/Users/Ada/tide/src/Main.ts', 'src/Main.ts', main),
  inside(tide, 'file:///C:/Users/Ada/tide/src/Main.ts', 'src/Main.ts', main),
  inside(tide, 'file:///c%3A/Users/Ada/tide/src/a%20b.ts', 'src/a b.ts', r`c:\Users\Ada\tide\src\a b.ts`),
  inside(tide, '/C:/Users/Ada/tide/src/Main.ts', 'src/Main.ts', main),
  inside(tide, '/c/Users/Ada/tide/src/Main.ts', 'src/Main.ts', main),
  inside(tide, '/cygdrive/c/Users/Ada/tide/src/Main.ts', 'src/Main.ts', main),
  inside(tide, '/mnt/c/Users/Ada/tide/src/Main.ts', 'src/Main.ts', main),
  inside(tide, '/Users/Ada/tide/src/Main.ts', 'src/Main.ts', main),
  inside(tide, r`\Users\Ada\tide\src\Main.ts`, 'src/Main.ts', main),
  inside(tide, r`C:src\Main.ts`, 'src/Main.ts', main),
  inside(`${tide}\\`, main, 'src/Main.ts', main),
  inside('c:/Users/Ada/tide/', main, 'src/Main.ts', main),
  inside('/C:/Users/Ada/tide', main, 'src/Main.ts', main),
  inside(r`\\?\C:\Users\Ada\tide`, main, 'src/Main.ts', main),
  inside('file:///C:/Users/Ada/tide', main, 'src/Main.ts', main),
  inside(tide, r`C:\Users\Ada\tide\Grüße Ä.ts`, 'Grüße Ä.ts', r`C:\Users\Ada\tide\Grüße Ä.ts`),
  inside('C:\\', r`C:\src\Main.ts`, 'src/Main.ts', r`C:\src\Main.ts`),
  // Names that a system reads as something else.
  inside(tide, r`src\aux.ts`, 'src/aux.ts', r`C:\Users\Ada\tide\src\aux.ts`, 'src/%61ux.ts'),
  inside(tide, r`CON`, 'CON', r`C:\Users\Ada\tide\CON`, '%43ON'),
  inside(tide, r`src\COM¹.log`, 'src/COM¹.log', r`C:\Users\Ada\tide\src\COM¹.log`, 'src/%43OM¹.log'),
  inside(tide, r`src\nul .txt`, 'src/nul .txt', r`C:\Users\Ada\tide\src\nul .txt`, 'src/%6Eul .txt'),
  inside(tide, r`src\dot.`, 'src/dot.', r`C:\Users\Ada\tide\src\dot.`, 'src/dot%2E'),
  inside(tide, 'src\\blank ', 'src/blank ', 'C:\\Users\\Ada\\tide\\src\\blank ', 'src/blank%20'),
  inside(tide, r`src\a.ts:stream`, 'src/a.ts:stream', r`C:\Users\Ada\tide\src\a.ts:stream`, 'src/a.ts%3Astream'),
  inside(tide, r`_outside\a.ts`, '_outside/a.ts', r`C:\Users\Ada\tide\_outside\a.ts`, '%5Foutside/a.ts'),
  inside(tide, r`manifest.json`, 'manifest.json', r`C:\Users\Ada\tide\manifest.json`, '%6Danifest.json'),
  inside(tide, r`100%.txt`, '100%.txt', r`C:\Users\Ada\tide\100%.txt`, '100%25.txt'),
  // Not in its folder.
  outside(tide, r`C:\Users\Ada\tidemark\a.ts`, r`C:\Users\Ada\tidemark\a.ts`, 'C%3A/Users/Ada/tidemark/a.ts'),
  outside(tide, r`C:\Users\Ada\tide\..\a.ts`, r`C:\Users\Ada\a.ts`, 'C%3A/Users/Ada/a.ts'),
  outside(tide, r`..\..\..\..\..\Windows\win.ini`, r`C:\Windows\win.ini`, 'C%3A/Windows/win.ini'),
  outside(tide, r`D:\Users\Ada\tide\src\Main.ts`, r`D:\Users\Ada\tide\src\Main.ts`, 'D%3A/Users/Ada/tide/src/Main.ts'),
  outside(tide, '/d/work/a.ts', r`D:\work\a.ts`, 'D%3A/work/a.ts'),
  outside(tide, r`D:a.ts`, '?/D:a.ts', '%3F/D%3Aa.ts'),
  outside(tide, r`\Windows\win.ini`, r`C:\Windows\win.ini`, 'C%3A/Windows/win.ini'),
  outside(tide, '/tmp/a.ts', '/tmp/a.ts', 'tmp/a.ts'),
  outside(tide, '~/a.ts', '~/a.ts', '~/a.ts'),
  outside(tide, r`~\a.ts`, '~/a.ts', '~/a.ts'),
  outside(tide, r`\\nas\work\a.ts`, r`\\nas\work\a.ts`, '%5C%5Cnas%5Cwork/a.ts'),
  outside(tide, r`\\.\COM1\a.ts`, r`\\.\COM1\a.ts`, '%5C%5C%2E/%43OM1/a.ts'),
  outside(tide, r`\\wsl$\Ubuntu\home\ada\a.ts`, r`\\wsl$\Ubuntu\home\ada\a.ts`, '%5C%5Cwsl$%5CUbuntu/home/ada/a.ts'),
  // A session of a share.
  inside(nas, r`\\nas\work\tide\src\Main.ts`, 'src/Main.ts', r`\\nas\work\tide\src\Main.ts`),
  inside(nas, '//NAS/Work/tide/src/Main.ts', 'src/Main.ts', r`\\NAS\Work\tide\src\Main.ts`),
  inside(nas, r`\\?\UNC\nas\work\tide\src\Main.ts`, 'src/Main.ts', r`\\nas\work\tide\src\Main.ts`),
  inside(nas, 'file://nas/work/tide/src/Main.ts', 'src/Main.ts', r`\\nas\work\tide\src\Main.ts`),
  inside(nas, r`src\Main.ts`, 'src/Main.ts', r`\\nas\work\tide\src\Main.ts`),
  inside(r`\\?\UNC\nas\work\tide`, r`\\nas\work\tide\a.ts`, 'a.ts', r`\\nas\work\tide\a.ts`),
  outside(nas, r`\\nas\other\tide\a.ts`, r`\\nas\other\tide\a.ts`, '%5C%5Cnas%5Cother/tide/a.ts'),
  inside(nas, r`\\nas\work\..\..\tide\src\Main.ts`, 'src/Main.ts', r`\\nas\work\tide\src\Main.ts`),
  // A session in the files of a Linux, seen from Windows: two names of one server, and case matters.
  inside(ubuntu, r`\\wsl$\Ubuntu\home\ada\tide\a.ts`, 'a.ts', r`\\wsl$\Ubuntu\home\ada\tide\a.ts`),
  inside(ubuntu, '/home/ada/tide/a.ts', 'a.ts', r`\\wsl.localhost\Ubuntu\home\ada\tide\a.ts`),
  outside(
    ubuntu,
    r`\\wsl$\Ubuntu\home\Ada\tide\a.ts`,
    r`\\wsl$\Ubuntu\home\Ada\tide\a.ts`,
    '%5C%5Cwsl$%5CUbuntu/home/Ada/tide/a.ts'
  ),
  outside(
    ubuntu,
    r`\\wsl$\Debian\home\ada\tide\a.ts`,
    r`\\wsl$\Debian\home\ada\tide\a.ts`,
    '%5C%5Cwsl$%5CDebian/home/ada/tide/a.ts'
  ),
  // A session in Linux on a drive of Windows, and one of a shell with drives.
  inside('/mnt/c/Users/Ada/tide', '/mnt/c/Users/Ada/tide/a.ts', 'a.ts', '/mnt/c/Users/Ada/tide/a.ts'),
  inside('/mnt/c/Users/Ada/tide', r`C:\Users\Ada\tide\src\Main.ts`, 'src/Main.ts', '/mnt/c/Users/Ada/tide/src/Main.ts'),
  inside('/mnt/c/Users/Ada/tide', 'c:/users/ada/tide/b.ts', 'b.ts', '/mnt/c/Users/Ada/tide/b.ts'),
  outside(
    '/mnt/c/Users/Ada/tide',
    '/mnt/c/users/ada/tide/a.ts',
    '/mnt/c/users/ada/tide/a.ts',
    'mnt/c/users/ada/tide/a.ts'
  ),
  outside('/mnt/c/Users/Ada/tide', r`D:\a.ts`, '/mnt/d/a.ts', 'mnt/d/a.ts'),
  inside('/c/Users/Ada/tide', r`C:\Users\Ada\tide\a.ts`, 'a.ts', '/c/Users/Ada/tide/a.ts'),
  inside('/cygdrive/c/Users/Ada/tide', r`C:\Users\Ada\tide\a.ts`, 'a.ts', '/cygdrive/c/Users/Ada/tide/a.ts'),
  // Sessions of other systems: a backslash is a part of a name.
  inside('/w', '/w/src/a.ts', 'src/a.ts', '/w/src/a.ts'),
  inside('/w', r`/w/a\b.ts`, r`a\b.ts`, r`/w/a\b.ts`, 'a%5Cb.ts'),
  inside('/w', r`a\b.ts`, r`a\b.ts`, r`/w/a\b.ts`, 'a%5Cb.ts'),
  inside('/w', r`..\b.ts`, r`..\b.ts`, r`/w/..\b.ts`, '..%5Cb.ts'),
  inside('/w', 'C:x.ts', 'C:x.ts', '/w/C:x.ts', 'C%3Ax.ts'),
  inside('/w/', 'file:///w/a%20b.ts', 'a b.ts', '/w/a b.ts'),
  outside('/w', '/W/src/a.ts', '/W/src/a.ts', 'W/src/a.ts'),
  outside('/w', r`/w\a.ts`, r`/w\a.ts`, 'w%5Ca.ts'),
  outside('/w', '../a.ts', '/a.ts', 'a.ts'),
  outside('/w', r`C:\w\a.ts`, r`C:\w\a.ts`, 'C%3A/w/a.ts'),
  outside('/w', '/C:/w/a.ts', '/C:/w/a.ts', '%2F/C%3A/w/a.ts'),
  outside('/w', '/~/a.ts', '/~/a.ts', '%2F/~/a.ts'),
  outside('/w', '~/../a.ts', '~/../a.ts', '~/%2E%2E/a.ts'),
  outside(
    '/home/ada/tide',
    r`\\wsl$\Ubuntu\home\ada\tide\a.ts`,
    r`\\wsl$\Ubuntu\home\ada\tide\a.ts`,
    '%5C%5Cwsl$%5CUbuntu/home/ada/tide/a.ts'
  )
]

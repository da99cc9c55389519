import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import config from '../packaging/electron-builder.config.js'

const root = join(import.meta.dirname, '..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const manifest = JSON.parse(read('package.json')) as {
  main: string
  scripts: Record<string, string>
  dependencies: Record<string, string>
}

test('fuses: no way to run other code as Playhead, and none for pages from files', () => {
  expect(config.electronFuses).toEqual({
    runAsNode: false,
    enableNodeOptionsEnvironmentVariable: false,
    enableNodeCliInspectArguments: false,
    enableEmbeddedAsarIntegrityValidation: true,
    onlyLoadAppFromAsar: true,
    enableCookieEncryption: true,
    grantFileProtocolExtraPrivileges: false,
    loadBrowserProcessSpecificV8Snapshot: false,
    resetAdHocDarwinSignature: true
  })
  // Without an archive the last two of the code fuses would have nothing to look at.
  expect(config.asar).toBe(true)
})

test('SQLite is packed, and its program lies beside the archive, where the system can open it', () => {
  expect(config.asarUnpack).toEqual(['**/*.node'])
  expect(manifest.dependencies).toHaveProperty('libsql')
  expect(config.files.filter((pattern) => /libsql|neon|detect/.test(pattern))).toEqual([])
})

test('nothing is published, and no package starts without its sandbox', () => {
  expect(config.publish).toBeNull()
  expect(config.appImage.executableArgs).toEqual([])
  expect(JSON.stringify(config)).not.toContain('--no-sandbox')
})

test('logs and links: a viewer of .jsonl that is no default, and the protocol playhead', () => {
  expect(config.fileAssociations).toEqual([
    expect.objectContaining({ ext: 'jsonl', role: 'Viewer', rank: 'Alternate', mimeType: 'application/jsonl' })
  ])
  expect(config.protocols).toEqual([{ name: 'Playhead', schemes: ['playhead'], role: 'Viewer' }])
  const installer = read(config.nsis.include)
  expect(installer).toContain('"Software\\Classes\\playhead" "URL Protocol"')
  expect(installer).toContain(`'"$INSTDIR\\\${APP_EXECUTABLE_FILENAME}" "--" "%1"'`)
  expect(installer).toContain('DeleteRegKey SHELL_CONTEXT "Software\\Classes\\playhead"')
})

test('each system has its targets, icon and category', () => {
  expect([config.mac.target, config.win.target, config.linux.target]).toEqual([['dmg'], ['nsis'], ['AppImage', 'deb']])
  expect(config.mac.category).toBe('public.app-category.developer-tools')
  expect([config.linux.category, config.deb.packageCategory]).toEqual(['Development', 'devel'])
  expect(config.artifactName).toMatch(/^playhead-\$\{version\}-\$\{os\}-\$\{arch\}\.\$\{ext\}$/)
  expect(config.extraMetadata.desktopName).toBe(`${config.linux.executableName}.desktop`)
  for (const [icon, type] of [
    [config.mac.icon, '.icns'],
    [config.dmg.icon, '.icns'],
    [config.win.icon, '.ico'],
    [config.nsis.installerIcon, '.ico'],
    [config.nsis.uninstallerIcon, '.ico'],
    // One set for the AppImage and the deb.
    [config.linux.icon, '']
  ] as const) {
    expect(icon.endsWith(type)).toBe(true)
    expect([icon, existsSync(join(root, icon))]).toEqual([icon, true])
  }
})

test('macOS: the hardened runtime, with the right to compile JavaScript and no other', () => {
  expect(config.mac.hardenedRuntime).toBe(true)
  for (const path of [config.mac.entitlements, config.mac.entitlementsInherit])
    expect(read(path).match(/<key>.*<\/key>/g)).toEqual(['<key>com.apple.security.cs.allow-jit</key>'])
})

test('every file that is packed is there after a build', () => {
  const beside = config.extraResources.map(({ from }) => from)
  const named = [...config.files.filter((pattern) => !pattern.startsWith('!')), ...beside, config.nsis.license]
  expect(named).toContain('package.json')
  for (const pattern of named) {
    const path = pattern.replace(/\/\*\*$/, '')
    expect([path, /[*{!]/.test(path), existsSync(join(root, path))]).toEqual([path, false, true])
  }
})

test('the sample and the prices lie where the packed app looks for them', () => {
  const main = read('src/main/index.ts')
  expect(main).toMatch(/const resources = app\.isPackaged \? process\.resourcesPath : /)
  expect(config.extraResources.map(({ to }) => to)).toEqual(['sample-run.jsonl', 'prices.json'])
  for (const { to } of config.extraResources) expect(main).toContain(`join(resources, '${to}')`)
})

test('what is bundled comes with its licence', () => {
  const [host, page] = [read('out/main/licenses.md'), read('out/renderer/licenses.md')]
  // A program for each platform brings its licence itself, since it is packed as it is.
  const bundled = Object.keys(manifest.dependencies).filter((name) => name !== 'libsql')
  for (const name of bundled) expect(host).toMatch(new RegExp(`^## ${name} `, 'm'))
  for (const name of ['react', 'react-dom', 'marked', 'lowlight', 'zustand'])
    expect(page).toMatch(new RegExp(`^## ${name} `, 'm'))
})

test('what the app starts with finds all it imports in the package', () => {
  const patterns = config.files.filter((pattern) => pattern.startsWith('!out/')).map((pattern) => pattern.slice(1))
  expect(patterns).toEqual(['out/main/{cli,hook}.js'])
  const leftOut = new Set(['out/main/cli.js', 'out/main/hook.js'])
  const reached = new Set<string>()
  const packages = new Set<string>()
  const walk = (path: string): void => {
    if (reached.has(path)) return
    reached.add(path)
    const code = read(path)
    for (const [, name = ''] of code.matchAll(/(?:from|import)\s*\(?\s*"([^"\n]+)"/g)) {
      if (name.startsWith('./')) walk(join('out/main', name).replaceAll('\\', '/'))
      else if (/^[@a-z][\w./:@-]*$/.test(name) && !isBuiltin(name)) packages.add(name)
    }
    for (const [, name] of code.matchAll(/new URL\("\.?\/?([\w.-]+\.js)", import\.meta\.url\)/g))
      walk(`out/main/${name}`)
  }
  walk(manifest.main)
  expect([...reached].filter((path) => /worker/.test(path))).not.toEqual([])
  expect([...reached].filter((path) => leftOut.has(path))).toEqual([])
  // Electron brings itself. What else is not in the bundle has to be a dependency that is packed.
  packages.delete('electron')
  const excluded = config.files.flatMap((pattern) => /node_modules\/\{(.+?)\}/.exec(pattern)?.[1]?.split(',') ?? [])
  expect(excluded.length).toBeGreaterThan(0)
  for (const name of excluded) expect(manifest.dependencies).toHaveProperty(name)
  for (const name of packages) {
    expect(manifest.dependencies).toHaveProperty(name)
    expect(excluded).not.toContain(name)
  }
})

const workflows = readdirSync(join(root, '.github/workflows'))

test.each(workflows)(
  '%s takes actions by their commits, may do little, and runs nothing that a stranger wrote',
  (name) => {
    const workflow = read(`.github/workflows/${name}`)
    const uses = [...workflow.matchAll(/uses:(.*)/g)].map(([, action = '']) => action.trim())
    expect(uses.length).toBeGreaterThan(0)
    for (const action of uses) expect(action).toMatch(/^actions\/[a-z-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
    expect(workflow.match(/^permissions:\n((?: {2,}.*\n)+)/m)?.[1]).toBe('  contents: read\n')
    expect(workflow).not.toMatch(/pull_request_target|workflow_run|secrets\.|write-all|persist-credentials: true/)
    // What a title or the name of a branch holds would stand in a command.
    expect(workflow).not.toMatch(/\$\{\{[^}]*github\.(event|head_ref|actor)/)
    const rights = [...workflow.matchAll(/^ +([a-z-]+): write$/gm)].map(([, right]) => right)
    expect(rights).toEqual(name === 'release.yml' ? ['id-token', 'attestations'] : [])
  }
)

test('an action has one commit in all workflows', () => {
  const pins = workflows.flatMap((name) => [...read(`.github/workflows/${name}`).matchAll(/uses: ([\w/-]+)@(\S+)/g)])
  const byAction = new Map(pins.map(([, action, commit]) => [action, commit]))
  for (const [, action, commit] of pins) expect([action, commit]).toEqual([action, byAction.get(action)])
})

test('the workflows do what a person does: npm test on every system and Node, and packing', () => {
  const check = read('.github/workflows/check.yml')
  expect(check).toContain('- run: npm test\n')
  for (const part of [
    'ubuntu-24.04, node: 20',
    'ubuntu-24.04, node: 22',
    'ubuntu-24.04, node: 24',
    'macos-15',
    'windows-2025'
  ])
    expect(check).toContain(part)
  const desktop = read('.github/workflows/desktop.yml')
  for (const command of ['npm ci', 'npm run build', 'npm run package -- --dir', 'node packaging/smoke.js'])
    expect(desktop).toContain(command)
  const release = read('.github/workflows/release.yml')
  for (const part of ['npm run package\n', 'npm sbom', 'sbom-path: packages/', 'subject-path: packages/*'])
    expect(release).toContain(part)
})

test('what packs the app is locked, each package by its digest, and is no dependency', () => {
  expect(manifest.scripts['package']).toBe(
    'npm ci --prefix packaging --no-audit --no-fund && npm run build && node packaging/node_modules/electron-builder/cli.js --config packaging/electron-builder.config.js'
  )
  const { packages } = JSON.parse(read('packaging/package-lock.json')) as {
    packages: Record<string, { version: string; integrity?: string; resolved?: string; devDependencies?: object }>
  }
  const { '': own, ...others } = packages
  expect(own?.devDependencies).toEqual({ 'electron-builder': others['node_modules/electron-builder']?.version })
  expect(Object.entries(others).filter(([, { integrity }]) => !integrity?.startsWith('sha512-'))).toEqual([])
  // Where they are had from is for each machine to say.
  expect(Object.entries(others).filter(([, { resolved }]) => resolved !== undefined)).toEqual([])
  expect(read('package-lock.json')).not.toContain('"node_modules/electron-builder"')
})

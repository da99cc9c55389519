/**
 * How the desktop app is packed: `npm run package`, with the targets of the system it runs on. electron-builder is fetched by npx in one
 * version and is no dependency. Nothing is published, and nothing is signed unless electron-builder's own variables (`CSC_LINK` …) say
 * with what. What was run of this: docs/desktop.md.
 */
export default {
  appId: 'dev.playhead.app',
  productName: 'Playhead',
  copyright: 'MIT licence',
  artifactName: 'playhead-${version}-${os}-${arch}.${ext}',
  directories: { output: 'out/packages', buildResources: 'packaging' },
  publish: null,

  // Only what runs. The command line is the npm package's; these dependencies are in the bundle, so that only a native one would be packed.
  files: [
    'out/main/**',
    '!out/main/{cli,hook}.js',
    'out/preload/**',
    'out/renderer/**',
    'out/shared/**',
    'LICENSE',
    'package.json',
    '!**/node_modules/{fzstd,ws,zod}{,/**/*}'
  ],
  // Beside the archive: a log is watched and told by its inode, as no file in an archive can be.
  extraResources: ['sample-run.jsonl', 'prices.json'].map((name) => ({ from: `resources/${name}`, to: name })),
  asar: true,
  // Native modules are opened by the system, which cannot look into an archive.
  asarUnpack: ['**/*.node'],
  // Nothing is compiled here: a native dependency has to bring what it needs.
  npmRebuild: false,
  extraMetadata: {
    desktopName: 'playhead.desktop',
    // A deb names its project's page. A clone of a public repository has one; elsewhere it is given.
    ...(process.env.PLAYHEAD_HOMEPAGE ? { homepage: process.env.PLAYHEAD_HOMEPAGE } : {})
  },

  electronFuses: {
    runAsNode: false,
    enableNodeOptionsEnvironmentVariable: false,
    enableNodeCliInspectArguments: false,
    enableEmbeddedAsarIntegrityValidation: true,
    onlyLoadAppFromAsar: true,
    enableCookieEncryption: true,
    grantFileProtocolExtraPrivileges: false,
    loadBrowserProcessSpecificV8Snapshot: false,
    // Fuses change the binary. Apple's processors run none whose signature does not fit, so where nobody signs it gets an own one.
    resetAdHocDarwinSignature: true
  },

  // An alternate viewer: it opens logs on demand and takes them from no editor.
  fileAssociations: [
    {
      ext: 'jsonl',
      name: 'Playhead.Log',
      description: 'Log of a coding agent',
      mimeType: 'application/jsonl',
      role: 'Viewer',
      rank: 'Alternate'
    }
  ],
  protocols: [{ name: 'Playhead', schemes: ['playhead'], role: 'Viewer' }],

  mac: {
    target: ['dmg'],
    category: 'public.app-category.developer-tools',
    icon: 'resources/icon.icns',
    hardenedRuntime: true,
    entitlements: 'packaging/entitlements.mac.plist',
    entitlementsInherit: 'packaging/entitlements.mac.plist'
  },
  dmg: { icon: 'resources/icon.icns', title: 'Playhead ${version}' },

  win: { target: ['nsis'], icon: 'resources/icon.ico', requestedExecutionLevel: 'asInvoker' },
  nsis: {
    oneClick: false,
    // Asked: for this user, which needs no administrator, or for all.
    perMachine: false,
    allowToChangeInstallationDirectory: true,
    deleteAppDataOnUninstall: false,
    installerIcon: 'resources/icon.ico',
    uninstallerIcon: 'resources/icon.ico',
    include: 'packaging/protocol.nsh',
    license: 'LICENSE'
  },

  linux: {
    target: ['AppImage', 'deb'],
    icon: 'resources/icons',
    category: 'Development',
    executableName: 'playhead',
    maintainer: 'The Playhead founders',
    synopsis: 'Log viewer and session replayer for coding agents',
    syncDesktopName: true
  },
  // electron-builder's own default is --no-sandbox. An AppImage that cannot have its sandbox does not start; the deb brings what it takes.
  appImage: { executableArgs: [] },
  deb: { packageCategory: 'devel', priority: 'optional' }
}

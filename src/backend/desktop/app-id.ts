/**
 * How systems tell the app from others: electron-builder's `appId`, which its Windows installer writes into the shortcut. Windows groups
 * windows, jump lists and notifications by it, so the running app has to say the same.
 */
export const appId = 'dev.playhead.app'

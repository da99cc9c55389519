/**
 * Electron's preload asks the main process for a port with this channel, and hands it to the page in a window message
 * whose `type` is this.
 */
export const portMessage = 'playhead-port'

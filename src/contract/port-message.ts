/**
 * The page asks its preload for a port with a window message whose `type` is this; Electron's preload asks the main process on a channel of
 * this name, and hands the port to the page in a window message of the same `type`.
 */
export const portMessage = 'playhead-port'
